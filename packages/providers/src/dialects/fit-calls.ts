// The calls of a chat completion's conversation and their results, as a provider accepts them: the names of tools, ids
// that no other call has, and one result for each call.
import { isObject, type JsonObject } from "@turnpike/base";
import { CallIds, type IdShapeName } from "./call-ids.ts";
import { addResult, type Growing, growing, joinAdded } from "./join-contents.ts";
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
  const fitted: Growing[] = [];
  /** The results of the last turn, by the ids that are sent. */
  const results = new Map<string, Growing>();
  for (const message of messages) {
    const { tool_call_id: own, tool_calls: calls } = message;
    if (message.role === "tool" && typeof own === "string") {
      const result = ids.result(own);
      const first = result?.isRepeated === true ? results.get(result.sent) : undefined;
      if (first !== undefined) {
        addResult(first, message);
        continue;
      }
      const sent = result?.sent ?? own;
      const only = growing(sent === own ? message : { ...message, tool_call_id: sent });
      results.set(sent, only);
      fitted.push(only);
    } else if (Array.isArray(calls) && calls.length > 0) {
      ids.beginTurn();
      results.clear();
      const sent = calls.map((call: unknown) => fitCall(call, names, ids));
      const isSame = sent.every((call, index) => call === calls[index]);
      fitted.push(growing(isSame ? message : { ...message, tool_calls: sent }));
    } else fitted.push(growing(message));
  }
  return fitted.map(joinAdded);
}

function fitCall(call: unknown, names: ToolNames, ids: CallIds): unknown {
  if (!isObject(call)) return call;
  const named = names.hasRenamed ? renameTool(call, names) : call;
  if (typeof call.id !== "string" || !isObject(named)) return named;
  const id = ids.call(call.id);
  return id === call.id ? named : { ...named, id };
}
