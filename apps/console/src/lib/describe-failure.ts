// The message for a failure: our own if the console knows what to do next, the server's public message
// otherwise.
import { formatWait } from "./format.ts";
import type { Failure } from "./read-failure.ts";
import { t } from "./texts.ts";

const own: Readonly<Record<string, () => string>> = {
  offline: () => t("error.offline"),
  internal_error: () => t("error.unknown"),
  not_found: () => t("error.not_found"),
  cross_site_request: () => t("error.cross_site_request"),
  overloaded: () => t("error.overloaded"),
  token_expired: () => t("error.token_expired"),
  wrong_credentials: () => t("error.wrong_credentials"),
  email_not_verified: () => t("error.email_not_verified"),
};

export function describeFailure(failure: Failure): string {
  if (failure.code === "throttled" && failure.retryAfterMs !== undefined) {
    return t("error.throttled", { wait: formatWait(failure.retryAfterMs / 1000) });
  }
  return own[failure.code]?.() ?? (failure.message || t("error.unknown"));
}
