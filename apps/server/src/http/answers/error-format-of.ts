// The format in which a request is refused, by its path and its client: even if no route was reached, so that a client of
// Anthropic's API is never answered in OpenAI's format.
import {
  aiGatewayErrors,
  anthropicErrors,
  type ErrorFormat,
  googleErrors,
  isOpenRouterClient,
  openaiErrors,
  openrouterErrors,
} from "@turnpike/wire";
import {
  aiGatewayUrl,
  googleClientUrl,
  isGeminiUrl,
  messagesUrl,
  openaiUrl,
} from "../routes/api-base.ts";

export function errorFormatOf({ url, headers }: Request): ErrorFormat {
  if (messagesUrl.test(url)) return anthropicErrors;
  if (aiGatewayUrl.test(url) || isAiGatewayClient(headers)) return aiGatewayErrors;
  if (isGeminiUrl(url)) return googleErrors;
  if (isOpenRouterClient(headers)) return openrouterErrors;
  if (isGoogleClient(headers) && googleClientUrl.test(url)) return googleErrors;
  return isAnthropicClient(headers) && !openaiUrl.test(url) ? anthropicErrors : openaiErrors;
}

/** The AI SDK's gateway provider, which also asks for the credits and calls of OpenRouter's API. */
function isAiGatewayClient(headers: Headers): boolean {
  return headers.get("ai-gateway-protocol-version") !== null;
}

/** Google's clients send their key in a header of its own. */
export function isGoogleClient(headers: Headers): boolean {
  return headers.get("x-goog-api-key") !== null;
}

/** Both APIs have a list of models; only Anthropic's clients send its version. */
export function isAnthropicClient(headers: Headers): boolean {
  return headers.get("anthropic-version") !== null;
}
