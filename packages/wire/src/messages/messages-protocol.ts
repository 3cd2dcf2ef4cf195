// The messages protocol: Anthropic's request, answer and stream. What an upstream of the same language
// sent is framed unchanged; typed deltas of any other become content blocks.
import { messageIdOf } from "@turnpike/base";
import { messagesLanguage } from "../protocol/languages.ts";
import type { Protocol } from "../protocol/protocol.ts";
import { anthropicErrors } from "./anthropic-errors.ts";
import { MessagesStreamWriter, messagesKeepAlive } from "./messages-stream.ts";
import { type MessagesRequest, parseMessagesRequest } from "./parse-messages-request.ts";
import { writeMessage } from "./write-message.ts";

export const messagesProtocol: Protocol<MessagesRequest> = {
  operation: "chat",
  language: messagesLanguage,
  errors: anthropicErrors,
  parse: parseMessagesRequest,
  answerId: messageIdOf,
  writeWhole: writeMessage,
  stream: {
    contentType: "text/event-stream; charset=utf-8",
    keepAlive: messagesKeepAlive,
    isResumable: true,
    beginsWithPrompt: true,
    open: (request, identity, prompt) => new MessagesStreamWriter(request, identity, prompt),
  },
};
