// Normalizes one event of an upstream's stream: one choice per chunk, our id, model and time on each,
// one finish per choice, usage removed.

import { type Fault, isObject, type JsonObject, readText } from "@turnpike/base";
import { showsNoUsageYet, type TokenUsage } from "@turnpike/wire";
import type { StreamEvent } from "../../provider.ts";
import { afterDelivery, brokenOff, refusedInside } from "../../refusals/refuse.ts";
import { RetainedBound } from "../retained-bound.ts";
import { type ChatCall, isTranslated } from "./ask.ts";
import { countDelta } from "./count-tokens.ts";
import { translateFinishReason } from "./finish-reason.ts";
import { type ChoiceMemory, newChoiceMemory, normalizeDelta } from "./normalize-delta.ts";
import { answerKeys, copyUnknown, isErrorBody } from "./read-content.ts";
import { readDeltas } from "./read-deltas.ts";
import { readUsage, withSearches, withServiceTier } from "./read-usage.ts";

export type StreamMemory = {
  readonly choices: Map<number, ChoiceMemory>;
  /** The last billable usage since the last token; valid only once every choice has finished. */
  usage: TokenUsage | undefined;
  /** The service tier that answers, as named in the last event that has one. */
  serviceTier: string | undefined;
  /** The upstream's own id of the answer, as given in its events. */
  upstreamId: string | undefined;
  /** Whether any token was delivered: from then on a refusal has no status of its own. */
  delivered: boolean;
  /** For the whole answer. */
  readonly headers: Headers;
  /** For a translated answer. */
  readonly retained: RetainedBound;
};

export function newStreamMemory(headers: Headers): StreamMemory {
  return {
    choices: new Map(),
    usage: undefined,
    serviceTier: undefined,
    upstreamId: undefined,
    delivered: false,
    headers,
    retained: new RetainedBound(),
  };
}

/** Whether the answer is complete: at least one choice, and none without its finish. */
export function allFinished(memory: StreamMemory): boolean {
  for (const choice of memory.choices.values()) if (!choice.finished) return false;
  return memory.choices.size > 0;
}

const choiceKeys = new Set([
  ...["index", "delta", "logprobs", "finish_reason", "native_finish_reason"],
  ...["error", "usage", "message", "__proto__"],
]);
/** OpenAI's API reference: `n` is at most 128. */
const maxChoices = 128;

function streamFault(source: JsonObject, call: ChatCall, memory: StreamMemory): Fault {
  return afterDelivery(refusedInside(source, call.provider, memory.headers), memory.delivered);
}

/** Members of a chunk beside its choices, in their order on the wire. */
function chunkHead(source: JsonObject, call: ChatCall): JsonObject {
  const head: JsonObject = {
    id: call.stamp.id,
    object: "chat.completion.chunk",
    created: call.stamp.created,
    model: call.stamp.model,
  };
  for (const key of ["system_fingerprint", "service_tier"]) {
    const value = readText(source[key]);
    if (value !== undefined) head[key] = value;
  }
  copyUnknown(head, source, answerKeys);
  return head;
}

function choiceMemory({ index }: JsonObject, memory: StreamMemory): [number, ChoiceMemory] {
  const position = typeof index === "number" && Number.isInteger(index) ? index : 0;
  if (position < 0 || position >= maxChoices) throw brokenOff();
  let choice = memory.choices.get(position);
  if (!choice) {
    choice = newChoiceMemory();
    memory.choices.set(position, choice);
  }
  return [position, choice];
}

type ReadChoice = {
  readonly choice: JsonObject;
  readonly tokens: number;
  /** The part of them that is audio; undefined for none. */
  readonly audioTokens: number | undefined;
  readonly finish: { readonly reason: string; readonly native: string } | undefined;
};

