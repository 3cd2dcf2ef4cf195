// The bill of `test/cheap`, calculated here from its prices and not by the code under test.
import { formatUsd, toNanos } from "@turnpike/terms";
import { asObject } from "./ask-server.ts";

/** Nano-dollars for the `usage` object of an answer: 100 per prompt token, 25 cached, 400 out. */
export function billCheap(usage: unknown): bigint {
  const { prompt_tokens: prompt, completion_tokens: completion, ...rest } = asObject(usage);
  const cached = Number(asObject(rest.prompt_tokens_details).cached_tokens);
  return (
    BigInt(Number(prompt) - cached) * 100n +
    BigInt(cached) * 25n +
    BigInt(Number(completion)) * 400n
  );
}

/** As `usage.cost` and `total_cost` show an amount. */
export function usdNumber(amountNanos: bigint): number {
  return Number(formatUsd(toNanos(amountNanos)));
}
