// Chat messages as Anthropic's turns: instructions are separate, consecutive messages of one role form one
// turn, and the results of tools come first in the user's turn.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import { parseExactObject } from "@turnpike/wire";
import { inputName } from "../custom-tool.ts";
import { markError } from "../openai/fit-translated.ts";
import { reasoningTextOf } from "../openai/reasoning-history.ts";
import { isThinking, mayBeClaudes } from "./thinking-block.ts";
import { isBlank, writeParts } from "./write-parts.ts";

type Turn = { readonly role: "user" | "assistant"; readonly content: JsonObject[] };

export type Conversation = { readonly system?: JsonObject[]; readonly messages: readonly Turn[] };

type Additions = {
  /** Follows the caller's own instructions. */
  readonly instruction?: string | undefined;
  /** For a model that does not continue the beginning of an answer. */
  readonly endsWithUser: boolean;
  /** For a model that signs no thinking, and wants it back. */
  readonly keepsUnsigned?: boolean;
};

const speaks = (text: string): Turn => ({ role: "user", content: [{ type: "text", text }] });

/** Turns of the user where the conversation has none and Anthropic requires one. */
export const beginning = speaks("(The assistant begins.)");
export const continuation = speaks("(Continue.)");

export function writeConversation(
  messages: unknown,
  { instruction, endsWithUser, keepsUnsigned = false }: Additions,
): Conversation {
  const system: JsonObject[] = [];
  const turns: Turn[] = [];
  /** At the beginning of the last turn: results come before the user's text. */
  let results = 0;
  const turnOf = (role: Turn["role"]): JsonObject[] => {
    const last = turns.at(-1);
    if (last?.role === role) return last.content;
    const turn: Turn = { role, content: [] };
    turns.push(turn);
    results = 0;
    return turn.content;
  };
  /** A message that says nothing is no turn. */
  const say = (role: Turn["role"], blocks: readonly JsonObject[]) => {
    if (blocks.length === 0) return;
    const content = turnOf(role);
    // No spread: a message may have more blocks than a call can have arguments.
    for (const block of blocks) content.push(block);
  };
  for (const message of Array.isArray(messages) ? messages.filter(isObject) : []) {
    switch (message.role) {
      case "system":
      case "developer":
        system.push(...marked(message, writeParts(message.content)));
        break;
      case "assistant":
        say("assistant", writeAssistant(message, keepsUnsigned));
        break;
      case "tool":
        turnOf("user").splice(results, 0, writeResult(message));
        results += 1;
        break;
      default:
        say("user", marked(message, named(message, writeParts(message.content))));
    }
  }
  system.push(...writeParts(instruction));
  // Instructions alone are what there is to answer.
  if (turns.length === 0 && system.length > 0) {
    return { messages: [{ role: "user", content: system }] };
  }
  const said = turns.flatMap(endWithWords);
  frame(said, endsWithUser);
  return system.length === 0 ? { messages: said } : { system, messages: said };
}

/**
 * Chat completions may begin and end with what the model said; Anthropic requires a turn of the user first, newer
 * models one at the end, and older ones no white space there.
 */
function frame(turns: Turn[], endsWithUser: boolean): void {
  if (turns[0]?.role === "assistant") turns.unshift(beginning);
  const last = turns.at(-1);
  if (last === undefined || (endsWithUser && last.role === "assistant")) turns.push(continuation);
  if (last?.role !== "assistant") return;
  const block = last.content.at(-1);
  if (block?.type === "text") block.text = String(block.text).trimEnd();
}

/** The name of a participant has no field: it becomes a prefix of the text. */
function named({ name }: JsonObject, blocks: JsonObject[]): JsonObject[] {
  const participant = parseText(name);
  const at = blocks.findIndex(({ type }) => type === "text");
  const block = blocks[at];
  if (participant === undefined || block === undefined) return blocks;
  return blocks.with(at, { ...block, text: `${participant}: ${String(block.text)}` });
}

/** A cache mark of a whole message applies to its last block. */
function marked({ cache_control: mark }: JsonObject, blocks: JsonObject[]): JsonObject[] {
  const last = blocks.at(-1);
  if (isObject(mark) && last !== undefined) last.cache_control ??= mark;
  return blocks;
}

