// What one check of an installation found, in one sentence that says what to do if it is not ok.

export type Finding = {
  readonly check: string;
  readonly level: "ok" | "warning" | "error";
  readonly message: string;
};

/** A check may find several things; what it throws is an error as well. */
export type Check = () => Promise<readonly Finding[]>;

export const ok = (check: string, message: string): Finding => ({ check, level: "ok", message });
export const warning = (check: string, message: string): Finding => ({
  check,
  level: "warning",
  message,
});
export const error = (check: string, message: string): Finding => ({
  check,
  level: "error",
  message,
});

export function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  if (thrown instanceof AggregateError && thrown.message === "") return messageOf(thrown.errors[0]);
  return thrown.cause instanceof Error ? messageOf(thrown.cause) : thrown.message;
}
