// Items of a response as typed deltas: text, refusals, reasoning and calls. Items of tools that a provider
// runs itself were never asked for, and are omitted for a caller of another language.
import { isObject, type JsonObject, parseObject, parseText } from "@turnpike/base";
import type { DeltaEvent } from "@turnpike/wire";
import type { Provider } from "../../provider.ts";
import { unreadable } from "../../refusals/refuse.ts";
import { inputName, inputOf } from "../custom-tool.ts";
import { newCallId } from "../openai/parse-content.ts";
import { nameCiphertext } from "./own-ciphertext.ts";
import { reasoningFormat } from "./write-input.ts";

export type CallEvent = Extract<DeltaEvent, { kind: "tool_call" }>;

/** The beginning of a call, without its arguments; undefined for every other item. */
export function beginCall(item: JsonObject, index: number): CallEvent | undefined {
  const isCustom = item.type === "custom_tool_call";
  if (!isCustom && item.type !== "function_call") return undefined;
  const id = parseText(item.call_id) ?? parseText(item.id) ?? newCallId();
  const name = parseText(item.name);
  if (name === undefined) throw unreadable();
  const begun = { kind: "tool_call", choice: 0, index, id, name, arguments: "" } as const;
  return isCustom ? { ...begun, isCustom } : begun;
}

/**
 * The call of a function that represents a custom tool, as a call of that tool. `spellings` are its
 * arguments as the upstream has sent them, each time in full; if a limit has cut a call, its arguments
 * become its input unchanged. Throws a Fault if none of them is JSON.
 */
export function endCustomCall(
  call: CallEvent,
  spellings: readonly string[],
  isCut: boolean,
): CallEvent {
  const parsed = spellings.map(parseObject).filter((args) => args !== undefined);
  const [args] = parsed.filter((each) => typeof each[inputName] === "string").concat(parsed);
  const spelled = spellings.find((text) => text !== "") ?? "";
  if (args === undefined && spelled !== "" && !isCut) throw unreadable();
  return { ...call, arguments: args === undefined ? spelled : inputOf(args), isCustom: true };
}

export function reasoningDelta(text: string): DeltaEvent {
  const signature = undefined;
  return { kind: "reasoning", choice: 0, text, signature, format: reasoningFormat };
}

const nothing: readonly DeltaEvent[] = [];

export function logprobsDelta(entries: unknown): readonly DeltaEvent[] {
  if (!Array.isArray(entries) || entries.length === 0) return nothing;
  const content = entries.filter(isObject);
  return [{ kind: "logprobs", choice: 0, logprobs: { content, refusal: null } }];
}

/** The texts and refusals of a message. */
export function parseMessageItem({ content }: JsonObject): DeltaEvent[] {
  const parts = Array.isArray(content) ? content.filter(isObject) : [];
  return parts.flatMap((part): DeltaEvent[] => {
    const text = parseText(part.text);
    if (part.type === "output_text" && text !== undefined) {
      return [{ kind: "text", choice: 0, text }, ...logprobsDelta(part.logprobs)];
    }
    const refusal = part.type === "refusal" ? parseText(part.refusal) : undefined;
    return refusal === undefined ? [] : [{ kind: "refusal", choice: 0, text: refusal }];
  });
}

/** Its summary, or else the reasoning itself. */
export function parseReasoningItem({ summary, content }: JsonObject): DeltaEvent[] {
  const text = joinTexts(summary) || joinTexts(content);
  return text === "" ? [] : [reasoningDelta(text)];
}

function joinTexts(parts: unknown): string {
  if (!Array.isArray(parts)) return "";
  const texts = parts.filter(isObject).map(({ text }) => parseText(text));
  return texts.filter((text) => text !== undefined).join("\n\n");
}

/** The part of its reasoning that OpenAI needs back. */
export function sealedReasoning(
  { id, encrypted_content: sealed }: JsonObject,
  provider: Provider,
  callsBefore: number,
): DeltaEvent[] {
  const text = parseText(sealed);
  if (text === undefined) return [];
  const data = nameCiphertext(provider, { text, callsBefore });
  const named = { id: parseText(id), format: reasoningFormat };
  return [{ kind: "reasoning_encrypted", choice: 0, data, ...named }];
}
