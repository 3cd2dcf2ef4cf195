// The members with which every chat completion and every chunk of one begins, whole or streamed, whichever service wrote it.
import type { JsonObject } from "@turnpike/base";
import type { AnswerIdentity } from "./pivot.ts";

/** `provider` is OpenRouter's: only its clients are shown who answered, and some refuse an answer without it. */
export function answerHead(identity: AnswerIdentity, object: string): JsonObject {
  const { id, created, model, provider } = identity;
  return provider === undefined
    ? { id, object, created, model }
    : { id, object, created, model, provider };
}
