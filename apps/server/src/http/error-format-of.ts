// The format in which a request is refused, by its path and its client: even if no route was reached, so that a client of
// Anthropic's API is never answered in OpenAI's format.
import {
  anthropicErrors,
  type ErrorFormat,
  isOpenRouterClient,
  openaiErrors,
  openrouterErrors,
} from "@turnpike/wire";
import { basePattern } from "./api-base.ts";

const messagesPath = new RegExp(`^https?://[^/]*${basePattern}/messages(?:[/?]|$)`);
/** Of OpenAI's API, of OpenRouter's and our own: clients expect its format there, whatever headers they add. */
const openaiPath = new RegExp(
  `^https?://[^/]*${basePattern}/(?:chat|completions|responses|embeddings|estimate|credits|keys?|auth|generation|management|providers)(?:[/?]|$)`,
);

export function errorFormatOf({ url, headers }: Request): ErrorFormat {
  if (messagesPath.test(url)) return anthropicErrors;
  if (isOpenRouterClient(headers)) return openrouterErrors;
  return isAnthropicClient(headers) && !openaiPath.test(url) ? anthropicErrors : openaiErrors;
}

/** Both APIs have a list of models; only Anthropic's clients send its version. */
export function isAnthropicClient(headers: Headers): boolean {
  return headers.get("anthropic-version") !== null;
}
