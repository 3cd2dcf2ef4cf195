// What went wrong, in a form a page can show: the fault's code and words, the field it is about, and
// the reference support will ask for.
import { TRPCClientError } from "@trpc/client";

export type Failure = {
  /** A fault code of the server; `offline` where no answer came, `internal_error` for the rest. */
  readonly code: string;
  readonly message: string;
  readonly param: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
};

export function readFailure(error: unknown): Failure {
  if (!(error instanceof TRPCClientError)) return plain("internal_error");
  const data = asRecord(error.data);
  if (data === undefined) return plain(hasNoAnswer(error) ? "offline" : "internal_error");
  return {
    code: text(data.fault) ?? (data.code === "UNAUTHORIZED" ? "unauthenticated" : "internal_error"),
    message: error.message,
    param: text(data.param),
    requestId: text(data.requestId),
    retryAfterMs: typeof data.retryAfterMs === "number" ? data.retryAfterMs : undefined,
    metadata: asRecord(data.metadata) ?? {},
  };
}

export function isUnauthenticated(error: unknown): boolean {
  return readFailure(error).code === "unauthenticated";
}

function plain(code: string): Failure {
  return {
    code,
    message: "",
    param: undefined,
    requestId: undefined,
    retryAfterMs: undefined,
    metadata: {},
  };
}

/** fetch itself failed: the network, not the server. */
function hasNoAnswer(error: TRPCClientError<never>): boolean {
  return error.meta?.response === undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? { ...value }
    : undefined;
}
