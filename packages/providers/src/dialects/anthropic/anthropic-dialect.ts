// Anthropic's messages API: `/messages`, one JSON body or a stream of named events that ends in
// `message_stop`.
import { type ChatRequest, messagesLanguage } from "@turnpike/wire";
import type { AnthropicProvider, Dialect } from "../../provider.ts";
import { refuse } from "../../refusals/refuse.ts";
import { faultOf } from "../../remember-translation.ts";
import { cutAtStops } from "../cut-at-stops.ts";
import { losesField } from "../lost-fields.ts";
import { BedrockStream } from "./bedrock-stream.ts";
import { buildRequest } from "./build-request.ts";
import { retryWithoutBetas } from "./cloud-betas.ts";
import { MessageStream } from "./message-stream.ts";
import { parseMessage, parseUnreadMessage } from "./parse-message.ts";
import { retryWithoutSchemas } from "./retry-without-schemas.ts";
import { retryWithoutThinking } from "./retry-without-thinking.ts";
import { takesStop, translateConversation } from "./write-request.ts";
import { takesSampling } from "./write-sampling.ts";

const wholeDialect: Dialect<ChatRequest, AnthropicProvider> = {
  language: messagesLanguage,
  buildRequest,
  retryAfterRefusal: (call, dialectRequest, status, refusal) =>
    retryWithoutBetas(call, dialectRequest, status, refusal) ??
    retryWithoutSchemas(call, dialectRequest, status, refusal) ??
    retryWithoutThinking(call, dialectRequest, status, refusal),
  whyUntranslatable: (target, request) => faultOf(() => translateConversation(target, request)),
  losesParameter: (name, { upstreamModel }) =>
    losesField("anthropic", name) || !takesSampling(upstreamModel, name),
  openStream: (call, options) =>
    call.provider.cloud === "bedrock"
      ? new BedrockStream(call, options)
      : new MessageStream(call, options),
  parseWhole: parseMessage,
  parseUnread: parseUnreadMessage,
  refuse: (provider, status, body, headers) =>
    refuse(provider, statusOf(provider, status, headers), body, headers),
};

export const anthropicDialect = cutAtStops(wholeDialect, takesStop);

/** Bedrock answers 400 if the operator's quota is used up, which is not the caller's mistake. */
function statusOf({ cloud }: AnthropicProvider, status: number, headers: Headers): number {
  const type = cloud === "bedrock" ? headers.get("x-amzn-errortype") : null;
  return type?.startsWith("ServiceQuotaExceeded") === true ? 429 : status;
}
