// The calls of a chat completion's conversation and their results, as a provider accepts them: the names of tools, ids
// that no other call has, and one result for each call.
import { isObject, type JsonObject } from "@turnpike/base";
import { CallIds, type IdShapeName } from "./call-ids.ts";
import { renameOffers, renameTool, type ToolNames } from "./tool-names.ts";

/** A chat completion with the names and ids that are sent, for a dialect that writes it in another language. */
export function fitPivot(pivot: JsonObject, names: ToolNames, shape: IdShapeName): JsonObject {
  const { messages } = pivot;
  const offers = names.hasRenamed ? renameOffers(pivot, names) : {};
  if (!Array.isArray(messages)) return { ...pivot, ...offers };
  return { ...pivot, ...offers, messages: fitCalls(messages.filter(isObject), names, shape) };
}

/** Messages that need nothing stay the objects they are. */
export function fitCalls(
  messages: readonly JsonObject[],
  names: ToolNames,
  shape: IdShapeName,
): JsonObject[] {
  const ids = new CallIds(shape);
  const fitted: JsonObject[] = [];
  /** Where the results of the last turn are, by the ids that are sent. */
  const results = new Map<string, number>();
  for (const message of messages) {
    const { tool_call_id: own, tool_calls: calls } = message;
    if (message.role === "tool" && typeof own === "string") {
      const result = ids.result(own);
      const at = result?.isRepeated === true ? results.get(result.sent) : undefined;
      const first = at === undefined ? undefined : fitted[at];
      if (at !== undefined && first !== undefined) fitted[at] = joinResults(first, message);
      else {
        const sent = result?.sent ?? own;
        results.set(sent, fitted.length);
        fitted.push(sent === own ? message : { ...message, tool_call_id: sent });
      }
    } else if (Array.isArray(calls) && calls.length > 0) {
      ids.beginTurn();
      results.clear();
      const sent = calls.map((call: unknown) => fitCall(call, names, ids));
      const isSame = sent.every((call, index) => call === calls[index]);
      fitted.push(isSame ? message : { ...message, tool_calls: sent });
    } else fitted.push(message);
  }
  return fitted;
}

function fitCall(call: unknown, names: ToolNames, ids: CallIds): unknown {
  if (!isObject(call)) return call;
  const named = names.hasRenamed ? renameTool(call, names) : call;
  if (typeof call.id !== "string" || !isObject(named)) return named;
  const id = ids.call(call.id);
  return id === call.id ? named : { ...named, id };
}

/** A caller of responses may send several outputs of one call. */
function joinResults(first: JsonObject, next: JsonObject): JsonObject {
  const failed = first.is_error === true || next.is_error === true;
  const content = joinContents(first.content, next.content);
  return { ...first, content, ...(failed && { is_error: true }) };
}

export function joinContents(first: unknown, next: unknown): unknown {
  if (typeof first === "string" && typeof next === "string") {
    return [first, next].filter((text) => text !== "").join("\n\n");
  }
  return [...partsOf(first), ...partsOf(next)];
}

function partsOf(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content;
  return typeof content === "string" && content !== "" ? [{ type: "text", text: content }] : [];
}
