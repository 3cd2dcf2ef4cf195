// A choice in OpenAI's shape as typed events for callers of another language. It reads
// choices that are already normalized, so it needs one spelling of each member.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import type { DeltaEvent, FinishReason } from "@turnpike/wire";
import { callKeys, copyUnknown } from "./parse-content.ts";

/** The events of one choice, of a chunk (`delta`) or of a whole answer (`message`). */
export function parseDeltas(source: JsonObject): DeltaEvent[] {
  const choice = typeof source.index === "number" ? source.index : 0;
  const said = isObject(source.delta) ? source.delta : source.message;
  const events: DeltaEvent[] = [];
  if (isObject(said)) {
    parseReasoning(said, choice, events);
    const text = parseText(said.content);
    if (text !== undefined) events.push({ kind: "text", choice, text });
    const refusal = parseText(said.refusal);
    if (refusal !== undefined) events.push({ kind: "refusal", choice, text: refusal });
    parseToolCalls(said.tool_calls, choice, events);
    if (isObject(said.audio)) events.push({ kind: "audio", choice, audio: said.audio });
    parseImages(said.images, choice, events);
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

/** Blocks are where OpenRouter puts them, in `reasoning_details`; without any there is only the text. */
function parseReasoning(said: JsonObject, choice: number, events: DeltaEvent[]): void {
  const text = parseText(said.reasoning_content) ?? "";
  const details = Array.isArray(said.reasoning_details) ? said.reasoning_details : [];
  const blocks = details.filter(isObject).flatMap((detail) => parseDetail(detail, choice));
  const hasText = blocks.some((block) => block.kind === "reasoning" && block.text !== "");
  if (text !== "" && !hasText) {
    const [first] = blocks;
    // A signature that is beside the text instead of with it signs that text.
    if (first?.kind === "reasoning") blocks[0] = { ...first, text };
    else events.push({ kind: "reasoning", choice, text, signature: undefined });
  }
  events.push(...blocks);
}

function parseDetail(detail: JsonObject, choice: number): DeltaEvent[] {
  const data = parseText(detail.data);
  const named = parseText(detail.format);
  const format = named === undefined ? {} : { format: named };
  if (data !== undefined) {
    return [{ kind: "reasoning_encrypted", choice, data, id: parseText(detail.id), ...format }];
  }
  const text = parseText(detail.text) ?? parseText(detail.summary) ?? "";
  const signature = parseText(detail.signature);
  if (text === "" && signature === undefined) return [];
  return [{ kind: "reasoning", choice, text, signature, ...format }];
}

/** Source: `images` of an assistant's message in OpenRouter's openapi.yaml. */
function parseImages(images: unknown, choice: number, events: DeltaEvent[]): void {
  if (!Array.isArray(images)) return;
  for (const image of images) {
    const { image_url: holder }: JsonObject = isObject(image) ? image : {};
    const url = isObject(holder) ? parseText(holder.url) : undefined;
    if (url !== undefined) events.push({ kind: "image", choice, url });
  }
}

function parseToolCalls(calls: unknown, choice: number, events: DeltaEvent[]): void {
  if (!Array.isArray(calls)) return;
  calls.forEach((call: unknown, position) => {
    if (!isObject(call)) return;
    const isCustom = isObject(call.custom);
    const inner = isCustom ? call.custom : call.function;
    const called = isObject(inner) ? inner : {};
    const extra: JsonObject = {};
    copyUnknown(extra, call, callKeys);
    events.push({
      kind: "tool_call",
      choice,
      index: typeof call.index === "number" ? call.index : position,
      id: parseText(call.id),
      name: parseText(called.name),
      arguments: parseText(isCustom ? called.input : called.arguments) ?? "",
      ...(isCustom && { isCustom }),
      ...(Object.keys(extra).length > 0 && { extra }),
    });
  });
}
