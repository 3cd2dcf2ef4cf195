// The message for a failure: our own if the console knows what to do next, the server's public message
// otherwise.
import { formatWait } from "./format.ts";
import { type Failure, readFailure } from "./read-failure.ts";

const own: Readonly<Record<string, () => string>> = {
  offline: () => "Can't reach the server. Check your connection and try again.",
  internal_error: () => "Something went wrong on our side.",
  not_found: () => "Not found. It may have been deleted.",
  cross_site_request: () => "This page is out of date. Reload and try again.",
  overloaded: () => "The server is busy. Try again in a moment.",
  token_expired: () => "This link has expired or was already used.",
  wrong_credentials: () => "Incorrect email or password.",
  email_not_verified: () => "Verify your email to sign in.",
};

export function describeFailure(failure: Failure): string {
  if (failure.code === "throttled" && failure.retryAfterMs !== undefined) {
    return `Too many attempts. Try again in ${formatWait(failure.retryAfterMs / 1000)}.`;
  }
  return own[failure.code]?.() ?? (failure.message || "Something went wrong on our side.");
}

/** Of anything that was thrown. */
export function describeError(error: unknown): string {
  return describeFailure(readFailure(error));
}
