// Every mail Turnpike sends, as data: what is queued is this, and the words come when it is sent.
// Amounts are exact decimal strings in USD, times ISO 8601, links absolute.

export type MailMessage =
  | { readonly kind: "verify_email"; readonly link: string; readonly hours: number }
  | { readonly kind: "already_registered"; readonly link: string; readonly resetLink: string }
  | { readonly kind: "reset_password"; readonly link: string; readonly minutes: number }
  | { readonly kind: "password_changed"; readonly at: string; readonly resetLink: string }
  | { readonly kind: "confirm_new_email"; readonly link: string; readonly hours: number }
  | { readonly kind: "email_changed"; readonly at: string; readonly newEmail: string }
  | {
      readonly kind: "receipt";
      readonly amountUsd: string;
      readonly balanceUsd: string;
      readonly at: string;
      readonly topUpLink: string;
      readonly receiptUrl: string | null;
    }
  | {
      readonly kind: "low_balance";
      readonly balanceUsd: string;
      readonly alertUsd: string;
      readonly link: string;
    }
  | {
      readonly kind: "new_sign_in";
      readonly at: string;
      readonly device: string;
      readonly address: string;
      readonly link: string;
    };

export type MailKind = MailMessage["kind"];
