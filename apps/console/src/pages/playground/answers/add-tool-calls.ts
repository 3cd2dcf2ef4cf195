// Tool calls arrive in fragments, each with the index of its call: id and name first, then pieces of
// the arguments.

import type { ToolCallDelta } from "../../../product/completions/parse-chunk.ts";
import type { ToolCall } from "../conversation/conversation.ts";

/** More than this is invalid, and an index determines an array's length here. */
const callsMax = 128;

export function addToolCalls(
  calls: readonly ToolCall[],
  deltas: readonly ToolCallDelta[],
): readonly ToolCall[] {
  if (deltas.length === 0) return calls;
  const added = [...calls];
  for (const { index, id, name, arguments: piece } of deltas) {
    if (!Number.isInteger(index) || index < 0 || index > Math.min(added.length, callsMax)) continue;
    const known = added[index] ?? { id: `call_${index}`, name: "", arguments: "", result: "" };
    added[index] = {
      ...known,
      id: id || known.id,
      name: name || known.name,
      arguments: known.arguments + piece,
    };
  }
  return added;
}
