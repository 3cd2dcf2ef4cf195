// Normalizes one event of an upstream's stream: one choice per chunk, our id, model and time on each,
// one finish per choice, usage removed.

import { type Fault, isObject, type JsonObject, parseText } from "@turnpike/base";
import { answerHead, type TokenUsage } from "@turnpike/wire";
import type { StreamEvent } from "../../provider.ts";
import { hasError, meaningOf } from "../../refusals/parse-error-body.ts";
import { afterDelivery, brokenOff, endedEarly, refusedInside } from "../../refusals/refuse.ts";
import { RetainedBound } from "../retained-bound.ts";
import { writtenChatText } from "../written-text.ts";
import type { ChatCall } from "./build-request.ts";
import { type ChoiceEvent, eventOf } from "./choice-event.ts";
import { translateFinishReason } from "./finish-reason.ts";
import { type ChoiceMemory, newChoiceMemory, normalizeDelta } from "./normalize-delta.ts";
import { answerKeys, copyUnknown, parseMessage } from "./parse-content.ts";
import { parseUsage, withSearches, withServiceTier } from "./parse-usage.ts";
import type { HeldFinish } from "./release-finishes.ts";
import { renameCalls } from "./rename-calls.ts";
import { SaidMessages } from "./said-messages.ts";

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
  /** By choice, why it ended; of several the last counts. */
  readonly finishes: Map<number, HeldFinish>;
  /** For the whole answer. */
  readonly headers: Headers;
  /** The last event that said something and was neither an error nor part of the answer. */
  notice: JsonObject | undefined;
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
    finishes: new Map(),
    headers,
    notice: undefined,
    retained: new RetainedBound(),
  };
}

/** Whether the answer is complete: at least one choice, and none without its finish. */
export function allFinished(memory: StreamMemory): boolean {
  for (const choice of memory.choices.values()) if (!choice.finished) return false;
  return memory.choices.size > 0;
}

const choiceKeys = new Set([
  "index",
  "delta",
  "logprobs",
  "finish_reason",
  "native_finish_reason",
  "error",
  "usage",
  "message",
  "text",
  "__proto__",
]);
/** OpenAI's API reference: `n` is at most 128. */
const maxChoices = 128;

/** Why an answer ended before it was complete: a notice that nothing of an answer followed, or preceded, is the reason. */
export function whyIncomplete(call: ChatCall, memory: StreamMemory): Fault {
  const { notice, choices } = memory;
  if (notice !== undefined && choices.size === 0) return streamFault(notice, call, memory);
  return endedEarly();
}

function streamFault(source: JsonObject, call: ChatCall, memory: StreamMemory): Fault {
  return afterDelivery(refusedInside(source, call.provider, memory.headers), memory.delivered);
}

/** Members of a chunk beside its choices, in their order on the wire. */
function chunkHead(source: JsonObject, call: ChatCall): JsonObject {
  const head = answerHead(call.identity, "chat.completion.chunk");
  for (const key of ["system_fingerprint", "service_tier"]) {
    const value = parseText(source[key]);
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

/** What one choice of an event adds; undefined if nothing. Why it ends is held back. */
function parseChoice(
  source: JsonObject,
  head: JsonObject,
  call: ChatCall,
  memory: StreamMemory,
): ChoiceEvent | undefined {
  const [index, choice] = choiceMemory(source, memory);
  const said = saidBy(source, choice);
  const { delta, audioOut } = normalizeDelta(said, choice, call.request);
  const word = parseText(source.finish_reason);
  if (word !== undefined) {
    if (translateFinishReason(word, choice.called) === "failure") throw brokenOff();
    choice.finished = true;
    const native = parseText(source.native_finish_reason) ?? word;
    const beside: JsonObject = {};
    copyUnknown(beside, source, choiceKeys);
    memory.finishes.set(index, { word, native, beside, head });
  }
  const logprobs = source.logprobs ?? null;
  if (logprobs === null && Object.keys(delta).length === 0) return undefined;
  const sent: JsonObject = {
    index,
    delta: renameCalls(delta, call),
    logprobs,
    finish_reason: null,
  };
  if (word === undefined) copyUnknown(sent, source, choiceKeys);
  const event = eventOf(sent, { head, call, retained: memory.retained }, audioOut);
  choice.hasDeltas ||= said === source.delta && event.tokens > 0;
  return event;
}

const nothing: JsonObject = {};

/** Its delta, unless all that it has is elsewhere. Beside deltas, a `message` repeats them. */
function saidBy(source: JsonObject, choice: ChoiceMemory): JsonObject {
  const delta = isObject(source.delta) ? source.delta : nothing;
  if (choice.hasDeltas || writtenChatText(delta) !== "") {
    if (choice.messages === undefined) return delta;
    choice.hasDeltas = true;
    return choice.messages.follow(delta);
  }
  // The texts of completions are pieces, and a piece may say the same as the one before.
  if (!isObject(source.message)) return parseMessage(source) ?? delta;
  choice.messages ??= new SaidMessages();
  return choice.messages.extend(source.message);
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
    const usage = parseUsage(place, call.provider.quirks);
    if (usage) return usage;
  }
  return undefined;
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
  isNamedError: boolean,
): void {
  const meaning = meaningOf(source, isNamedError);
  if (meaning === "error") throw streamFault(source, call, memory);
  if (meaning === "notice") {
    memory.notice = source;
    return;
  }
  const groq = isObject(source.x_groq) ? source.x_groq : undefined;
  if (groq && hasError(groq)) throw streamFault(groq, call, memory);
  memory.upstreamId ??= parseText(source.id);
  memory.serviceTier = parseText(source.service_tier) ?? memory.serviceTier;
  const choices = source.choices ?? [];
  if (!Array.isArray(choices)) throw brokenOff();

  const head = choices.length > 0 ? chunkHead(source, call) : {};
  for (const entry of choices) {
    if (!isObject(entry)) throw brokenOff();
    if (hasError(entry)) throw streamFault(entry, call, memory);
    const event = parseChoice(entry, head, call, memory);
    if (!event) continue;
    out.push(event);
    if (event.tokens > 0) {
      memory.usage = undefined;
      memory.delivered = true;
    }
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
