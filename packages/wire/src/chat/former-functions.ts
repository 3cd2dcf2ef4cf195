// `functions` and `function_call`, which `tools` and `tool_calls` replaced: for an upstream of another language they
// become what replaced them.
import { isObject, type JsonObject } from "@turnpike/base";
import { isGiven } from "../checks/check-value.ts";

/** The fields that replaced them. */
const replacements: Readonly<Record<string, string>> = {
  functions: "tools",
  function_call: "tool_choice",
};

/** The field that replaced `name`, or `name` itself. */
export function currentNameOf(name: string): string {
  return replacements[name] ?? name;
}

export type ReplacedFunctions = {
  /** The request without any of them. */
  readonly body: JsonObject;
  /** Whether calls are shown as `function_call`. */
  readonly callsFunctions: boolean;
  /** The caller's own name for a field of `body`. */
  readonly callerParam: (param: string) => string;
};

/** Undefined for a checked request that uses none of them. One that offers tools as well keeps its functions. */
export function replaceFunctions(body: JsonObject): ReplacedFunctions | undefined {
  const isFormer =
    !hasEntries(body.tools) && (hasEntries(body.functions) || isGiven(body.function_call));
  const messages: readonly unknown[] = Array.isArray(body.messages) ? body.messages : [];
  const hasCalls = messages.some(isOfFunction);
  if (!isFormer && !hasCalls) return undefined;
  const replaced = isFormer ? replaceFields(body) : { ...body };
  const positions: number[] = [];
  if (hasCalls) replaced.messages = replaceCalls(messages, positions);
  return {
    body: replaced,
    callsFunctions: isFormer,
    callerParam: (param) => callerParam(param, positions, isFormer),
  };
}

function hasEntries(list: unknown): list is readonly unknown[] {
  return Array.isArray(list) && list.length > 0;
}

function replaceFields(body: JsonObject): JsonObject {
  const { functions, function_call: choice, ...replaced } = body;
  if (!hasEntries(functions)) return replaced;
  replaced.tools = functions.map((definition) => ({ type: "function", function: definition }));
  // There was never more than one call.
  replaced.parallel_tool_calls = false;
  if (isGiven(choice)) {
    replaced.tool_choice = isObject(choice) ? { type: "function", function: choice } : choice;
  }
  return replaced;
}

function isOfFunction(message: unknown): boolean {
  return isObject(message) && (isFunctionResult(message) || isObject(message.function_call));
}

function isFunctionResult({ role }: JsonObject): boolean {
  return role === "function";
}

/**
 * Every call has its result after it, even where the caller has none. `positions` gets the position of each
 * message in the caller's list.
 */
function replaceCalls(messages: readonly unknown[], positions: number[]): JsonObject[] {
  const replaced: JsonObject[] = [];
  /** Of the call that the next message may be the result of. */
  let waiting: string | undefined;
  const push = (message: JsonObject, position: number): void => {
    replaced.push(message);
    positions.push(position);
  };
  messages.forEach((message, position) => {
    if (!isObject(message)) return;
    const answered = waiting;
    waiting = undefined;
    if (isFunctionResult(message)) {
      push(resultOf(message, answered), position);
      return;
    }
    if (answered !== undefined) push(resultOf({ content: "" }, answered), position - 1);
    const { function_call: call, ...said } = message;
    if (isObject(call) && said.tool_calls === undefined) {
      waiting = `call_${position}`;
      said.tool_calls = [{ id: waiting, type: "function", function: call }];
    }
    push(said, position);
  });
  if (waiting !== undefined) push(resultOf({ content: "" }, waiting), messages.length - 1);
  return replaced;
}

/** A result without a call before it is something that the user says. */
function resultOf({ name, content }: JsonObject, callId: string | undefined): JsonObject {
  const said = content ?? "";
  if (callId !== undefined) return { role: "tool", tool_call_id: callId, content: said };
  return { role: "user", name, content: said };
}

function callerParam(param: string, positions: readonly number[], isFormer: boolean): string {
  const own = param
    .replace(/^messages\[(\d+)\]/, (_path, at) => `messages[${positions[Number(at)] ?? at}]`)
    .replace(/^(messages\[\d+\])\.tool_calls\[0\]\.function\b/, "$1.function_call");
  if (!isFormer) return own;
  return own
    .replace(/^tools\[(\d+)\](?:\.function\b)?/, "functions[$1]")
    .replace(/^tool_choice\b(?:\.function\b)?/, "function_call")
    .replace(/^tools$/, "functions");
}
