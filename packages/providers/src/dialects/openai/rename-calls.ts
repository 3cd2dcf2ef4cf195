// Calls of an answer under the caller's own names of tools, where the service was sent others.
import { isObject, type JsonObject } from "@turnpike/base";
import { type ToolNames, toolNamesOf } from "../tool-names.ts";
import type { ChatCall } from "./build-request.ts";

/** Of a delta or of a message, which is returned as it is if it has none. */
export function renameCalls(said: JsonObject, { request, provider }: ChatCall): JsonObject {
  if (!Array.isArray(said.tool_calls)) return said;
  const names = toolNamesOf(request, provider.quirks.toolNames);
  if (!names.hasRenamed) return said;
  return { ...said, tool_calls: said.tool_calls.map((call) => renameCall(call, names)) };
}

function renameCall(call: unknown, names: ToolNames): unknown {
  if (!isObject(call) || !isObject(call.function)) return call;
  const { name } = call.function;
  if (typeof name !== "string") return call;
  return { ...call, function: { ...call.function, name: names.own(name) } };
}
