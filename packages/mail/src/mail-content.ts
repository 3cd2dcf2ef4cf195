// The content of a mail before it is laid out as text and as HTML, so that both forms show the same.

export type Brand = {
  readonly productName: string;
  readonly publicUrl: string;
  /** Empty if there is no support address. */
  readonly supportEmail: string;
};

/** One mail before it is laid out. Every string is plain text. */
export type MailContent = {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly facts?: readonly (readonly [label: string, value: string])[];
  readonly button?: { readonly label: string; readonly link: string };
  /** What to do if it was not them. */
  readonly note?: { readonly text: string; readonly link?: string };
};
