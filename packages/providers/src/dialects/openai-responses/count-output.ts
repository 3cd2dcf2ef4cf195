// Counts what a model wrote in the output of a whole response. An answer without usage is billed by this count, so
// ids, types and other members that the upstream adds count nothing.
import { isObject } from "@turnpike/base";
import { estimateTokens } from "../openai/count-tokens.ts";

/** Members of items and their parts that a model does not write, or that repeat what it wrote. */
const unwritten: ReadonlySet<string> = new Set([
  "annotations",
  "call_id",
  "encrypted_content",
  "id",
  "logprobs",
  "role",
  "status",
  "type",
]);

/** All other texts, also of items that are not known here; at least one token where there is any item. */
export function countOutput(output: readonly unknown[]): number {
  let bytes = 0;
  const left: unknown[] = [...output];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === "string") bytes += Buffer.byteLength(value);
    else if (Array.isArray(value)) for (const each of value) left.push(each);
    else if (isObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        if (!unwritten.has(name)) left.push(member);
      }
    }
  }
  return Math.max(estimateTokens(bytes), Math.min(output.length, 1));
}
