// A tool call as chat completions show it, whole or a fragment of one, and as they showed it before there were tools.
import type { JsonObject } from "@turnpike/base";
import type { DeltaEvent, ToolCall } from "../protocol/pivot.ts";

/** Without its `index`; a fragment without an id has no type either. */
export function presentToolCall({ id, name, isCustom, extra, ...said }: ToolCall): JsonObject {
  const spelled = isCustom ? { input: said.arguments } : { arguments: said.arguments };
  const called = name === undefined ? spelled : { name, ...spelled };
  const type = isCustom ? "custom" : "function";
  return { ...extra, ...(id !== undefined && { id, type }), [type]: called };
}

/** The same as the one call of an answer, for callers of functions. */
export function presentFunctionCall({ name, ...said }: ToolCall): JsonObject {
  return name === undefined ? { arguments: said.arguments } : { name, arguments: said.arguments };
}

/** An event as a caller of functions knows it; undefined for the calls after the first. */
export function asFunctionCall(event: DeltaEvent): DeltaEvent | undefined {
  if (event.kind === "tool_call") return event.index === 0 ? event : undefined;
  const isCall = event.kind === "finish" && event.reason === "tool_calls";
  return isCall ? { ...event, reason: "function_call" } : event;
}
