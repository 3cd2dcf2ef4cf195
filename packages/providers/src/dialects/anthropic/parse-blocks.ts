// Content blocks of an Anthropic answer as typed events, for callers of another language.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import type { DeltaEvent } from "@turnpike/wire";
import { unreadable } from "../../refusals/refuse.ts";
import { inputOf } from "../custom-tool.ts";
import { translateFinishReason } from "../openai/finish-reason.ts";
import { newCallId } from "../openai/parse-content.ts";
import type { FencedJson } from "../plain-json.ts";
import type { ToolNames } from "../tool-names.ts";

/** All blocks of a whole message, in order, except what no other language can express. */
export function parseBlocks(
  content: readonly unknown[],
  customTools: ReadonlySet<unknown>,
  names: ToolNames,
  fence: FencedJson | undefined,
): DeltaEvent[] {
  const events: DeltaEvent[] = [];
  let calls = 0;
  for (const block of content) {
    if (!isObject(block)) continue;
    if (block.type === "text") addText(events, block.text, fence);
    else if (block.type === "thinking") events.push(...parseThinking(block));
    else if (block.type === "redacted_thinking") events.push(...parseRedacted(block));
    else if (block.type === "tool_use") {
      const called = beginCall(block, calls, names);
      const custom = customTools.has(called.name);
      const begun = custom ? called : { ...called, arguments: JSON.stringify(block.input ?? {}) };
      events.push(custom ? customCall(begun, block.input) : begun);
      calls += 1;
    }
  }
  return events;
}

function addText(events: DeltaEvent[], said: unknown, fence: FencedJson | undefined): void {
  const all = parseText(said);
  const text = all === undefined || fence === undefined ? all : fence.add(all) + fence.end();
  if (text !== undefined) events.push({ kind: "text", choice: 0, text });
}

function parseThinking({ thinking, signature }: JsonObject): DeltaEvent[] {
  const text = parseText(thinking) ?? "";
  const signed = parseText(signature);
  if (text === "" && signed === undefined) return [];
  return [{ kind: "reasoning", choice: 0, text, signature: signed }];
}

export function parseRedacted({ data }: JsonObject): DeltaEvent[] {
  const text = parseText(data);
  if (text === undefined) return [];
  return [{ kind: "reasoning_encrypted", choice: 0, data: text, id: undefined }];
}

export type CallEvent = Extract<DeltaEvent, { kind: "tool_call" }>;

/** Without its arguments. */
export function beginCall(block: JsonObject, index: number, names: ToolNames): CallEvent {
  const id = parseText(block.id) ?? newCallId();
  const sent = parseText(block.name);
  // No client can answer a call without a name.
  if (sent === undefined) throw unreadable();
  return { kind: "tool_call", choice: 0, index, id, name: names.own(sent), arguments: "" };
}

/**
 * The call of a function that represents a custom tool, as a call of that tool; broken JSON becomes
 * its input.
 */
export function customCall(call: CallEvent, input: unknown): CallEvent {
  const text = isObject(input) ? inputOf(input) : (parseText(input) ?? "");
  return { ...call, arguments: text, isCustom: true };
}

/** Why a message ended: the event, and the reasons to record. */
export function parseStop({ stop_reason: reason, stop_sequence: sequence }: JsonObject): {
  readonly event: DeltaEvent;
  readonly words: { readonly reason: string; readonly native: string };
} {
  const native = parseText(reason) ?? "end_turn";
  // Anthropic says `tool_use` whenever a call is to be answered, so the calls do not decide here.
  const called = native === "tool_use" ? "tools" : "nothing";
  const translated = translateFinishReason(native, called);
  const word = translated === "failure" ? "stop" : translated;
  const stopSequence = parseText(sequence);
  const event: DeltaEvent = {
    kind: "finish",
    choice: 0,
    reason: word,
    ...(stopSequence !== undefined && { stopSequence }),
  };
  return { event, words: { reason: word, native } };
}
