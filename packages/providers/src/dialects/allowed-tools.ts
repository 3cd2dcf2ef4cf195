// A tool choice that allows some of the offered tools, for dialects that have no such choice or another form of it.
import { isObject, type JsonObject } from "@turnpike/base";

export type AllowedTools = {
  /** Whether one of them must be called. */
  readonly mode: "auto" | "required";
  readonly names: ReadonlySet<unknown>;
};

/** Undefined for every other choice. */
export function allowedToolsOf(choice: unknown): AllowedTools | undefined {
  if (!isObject(choice) || !isObject(choice.allowed_tools)) return undefined;
  const { mode, tools } = choice.allowed_tools;
  const allowed = Array.isArray(tools) ? tools.filter(isObject) : [];
  const names = new Set(allowed.map(nameOfTool).filter((name) => name !== undefined));
  return { mode: mode === "required" ? "required" : "auto", names };
}

/** Of a tool, or of a choice of one. */
export function nameOfTool(tool: JsonObject): unknown {
  if (isObject(tool.custom)) return tool.custom.name;
  return isObject(tool.function) ? tool.function.name : tool.name;
}
