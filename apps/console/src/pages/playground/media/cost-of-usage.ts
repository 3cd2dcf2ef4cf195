// The cost that the `usage` of an answer states, as an exact decimal; undefined if it states none.
import { asRecord } from "../../../product/completions/parse-chunk.ts";

/** Charges are whole nano-dollars: this many decimals represent a number on the wire exactly. */
const nanoDecimals = 9;

export function costOfUsage(usage: unknown): string | undefined {
  const { cost } = asRecord(usage);
  return typeof cost === "number" ? cost.toFixed(nanoDecimals) : undefined;
}