/** What one choice of an event adds; undefined if nothing. */
function readChoice(
  source: JsonObject,
  call: ChatCall,
  memory: StreamMemory,
): ReadChoice | undefined {
  const [index, choice] = choiceMemory(source, memory);
  if (choice.finished) return undefined;
  const said = isObject(source.delta) ? source.delta : {};
  const { delta, text, audioTokens: audioOut } = normalizeDelta(said, choice, call.request);
  const finishWord = readText(source.finish_reason);
  const logprobs = source.logprobs ?? null;
  if (finishWord === undefined && logprobs === null && Object.keys(delta).length === 0) {
    return undefined;
  }
  const sent: JsonObject = { index, delta, logprobs, finish_reason: null };
  const tokens = countDelta(text, call.provider.quirks.tokensPerDelta) + audioOut;
  const audioTokens = audioOut === 0 ? undefined : audioOut;
  if (finishWord === undefined) {
    copyUnknown(sent, source, choiceKeys);
    return { choice: sent, tokens, audioTokens, finish: undefined };
  }
  const native = readText(source.native_finish_reason) ?? finishWord;
  const reason = translateFinishReason(finishWord, choice.called);
  // A call without a name is not complete.
  if (reason === "failure" || choice.tools.calls.some(({ named }) => !named)) throw brokenOff();
  choice.finished = true;
  sent.finish_reason = reason;
  if (native !== reason) sent.native_finish_reason = native;
  copyUnknown(sent, source, choiceKeys);
  return { choice: sent, tokens, audioTokens, finish: { reason, native } };
}

/** Usage at its usual place, Groq's, or inside a choice. */
function findUsage(source: JsonObject, call: ChatCall): TokenUsage | undefined {
  const [choice] = Array.isArray(source.choices) ? source.choices : [];
  const places = [
    source.usage,
    isObject(source.x_groq) ? source.x_groq.usage : undefined,
    isObject(choice) ? choice.usage : undefined,
  ];
  for (const place of places) {
    const usage = readUsage(place, call.provider.quirks);
    if (usage) return usage;
  }
  return undefined;
}

function chunkOf(head: JsonObject, read: ReadChoice, call: ChatCall): StreamEvent {
  const chunk: JsonObject = { ...head, choices: [read.choice] };
  if (showsNoUsageYet(call.request)) chunk.usage = null;
  const { tokens, audioTokens } = read;
  return {
    kind: "chunk",
    json: JSON.stringify(chunk),
    tokens,
    ...(audioTokens && { audioTokens }),
  };
}

function deltasOf(
  { choice, tokens, audioTokens }: ReadChoice,
  { retained }: StreamMemory,
): StreamEvent {
  const deltas = readDeltas(choice);
  retained.addDeltas(deltas, tokens);
  return { kind: "deltas", deltas, tokens, ...(audioTokens && { audioTokens }) };
}

/**
 * Translates one parsed event into `out`, updating `memory`. Throws a Fault for an error event, a
 * failure as finish reason, or malformed choices; what is in `out` by then was delivered.
 */
export function normalizeChunk(
  source: JsonObject,
  call: ChatCall,
  memory: StreamMemory,
  out: StreamEvent[],
): void {
  if (isErrorBody(source)) throw streamFault(source, call, memory);
  const groq = isObject(source.x_groq) ? source.x_groq : undefined;
  if (groq && isErrorBody(groq)) throw streamFault(groq, call, memory);
  memory.upstreamId ??= readText(source.id);
  memory.serviceTier = readText(source.service_tier) ?? memory.serviceTier;
  const choices = source.choices ?? [];
  if (!Array.isArray(choices)) throw brokenOff();

  const head = choices.length > 0 ? chunkHead(source, call) : {};
  for (const entry of choices) {
    if (!isObject(entry)) throw brokenOff();
    if (isErrorBody(entry)) throw streamFault(entry, call, memory);
    const read = readChoice(entry, call, memory);
    if (!read) continue;
    out.push(isTranslated(call) ? deltasOf(read, memory) : chunkOf(head, read, call));
    if (read.tokens > 0) {
      memory.usage = undefined;
      memory.delivered = true;
    }
    if (read.finish) out.push({ kind: "finish", ...read.finish });
  }
  const withTier = (usage: TokenUsage | undefined) =>
    withSearches(
      withServiceTier(usage, call.request, memory.serviceTier),
      call.request,
      memory.choices.size,
    );
  const usage = withTier(findUsage(source, call));
  memory.usage = usage ?? withTier(memory.usage);
  if (memory.usage === undefined) return;
  if (!allFinished(memory)) {
    if (usage !== undefined) out.push({ kind: "early_usage", usage });
    return;
  }
  out.push({ kind: "usage", usage: memory.usage });
  memory.usage = undefined;
}
