// Generates the content of a scripted answer, delta by delta. Whole and streamed answers are built
// from the same steps, so both can be checked in the same way: one delta is one token.
import type { ChatBody, OfferedTool } from "./parse-chat-body.ts";
import { fieldsOf } from "./parse-chat-body.ts";
import {
  type Script,
  type ScriptedToolCall,
  scriptedToken,
  scriptedWideToken,
} from "./parse-script.ts";

export type Step = {
  choice: number;
  delta: Readonly<Record<string, unknown>>;
  /** 1 for generated content, 0 for the role and the finish. */
  tokens: 0 | 1;
  finish: string | null;
};

/** The steps of an answer; the choices of `n > 1` take turns. Endless if the script says so. */
export function* generateDeltas(script: Script, chat: ChatBody): Generator<Step> {
  let running = Array.from({ length: chat.choices }, (_, choice) =>
    generateChoice(choice, script, chat),
  );
  while (running.length > 0) {
    const still: typeof running = [];
    for (const choice of running) {
      const { value, done } = choice.next();
      if (done) continue;
      yield value;
      still.push(choice);
    }
    running = still;
  }
}

function* generateChoice(choice: number, script: Script, chat: ChatBody): Generator<Step, void> {
  const limit = script.ignoreLimit ? undefined : chat.maxTokens;
  yield { choice, delta: { role: "assistant", content: "" }, tokens: 0, finish: null };
  let tokens = 0;
  for (const delta of contentOf(script, chat)) {
    if (tokens === limit) {
      yield { choice, delta: {}, tokens: 0, finish: "length" };
      return;
    }
    tokens += 1;
    yield { choice, delta, tokens: 1, finish: null };
  }
  if (script.lastDelta) yield { choice, delta: script.lastDelta, tokens: 0, finish: null };
  if (script.finish === null) return;
  const finish = script.finish ?? (script.toolCalls ? "tool_calls" : "stop");
  yield { choice, delta: {}, tokens: 0, finish };
}

function* contentOf(script: Script, chat: ChatBody): Generator<Record<string, unknown>, void> {
  const token = script.splitUtf8 ? scriptedWideToken : scriptedToken;
  for (let count = 0; count < (script.reasoning ?? 0); count += 1) {
    const field = script.reasoningField ?? "reasoning_content";
    const details = [{ type: "reasoning.text", text: token, index: 0 }];
    yield { [field]: field === "reasoning_details" ? details : token };
  }
  for (const content of script.text === undefined ? [] : wordsOf(script.text)) yield { content };
  const deltas = script.deltas ?? (script.text === undefined && !script.toolCalls ? 5 : 0);
  for (let count = 0; script.endless || count < deltas; count += 1) yield { content: token };
  for (const [index, call] of toolCallsOf(script, chat).entries()) {
    const head = { id: `call_${index}_${call.name}`, type: "function" };
    yield { tool_calls: [{ index, ...head, function: { name: call.name, arguments: "" } }] };
    for (const fragment of call.arguments.match(/[\s\S]{1,8}/gu) ?? []) {
      yield { tool_calls: [{ index, function: { arguments: fragment } }] };
    }
  }
}

function wordsOf(text: string): readonly string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

function toolCallsOf({ toolCalls = 0 }: Script, chat: ChatBody): readonly ScriptedToolCall[] {
  if (typeof toolCalls !== "number") return toolCalls;
  return Array.from({ length: toolCalls }, (_, index) => {
    const tool = chat.tools[index % chat.tools.length];
    return tool ? callWithExamples(tool) : { name: "scripted_tool", arguments: '{"value":1}' };
  });
}

function callWithExamples(tool: OfferedTool): ScriptedToolCall {
  return { name: tool.name, arguments: JSON.stringify(exampleOf(tool.parameters) ?? {}) };
}

/** A small value that matches a simple JSON schema. */
function exampleOf(schema: unknown): unknown {
  const { type, properties, enum: options } = fieldsOf(schema);
  if (Array.isArray(options)) return options[0];
  if (type === "string") return "example";
  if (type === "number" || type === "integer") return 1;
  if (type === "boolean") return true;
  if (type === "array") return [];
  const entries = Object.entries(fieldsOf(properties));
  return Object.fromEntries(entries.map(([name, inner]) => [name, exampleOf(inner)]));
}

/** The message of a whole answer for one choice, put together from its steps. */
export function assembleMessage(steps: readonly Step[]): Record<string, unknown> {
  const texts = new Map<string, string>();
  const others = new Map<string, unknown>();
  const calls = new Map<number, { id: unknown; name: unknown; arguments: string }>();
  for (const { delta } of steps) {
    for (const [field, value] of Object.entries(delta)) {
      if (field === "annotations" || field === "audio" || field === "images")
        others.set(field, value);
      if (typeof value === "string" && field !== "role") {
        texts.set(field, (texts.get(field) ?? "") + value);
      }
    }
    const [part] = Array.isArray(delta.tool_calls) ? delta.tool_calls.map(fieldsOf) : [];
    if (!part) continue;
    const { name, arguments: fragment } = fieldsOf(part.function);
    const index = Number(part.index);
    const call = calls.get(index) ?? { id: part.id, name, arguments: "" };
    call.arguments += String(fragment);
    calls.set(index, call);
  }
  const message: Record<string, unknown> = {
    role: "assistant",
    ...Object.fromEntries([...texts, ...others]),
  };
  message.content = texts.get("content") || null;
  message.refusal = null;
  if (calls.size === 0) return message;
  message.tool_calls = [...calls.values()].map((call) => ({
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: call.arguments },
  }));
  return message;
}
