// A tool call as chat completions show it, whole or a fragment of one.
import type { JsonObject } from "@turnpike/base";
import type { DeltaEvent } from "../pivot.ts";

export type ToolCall = Extract<DeltaEvent, { kind: "tool_call" }>;

/** Without its `index`; a fragment without an id has no type either. */
export function presentToolCall({ id, name, isCustom, extra, ...said }: ToolCall): JsonObject {
  const spelled = isCustom ? { input: said.arguments } : { arguments: said.arguments };
  const called = name === undefined ? spelled : { name, ...spelled };
  const type = isCustom ? "custom" : "function";
  return { ...extra, ...(id !== undefined && { id, type }), [type]: called };
}
