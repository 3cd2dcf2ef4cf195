// The format in which a request is refused, by its path and its client: even if no route was reached, so that a client of
// Anthropic's API is never answered in OpenAI's format.
import {
  anthropicErrors,
  type ErrorFormat,
  googleErrors,
  isOpenRouterClient,
  openaiErrors,
  openrouterErrors,
} from "@turnpike/wire";
import { googleClientUrl, isGeminiUrl, messagesUrl, openaiUrl } from "../routes/api-base.ts";

export function errorFormatOf({ url, headers }: Request): ErrorFormat {
  if (messagesUrl.test(url)) return anthropicErrors;
  if (isGeminiUrl(url)) return googleErrors;
  if (isOpenRouterClient(headers)) return openrouterErrors;
  if (isGoogleClient(headers) && googleClientUrl.test(url)) return googleErrors;
  return isAnthropicClient(headers) && !openaiUrl.test(url) ? anthropicErrors : openaiErrors;
}

/** Google's clients send their key in a header of its own. */
export function isGoogleClient(headers: Headers): boolean {
  return headers.get("x-goog-api-key") !== null;
}

/** Both APIs have a list of models; only Anthropic's clients send its version. */
export function isAnthropicClient(headers: Headers): boolean {
  return headers.get("anthropic-version") !== null;
}
