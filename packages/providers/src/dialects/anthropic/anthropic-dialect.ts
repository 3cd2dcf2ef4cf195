// Anthropic's messages API: `/messages`, one JSON body or a stream of named events that ends in
// `message_stop`.
import { type ChatRequest, messagesLanguage } from "@turnpike/wire";
import type { AnthropicProvider, Dialect } from "../../provider.ts";
import { refuse } from "../../refusals/refuse.ts";
import { ask } from "./ask.ts";
import { MessageStream } from "./message-stream.ts";
import { readMessage, readUnreadMessage, refuseUnstreamed } from "./read-message.ts";
import { whyUnspeakable } from "./why-unspeakable.ts";

export const anthropicDialect: Dialect<ChatRequest, AnthropicProvider> = {
  language: messagesLanguage,
  ask,
  whyUntranslatable: (_, request) => whyUnspeakable(request.parsed),
  openStream: (call, options) => new MessageStream(call, options),
  readWhole: readMessage,
  readUnread: readUnreadMessage,
  refuseUnstreamed,
  refuse,
};
