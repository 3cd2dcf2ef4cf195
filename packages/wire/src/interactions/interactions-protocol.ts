// The protocol of Google's Interactions API: a request sends its whole conversation, or continues an interaction that was stored.
import { formatGenerationId } from "@turnpike/base";
import { googleErrors } from "../gemini/google-errors.ts";
import { interactionsLanguage } from "../protocol/languages.ts";
import type { ItemProtocol, Protocol } from "../protocol/protocol.ts";
import { sseKeepAlive } from "../protocol/sse.ts";
import { InteractionsStreamWriter } from "./interactions-stream.ts";
import {
  type InteractionsRequest,
  parseInteractionsRequest,
} from "./parse-interactions-request.ts";
import { writeInteraction } from "./present-interaction.ts";
import { interactionsMemory, withMemory } from "./stored-interaction.ts";

/** Steps have no ids that a request could refer to. */
const items: ItemProtocol<InteractionsRequest> = {
  find: () => undefined,
  keeps: ({ memory }) => memory !== undefined,
  memory: interactionsMemory,
  withMemory,
  read: () => new Map(),
  withoutKeptItems: (answer) => answer,
};

export const interactionsProtocol: Protocol<InteractionsRequest> = {
  operation: "chat",
  language: interactionsLanguage,
  errors: googleErrors,
  parse: parseInteractionsRequest,
  answerId: formatGenerationId,
  items,
  writeWhole: writeInteraction,
  stream: {
    contentType: "text/event-stream; charset=utf-8",
    keepAlive: sseKeepAlive,
    cutsAfterFault: true,
    open: (request, identity) => new InteractionsStreamWriter(request, identity),
  },
};
