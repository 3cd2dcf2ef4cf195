// An error in a form that a page can show: the fault's code and message, the field it is about, and the
// reference for support.
import { TRPCClientError } from "@trpc/client";

export type Failure = {
  /**
   * A fault code of the server; `offline` if no answer came, `unreadable` if it was not the
   * server's own (for example a proxy's page), `internal_error` for the rest.
   */
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
  if (data === undefined) return plain(codeWithoutData(error));
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

/** What an address names does not exist, or its id cannot be one. */
export function isMissing(error: unknown): boolean {
  const { code, param } = readFailure(error);
  return code === "not_found" || param === "id";
}

/**
 * Browsers throw a TypeError for a network failure; an answer that is not ours fails later, while
 * parsing.
 */
function codeWithoutData(error: Error): string {
  return error.cause instanceof TypeError ? "offline" : "unreadable";
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? { ...value }
    : undefined;
}
