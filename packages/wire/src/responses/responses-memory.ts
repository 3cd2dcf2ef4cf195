// How responses are stored and continued.
import { parseResponseId, responseIdOf } from "@turnpike/base";
import type { MemoryLanguage } from "../protocol/memory.ts";
import { responseText } from "./kept-items.ts";
import { continueRequest, findMemory } from "./remembered-request.ts";
import {
  itemsOfTurn,
  newInput,
  parseAnswered,
  readStoredTurn,
  withoutKept,
} from "./stored-turn.ts";

export const responsesMemory: MemoryLanguage = {
  purpose: "response",
  previousParam: "previous_response_id",
  answerId: responseIdOf,
  parseId: parseResponseId,
  find: findMemory,
  continueRequest,
  newInput,
  parseAnswered,
  withoutKept,
  answerText: responseText,
  toSend: (answer) => answer,
  earlierItems: (stored) => itemsOfTurn(readStoredTurn(stored)),
};
