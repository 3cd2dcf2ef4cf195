// What an application says of itself and of the people it calls for. Both are only ever shown, filtered and grouped by.
import { callerCharsMax } from "@turnpike/terms";
import type { ParsedRequest } from "../protocol/pivot.ts";
import type { RequestHeaders } from "../protocol/request-headers.ts";

/** Undefined if it does not say. Titles and referer as OpenRouter takes them; of the latter only the host is kept. */
export function appOf(headers: RequestHeaders): string | undefined {
  const title = headers.get("x-openrouter-title") || headers.get("x-title");
  if (title) return title.slice(0, callerCharsMax.app);
  const referer = headers.get("http-referer");
  return (referer && URL.parse(referer)?.host.slice(0, callerCharsMax.app)) || undefined;
}

/** Undefined if the body names none. In `/v1/messages` it is `metadata.user_id`. */
export function endUserOf({ parsed }: ParsedRequest): string | undefined {
  const user = parsed.user || parsed.safety_identifier;
  return typeof user === "string" && user !== "" ? user.slice(0, callerCharsMax.user) : undefined;
}
