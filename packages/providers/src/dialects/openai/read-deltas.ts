// What a choice in OpenAI's shape says, as typed events for callers of another language. It reads
// choices that are normalised already, so it knows one spelling of each member.
import { isObject, type JsonObject, readText } from "@turnpike/base";
import { chatLanguage, type DeltaEvent, type FinishReason } from "@turnpike/wire";
import type { ChatCall } from "./ask.ts";

/** Whether the caller speaks another language than this dialect. */
export function isTranslated(call: ChatCall): boolean {
  return call.request.language !== chatLanguage;
}

/** The events of one choice, of a chunk (`delta`) or of a whole answer (`message`). */
export function readDeltas(source: JsonObject): DeltaEvent[] {
  const choice = typeof source.index === "number" ? source.index : 0;
  const said = isObject(source.delta) ? source.delta : source.message;
  const events: DeltaEvent[] = [];
  if (isObject(said)) {
    readReasoning(said, choice, events);
    const text = readText(said.content);
    if (text !== undefined) events.push({ kind: "text", choice, text });
    const refusal = readText(said.refusal);
    if (refusal !== undefined) events.push({ kind: "refusal", choice, text: refusal });
    readToolCalls(said.tool_calls, choice, events);
    if (isObject(said.audio)) events.push({ kind: "audio", choice, audio: said.audio });
  }
  if (isObject(source.logprobs)) {
    events.push({ kind: "logprobs", choice, logprobs: source.logprobs });
  }
  const reason = finishReasons.find((word) => word === source.finish_reason);
  if (reason !== undefined) events.push({ kind: "finish", choice, reason });
  return events;
}

const finishReasons: readonly FinishReason[] = [
  "stop",
  "length",
  "tool_calls",
  "content_filter",
  "function_call",
];

/** The signature is where OpenRouter puts it: in an entry of `reasoning_details`. */
function readReasoning(said: JsonObject, choice: number, events: DeltaEvent[]): void {
  const text = readText(said.reasoning_content) ?? "";
  const details = Array.isArray(said.reasoning_details) ? said.reasoning_details : [];
  let signature: string | undefined;
  for (const detail of details) {
    if (isObject(detail)) signature = readText(detail.signature) ?? signature;
  }
  if (text === "" && signature === undefined) return;
  events.push({ kind: "reasoning", choice, text, signature });
}

function readToolCalls(calls: unknown, choice: number, events: DeltaEvent[]): void {
  if (!Array.isArray(calls)) return;
  calls.forEach((call: unknown, position) => {
    if (!isObject(call)) return;
    const called = isObject(call.function) ? call.function : {};
    events.push({
      kind: "tool_call",
      choice,
      index: typeof call.index === "number" ? call.index : position,
      id: readText(call.id),
      name: readText(called.name),
      arguments: readText(called.arguments) ?? "",
    });
  });
}
