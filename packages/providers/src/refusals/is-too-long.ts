// Whether an error says that a prompt does not fit into a model's context: by its code, its type or its words, which
// must not be those of a rate or a quota.
import type { UpstreamError } from "./parse-error-body.ts";
import { serverWordings } from "./too-long-server-wordings.ts";
import { serviceWordings } from "./too-long-wordings.ts";

export const tooLongWordings = [...serviceWordings, ...serverWordings];

/** Services whose codes say it, besides OpenAI's own; 1261 is Z.ai's. */
const codes: ReadonlySet<unknown> = new Set([
  "context_length_exceeded",
  "model_context_window_exceeded",
  "ContextWindowExceededError",
  "model_max_prompt_tokens_exceeded",
  "max_tokens_per_request",
  "1261",
  // GitHub's and watsonx's.
  "tokens_limit_reached",
  "token_quantity_exceeded",
]);

/** Of llama.cpp and of ds4. */
const types: ReadonlySet<unknown> = new Set(["exceed_context_size_error", "context_exceeded"]);

/** A service that is not listed, or a proxy with words of its own: what is about the context at all. */
const aboutContext = /context_length_exceeded|maximum context|\bcontext (?:window|length|size)\b/i;

/** Rates and quotas are counted in tokens as well, and a shorter prompt is not what they ask for. */
const aboutRates = /\bper[ -]min(?:ute)?\b|\brate[ -]?limit|too many requests|\bTPM\b|throttl/i;

/** By its code, its type or its words, whatever the status. */
export function isKnownTooLong({ code, type, message = "" }: UpstreamError): boolean {
  if (codes.has(code) || types.has(type)) return true;
  return !aboutRates.test(message) && tooLongWordings.some(({ pattern }) => pattern.test(message));
}

/** The same of a refusal that is about the request. */
export function isTooLong(error: UpstreamError): boolean {
  if (isKnownTooLong(error)) return true;
  const { message = "" } = error;
  return aboutContext.test(message) && !aboutRates.test(message);
}
