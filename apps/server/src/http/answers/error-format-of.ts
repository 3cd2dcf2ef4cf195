// The format in which a request is refused, by its path and its client: even if no route was reached, so that a client of
// Anthropic's API is never answered in OpenAI's format.
import {
  anthropicErrors,
  type ErrorFormat,
  isOpenRouterClient,
  openaiErrors,
  openrouterErrors,
} from "@turnpike/wire";
import { messagesUrl, openaiUrl } from "../routes/api-base.ts";

export function errorFormatOf({ url, headers }: Request): ErrorFormat {
  if (messagesUrl.test(url)) return anthropicErrors;
  if (isOpenRouterClient(headers)) return openrouterErrors;
  return isAnthropicClient(headers) && !openaiUrl.test(url) ? anthropicErrors : openaiErrors;
}

/** Both APIs have a list of models; only Anthropic's clients send its version. */
export function isAnthropicClient(headers: Headers): boolean {
  return headers.get("anthropic-version") !== null;
}
