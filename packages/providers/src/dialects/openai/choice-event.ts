// The event of one choice, for a caller of this language or as typed deltas for any other one. It counts what that
// caller is sent, and nothing else of what the upstream said.
import { isObject, type JsonObject } from "@turnpike/base";
import { showsNoUsageYet } from "@turnpike/wire";
import type { StreamEvent } from "../../provider.ts";
import type { RetainedBound } from "../retained-bound.ts";
import { textOfDeltas, writtenChatText } from "../written-text.ts";
import { type ChatCall, isTranslated } from "./build-request.ts";
import { type AudioOut, silence } from "./count-audio.ts";
import { countImages } from "./count-images.ts";
import { countDelta } from "./count-tokens.ts";
import { parseDeltas } from "./parse-deltas.ts";

export type ChoiceEvent = Extract<StreamEvent, { kind: "chunk" | "deltas" }>;

type Surroundings = {
  /** The members of a chunk beside its choices. */
  readonly head: JsonObject;
  readonly call: ChatCall;
  readonly retained: RetainedBound;
};

/** `choice` as normalized, with its `delta`. */
export function eventOf(
  choice: JsonObject,
  { head, call, retained }: Surroundings,
  audioOut: AudioOut = silence,
): ChoiceEvent {
  if (!isTranslated(call)) {
    const delta = isObject(choice.delta) ? choice.delta : {};
    const chunk: JsonObject = { ...head, choices: [choice] };
    if (showsNoUsageYet(call.request)) chunk.usage = null;
    const counted = countOf(writtenChatText(delta), audioOut, call);
    return { kind: "chunk", json: JSON.stringify(chunk), ...counted, ...imagesOf(delta) };
  }
  const deltas = parseDeltas(choice);
  const counted = countOf(textOfDeltas(deltas), audioOut, call);
  retained.addDeltas(deltas, counted.tokens);
  return { kind: "deltas", deltas, ...counted, ...imagesOf(choice.delta) };
}

function imagesOf(delta: unknown): Pick<ChoiceEvent, "images"> {
  const images = countImages(delta);
  return images === 0 ? {} : { images };
}

function countOf(
  text: string,
  { transcript, tokens: audioTokens }: AudioOut,
  { provider }: ChatCall,
): Pick<ChoiceEvent, "tokens" | "audioTokens"> {
  const tokens = countDelta(text + transcript, provider.quirks.tokensPerDelta) + audioTokens;
  return audioTokens === 0 ? { tokens } : { tokens, audioTokens };
}