/** No answer may end in thinking; one that has nothing else is left out. */
function endWithWords(turn: Turn): Turn[] {
  if (turn.role !== "assistant") return [turn];
  const end = turn.content.findLastIndex((block) => !isThinking(block)) + 1;
  if (end === 0) return [];
  return end === turn.content.length ? [turn] : [{ ...turn, content: turn.content.slice(0, end) }];
}

/** Says what went wrong where a tool does not: Anthropic requires it of one that failed. */
const silentFailure = "The tool failed without a message.";

function writeResult(message: JsonObject): JsonObject {
  const result: JsonObject = { type: "tool_result", tool_use_id: message.tool_call_id };
  const blocks = writeParts(message.content);
  if (blocks.length > 0) result.content = blocks;
  if (message.is_error === true) result.is_error = true;
  marked(message, [result]);
  return withReason(result);
}

/** A tool that failed says so in words alone: with an image, in words instead of by the flag. */
export function withReason(result: JsonObject): JsonObject {
  const { content, is_error: failed, ...rest } = result;
  if (failed !== true) return result;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  const hasMedia = blocks.some((block) => !isObject(block) || block.type !== "text");
  if (hasMedia) return { ...rest, content: markError(content) };
  const isSilent = Array.isArray(content) ? blocks.length === 0 : isBlank(content ?? "");
  return isSilent ? { ...result, content: silentFailure } : result;
}

function writeAssistant(message: JsonObject, keepsUnsigned: boolean): JsonObject[] {
  const signed = writeReasoning(message.reasoning_details);
  const reasoning = keepsUnsigned && signed.length === 0 ? writeUnsigned(message) : signed;
  const blocks = [...reasoning, ...writeParts(message.content)];
  if (typeof message.refusal === "string" && !isBlank(message.refusal)) {
    blocks.push({ type: "text", text: message.refusal });
  }
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isObject) : [];
  return marked(message, [...blocks, ...calls.map(writeCall)]);
}

/**
 * Thinking without a signature came from another model, and so did blocks whose `format` names another:
 * Anthropic would refuse them.
 */
function writeReasoning(details: unknown): JsonObject[] {
  if (!Array.isArray(details)) return [];
  return joinFragments(details.filter(isObject)).flatMap(
    ({ type, text, signature, data, format }): JsonObject[] => {
      if (typeof format === "string" && !format.startsWith("anthropic")) return [];
      if (!mayBeClaudes(data ?? signature)) return [];
      if (type === "reasoning.encrypted") return [{ type: "redacted_thinking", data }];
      if (type !== "reasoning.text" || typeof signature !== "string") return [];
      return [{ type: "thinking", thinking: text ?? "", signature }];
    },
  );
}

function writeUnsigned(message: JsonObject): JsonObject[] {
  const thinking = reasoningTextOf(message);
  return thinking === "" ? [] : [{ type: "thinking", thinking, signature: "" }];
}

/** A client may send the fragments of a stream back unchanged: those of a block have the same index. */
function joinFragments(details: readonly JsonObject[]): JsonObject[] {
  const joined: JsonObject[] = [];
  for (const detail of details) {
    const last = joined.at(-1);
    const isNext = last === undefined || last.index !== detail.index || last.type !== detail.type;
    if (isNext || detail.index === undefined) joined.push({ ...detail });
    else Object.assign(last, detail, { text: `${last.text ?? ""}${detail.text ?? ""}` });
  }
  return joined;
}

function writeCall(call: JsonObject): JsonObject {
  const { id, cache_control: mark } = call;
  const block: JsonObject = { type: "tool_use", id, ...nameAndInput(call) };
  if (isObject(mark)) block.cache_control = mark;
  return block;
}

function nameAndInput(call: JsonObject): JsonObject {
  if (isObject(call.custom)) {
    return { name: call.custom.name, input: { [inputName]: call.custom.input } };
  }
  const called = isObject(call.function) ? call.function : {};
  const spelled = typeof called.arguments === "string" ? called.arguments.trim() : "";
  // Arguments that are not an object were refused (why-unsupported.ts).
  return { name: called.name, input: spelled === "" ? {} : (parseExactObject(spelled) ?? {}) };
}
