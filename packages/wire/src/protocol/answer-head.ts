// The members with which every chat completion and every chunk of one begins, whole or streamed, whichever service wrote it.
import type { JsonObject } from "@turnpike/base";
import type { AnswerStamp } from "./pivot.ts";

/** `provider` is OpenRouter's: only its clients are shown who answered, and some refuse an answer without it. */
export function answerHead(stamp: AnswerStamp, object: string): JsonObject {
  const { id, created, model, provider } = stamp;
  return provider === undefined
    ? { id, object, created, model }
    : { id, object, created, model, provider };
}
