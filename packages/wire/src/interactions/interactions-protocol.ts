// The protocol of Google's Interactions API, without stored interactions: each request sends its whole conversation.
import { formatGenerationId } from "@turnpike/base";
import { googleErrors } from "../gemini/google-errors.ts";
import { interactionsLanguage } from "../protocol/languages.ts";
import type { Protocol } from "../protocol/protocol.ts";
import { sseKeepAlive } from "../protocol/sse.ts";
import { InteractionsStreamWriter } from "./interactions-stream.ts";
import {
  type InteractionsRequest,
  parseInteractionsRequest,
} from "./parse-interactions-request.ts";
import { writeInteraction } from "./present-interaction.ts";

export const interactionsProtocol: Protocol<InteractionsRequest> = {
  operation: "chat",
  language: interactionsLanguage,
  errors: googleErrors,
  parse: parseInteractionsRequest,
  answerId: formatGenerationId,
  writeWhole: writeInteraction,
  stream: {
    contentType: "text/event-stream; charset=utf-8",
    keepAlive: sseKeepAlive,
    cutsAfterFault: true,
    open: (request, identity) => new InteractionsStreamWriter(request, identity),
  },
};
