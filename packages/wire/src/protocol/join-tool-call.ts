// A tool call put together from the fragments in which it is streamed, for formats that write it whole.
import type { ToolCall } from "./pivot.ts";

/** The id and the name of the first fragment that has them, and the arguments of all. */
export function joinToolCall(known: ToolCall | undefined, next: ToolCall): ToolCall {
  if (known === undefined) return next;
  const extra = known.extra ?? next.extra;
  return {
    ...known,
    id: known.id ?? next.id,
    name: known.name ?? next.name,
    arguments: known.arguments + next.arguments,
    ...(extra !== undefined && { extra }),
  };
}
