// Which output answers which call. Outputs may come long after their calls and call ids may be reused in a
// later turn, but a model must see each call answered once, right after the message that contains it.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import { brokenRule } from "../checks/body-fault.ts";

/** The outputs of each call, by the call's own item. */
export type PairedCalls = ReadonlyMap<JsonObject, readonly JsonObject[]>;

const calls = new Set(["function_call", "custom_tool_call", "tool_search_call"]);
const outputs = new Set(["function_call_output", "custom_tool_call_output", "tool_search_output"]);

export function isCall({ type }: JsonObject): boolean {
  return typeof type === "string" && calls.has(type);
}

export function isOutput({ type }: JsonObject): boolean {
  return typeof type === "string" && outputs.has(type);
}

/** Throws the Fault of a call without an output, or of an output without a call before it. */
export function pairCalls(items: readonly unknown[]): PairedCalls {
  const paired = new Map<JsonObject, JsonObject[]>();
  const latest = new Map<string, JsonObject[]>();
  for (const [index, item] of items.entries()) {
    if (!isObject(item)) continue;
    const id = parseText(item.call_id) ?? "";
    if (isCall(item)) {
      const answers: JsonObject[] = [];
      paired.set(item, answers);
      latest.set(id, answers);
    } else if (isOutput(item)) {
      const answers = latest.get(id);
      if (answers === undefined) throw withoutCall(index, id);
      answers.push(item);
    }
  }
  for (const [call, answers] of paired) {
    if (answers.length === 0) throw withoutOutput(parseText(call.call_id) ?? "");
  }
  return paired;
}

function withoutCall(index: number, id: string): Error {
  const sentence = `No tool call found for function call output with call_id ${id.slice(0, 100)}.`;
  return brokenRule(`input[${index}].call_id`, sentence);
}

function withoutOutput(id: string): Error {
  return brokenRule("input", `No tool output found for function call ${id.slice(0, 100)}.`);
}
