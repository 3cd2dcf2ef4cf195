// What a request may use besides text tokens: audio, a prediction, searches. Measured only for requests
// with a field that changes the price, so that all others pay nothing for it.
import { isObject, type JsonObject } from "@turnpike/base";
import type { PromptSize } from "./measure-prompt.ts";

export type RequestExtras = {
  /** Of all audio in the prompt together, at most; infinite if the duration is not known here. */
  readonly audioSeconds: number;
  /** What answers may be besides text, at a price of its own. */
  readonly answersIn: "text" | "audio" | "images";
  /** UTF-8 bytes of a predicted answer: its rejected part is billed in addition to the answer. */
  readonly predictionBytes: number;
  /** The most searches for one answer. */
  readonly searches: number;
};

/** Of a checked request. */
export function measureExtras(body: JsonObject, size: PromptSize): RequestExtras {
  return {
    audioSeconds: size.hearsEarlierAudio ? Number.POSITIVE_INFINITY : size.audioSeconds,
    answersIn: answersIn(body),
    predictionBytes: isObject(body.prediction) ? bytesOf(body.prediction.content) : 0,
    // OpenAI's search models search once per answer.
    searches: (body.web_search_options ?? null) === null ? 0 : 1,
  };
}

function answersIn({ audio, modalities }: JsonObject): RequestExtras["answersIn"] {
  const names: readonly unknown[] = Array.isArray(modalities) ? modalities : [];
  if ((audio ?? null) !== null || names.includes("audio")) return "audio";
  return names.includes("image") ? "images" : "text";
}

function bytesOf(content: unknown): number {
  if (typeof content === "string") return Buffer.byteLength(content);
  if (!Array.isArray(content)) return 0;
  let bytes = 0;
  for (const part of content) {
    if (isObject(part) && typeof part.text === "string") bytes += Buffer.byteLength(part.text);
  }
  return bytes;
}
