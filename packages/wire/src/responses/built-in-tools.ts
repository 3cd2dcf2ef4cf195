// The tools that a provider runs itself: they need a memory or a machine there, so each is refused by name.
import type { Fault } from "@turnpike/base";
import { unsupported } from "../checks/refuse-body.ts";

const builtInTools = new Set([
  "web_search",
  "web_search_2025_08_26",
  "web_search_preview",
  "web_search_preview_2025_03_11",
  "file_search",
  "computer",
  "computer_use",
  "computer_use_preview",
  "code_interpreter",
  "image_generation",
  "mcp",
  "local_shell",
  "shell",
  "apply_patch",
  "programmatic_tool_calling",
  "tool_search",
]);

export function isBuiltInTool(type: string): boolean {
  return builtInTools.has(type);
}

/** `path` is that of the tool's `type`. */
export function refuseBuiltInTool(path: string, type: string): Fault {
  const sentence = `'${type}' is a tool that the provider runs itself, which is not supported here. Remove it, or offer your own function.`;
  return unsupported(path, sentence);
}
