// The sums of every report of usage, as columns of a query over `usageFrom` and as values.
import { usageOfRequests } from "@turnpike/db";
import { type Nanos, parseNanos, toNanos, type Unit, unitNames, zeroNanos } from "@turnpike/terms";
import { sql } from "drizzle-orm";

export type UsageSums = {
  readonly costNanos: Nanos;
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  readonly units: UnitSums;
};

/** What was billed by other units; a unit is absent if nothing was. */
export type UnitSums = Readonly<Partial<Record<Unit, number>>>;

/** Of each unit, as a column of its name. */
export const unitSums = sql.raw(
  unitNames.map((unit) => `sum(u.${usageOfRequests[unit].name})::float8 as "${unit}"`).join(", "),
);

export const sums = sql`${sql.raw(`
  coalesce(sum(u.charged_nanos), 0)::text as "costNanos", coalesce(sum(u.calls), 0)::float8 as requests,
  coalesce(sum(u.prompt_tokens), 0)::float8 as "promptTokens",
  coalesce(sum(u.completion_tokens), 0)::float8 as "completionTokens",
  coalesce(sum(u.cached_tokens), 0)::float8 as "cachedTokens",`)} ${unitSums}`;

export const errorRate = sql.raw(`
  coalesce(sum(u.calls) filter (where u.class in ('client_error', 'server_error')), 0)::float8
    / nullif(sum(u.calls), 0)::float8 as "errorRate"`);

/** Null of what nothing was billed by. */
export type UnitRow = Readonly<Record<Unit, number | null>>;

export type SumRow = Omit<UsageSums, "costNanos" | "units"> &
  UnitRow & { readonly costNanos: string };

export function parseUnits(row: UnitRow): UnitSums {
  return Object.fromEntries(unitNames.flatMap((unit) => (row[unit] ? [[unit, row[unit]]] : [])));
}

export function addUnitSums(all: readonly UnitSums[]): UnitSums {
  const sums: Partial<Record<Unit, number>> = {};
  for (const one of all) {
    for (const unit of unitNames) {
      const count = one[unit];
      if (count !== undefined) sums[unit] = (sums[unit] ?? 0) + count;
    }
  }
  return sums;
}

export function parseSums(row: SumRow): UsageSums {
  const { requests, promptTokens, completionTokens, cachedTokens } = row;
  const costNanos = parseNanos(row.costNanos);
  const units = parseUnits(row);
  return { costNanos, requests, promptTokens, completionTokens, cachedTokens, units };
}

const zero: UsageSums = {
  costNanos: zeroNanos,
  requests: 0,
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  units: {},
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
      units: addUnitSums([sum.units, one.units]),
    }),
    zero,
  );
}
