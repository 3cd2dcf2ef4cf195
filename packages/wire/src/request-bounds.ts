// What each endpoint that calls models enforces of the fields of its request, from the rules that check them.
import type { FieldBounds } from "./bounds.ts";
import { chatBounds } from "./chat/check-chat-fields.ts";
import { completionsBounds, refusedChatFields } from "./completions/parse-completions-request.ts";
import { embeddingsBounds } from "./embeddings/parse-embeddings-request.ts";
import { messagesGatewayBounds } from "./messages/check-gateway-fields.ts";
import { messagesBounds } from "./messages/check-messages-fields.ts";
import { maxCostBounds } from "./read-max-cost.ts";
import { routingBounds } from "./read-routing.ts";
import { responsesBounds } from "./responses/check-responses-fields.ts";

/** Those of OpenRouter have a schema of their own. */
const { reasoning = {}, usage = {}, ...ownChatBounds } = chatBounds;
/** Of one prompt: what a chat has besides is refused there, or has no effect. */
const promptBounds = Object.fromEntries(
  Object.entries(ownChatBounds).filter(
    ([name]) => name !== "web_search_options" && !refusedChatFields.includes(name),
  ),
);
const maxCost = { max_cost: maxCostBounds };

/** By the name of the schema in `/openapi.json`. */
export const requestBounds: Readonly<Record<string, FieldBounds>> = {
  CreateChatCompletionRequest: ownChatBounds,
  CompletionsRequest: { ...promptBounds, ...completionsBounds },
  CreateEmbeddingRequest: { ...embeddingsBounds, ...maxCost },
  ResponsesRequest: responsesBounds,
  MessagesRequestFields: { ...messagesBounds, ...messagesGatewayBounds },
  GatewayRouting: { ...routingBounds, ...maxCost },
  GatewayPreferences: { reasoning, usage },
};
