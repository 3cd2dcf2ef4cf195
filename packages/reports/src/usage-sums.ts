// The sums of every report of usage, as columns of a query over `usageFrom` and as values.
import { type Nanos, parseNanos, toNanos, zeroNanos } from "@turnpike/terms";
import { sql } from "drizzle-orm";

export type UsageSums = {
  readonly costNanos: Nanos;
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
};

export const sums = sql.raw(`
  coalesce(sum(u.charged_nanos), 0)::text as "costNanos", coalesce(sum(u.calls), 0)::float8 as requests,
  coalesce(sum(u.prompt_tokens), 0)::float8 as "promptTokens",
  coalesce(sum(u.completion_tokens), 0)::float8 as "completionTokens",
  coalesce(sum(u.cached_tokens), 0)::float8 as "cachedTokens"`);

export const errorRate = sql.raw(`
  coalesce(sum(u.calls) filter (where u.class in ('client_error', 'server_error')), 0)::float8
    / nullif(sum(u.calls), 0)::float8 as "errorRate"`);

export type SumRow = Omit<UsageSums, "costNanos"> & { readonly costNanos: string };
export function parseSums(row: SumRow): UsageSums {
  const { requests, promptTokens, completionTokens, cachedTokens } = row;
  const costNanos = parseNanos(row.costNanos);
  return { costNanos, requests, promptTokens, completionTokens, cachedTokens };
}

const zero: UsageSums = {
  costNanos: zeroNanos,
  requests: 0,
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
};

/** Zeros for nothing. */
export function sumUsage(all: readonly UsageSums[]): UsageSums {
  return all.reduce(
    (sum, one): UsageSums => ({
      costNanos: toNanos(sum.costNanos + one.costNanos),
      requests: sum.requests + one.requests,
      promptTokens: sum.promptTokens + one.promptTokens,
      completionTokens: sum.completionTokens + one.completionTokens,
      cachedTokens: sum.cachedTokens + one.cachedTokens,
    }),
    zero,
  );
}
