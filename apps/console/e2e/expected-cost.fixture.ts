// The expected cost of calls, computed independently from tokens and prices in billionths of a dollar; and
// exact sums of the amounts that pages and files show.
import { nanosPerToken } from "./catalog.fixture.ts";

type ModelId = keyof typeof nanosPerToken;

/** From the `usage` of an answer. */
export function costOf(model: ModelId, usage: unknown): bigint {
  const { prompt_tokens, completion_tokens, prompt_tokens_details } = readUsage(usage);
  const cached = prompt_tokens_details?.cached_tokens ?? 0;
  const rates = nanosPerToken[model];
  return BigInt(
    (prompt_tokens - cached) * rates.input +
      cached * rates.cached +
      completion_tokens * rates.output,
  );
}

type Usage = {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number };
};

/** Guarantee: the wire defines the shape; the tests check the amounts. */
function readUsage(usage: unknown): Usage {
  return usage as Usage;
}

/** `25`, `−$0.0312`, `+$1,024.50` to billionths of a dollar; anything else throws. */
export function nanosOf(text: string): bigint {
  const match = /^([-+−]?)\$?([\d,]+)(?:\.(\d{1,9}))?$/.exec(text.trim());
  if (match === null) throw new Error(`Not an amount: ${text}`);
  const [, sign = "", whole = "", fraction = ""] = match;
  const nanos = BigInt(whole.replaceAll(",", "") + fraction.padEnd(9, "0"));
  return sign === "" || sign === "+" ? nanos : -nanos;
}

export function sumOf(amounts: readonly string[]): bigint {
  return amounts.map(nanosOf).reduce((sum, amount) => sum + amount, 0n);
}

/** `0.000136`: exact, without trailing zeros. */
export function usdOf(nanos: bigint): string {
  const digits = (nanos < 0n ? -nanos : nanos).toString().padStart(10, "0");
  const fraction = digits.slice(-9).replace(/0+$/, "");
  return `${nanos < 0n ? "-" : ""}${digits.slice(0, -9)}${fraction && `.${fraction}`}`;
}
