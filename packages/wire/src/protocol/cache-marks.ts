// Anthropic's marks of what a prompt's cache should keep, in a request of its own language or in a chat
// completion that is translated to it.
import { isObject } from "@turnpike/base";

/** Members of a request that may have a mark, or contain what does. */
const holders = ["system", "messages", "tools", "content", "source", "tool_calls", "function"];

/** Whether anything of a request has a mark, of whatever lifetime. */
export function hasCacheMark(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(hasCacheMark);
  if (!isObject(value)) return false;
  if (isObject(value.cache_control)) return true;
  for (const name of holders) if (hasCacheMark(value[name])) return true;
  return false;
}
