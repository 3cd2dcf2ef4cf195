// The body of every refusal under `/v1`: OpenAI's envelope, always with all four keys.

export type ErrorView = {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
  /** Facts for programs, such as `needed_usd`; omitted when absent. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
};

export type ErrorBody = { readonly error: ErrorView };

export function errorBody(view: ErrorView): ErrorBody {
  const { message, type, param, code, metadata } = view;
  return { error: { message, type, param, code, ...(metadata && { metadata }) } };
}
