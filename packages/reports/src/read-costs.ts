// What calls brought in and what they cost the operator, by model and provider: only for operators, over
// all accounts. Only calls whose catalog had a cost when they ended are compared.
import { type Nanos, toNanos } from "@turnpike/base";
import { type Db, requests } from "@turnpike/db";
import { and, gt, gte, isNotNull, or, sql } from "drizzle-orm";
import { idFloor } from "./select-requests.ts";

export type CostRow = {
  readonly model: string;
  readonly provider: string;
  /** With a charge, or with a known cost: calls of free models cost the operator too. */
  readonly calls: number;
  readonly chargedNanos: Nanos;
  /** Of these calls, those whose cost is known, what they were charged, and what they cost. */
  readonly knownCalls: number;
  readonly knownChargedNanos: Nanos;
  readonly costNanos: Nanos;
};

const cost = sql`(${requests.usageDetails} ->> 'operatorCostNanos')::bigint`;

/** 80 MB of every partition. */
const slicePages = 10_000;

/**
 * Includes calls placed since then. Read in slices of so many pages, so that no statement meets its time limit however
 * many calls there are, and each page is read once. A row never moves: it is written finished.
 */
export async function readCosts(db: Db, since: Date, pages = slicePages): Promise<CostRow[]> {
  const sums = new Map<string, CostRow>();
  const end = await countPages(db);
  for (let from = 0; from < end; from += pages) {
    for (const row of await readSlice(db, since, from, from + pages)) {
      const name = `${row.model}\n${row.provider}`;
      const before = sums.get(name);
      sums.set(name, before === undefined ? row : addCosts(before, row));
    }
  }
  return [...sums.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** Of the largest partition. */
async function countPages(db: Db): Promise<number> {
  const [row] = await db.execute<{ pages: number }>(sql`
    select coalesce(max(pg_relation_size(inhrelid)), 0)::float8
           / current_setting('block_size')::int as pages
      from pg_inherits where inhparent = 'requests'::regclass`);
  return row?.pages ?? 0;
}

/** Partitions without calls since then are not read. */
async function readSlice(db: Db, since: Date, fromPage: number, toPage: number) {
  const startOf = (page: number) => sql`${`(${page},0)`}::text::tid`;
  const sum = (amount: unknown) => sql<string>`coalesce(sum(${amount}), 0)::text`;
  const rows = await db
    .select({
      model: requests.model,
      provider: requests.provider,
      calls: sql<number>`count(*)::int`,
      charged: sum(requests.chargedNanos),
      knownCalls: sql<number>`count(${cost})::int`,
      knownCharged: sql<string>`coalesce(sum(${requests.chargedNanos}) filter (where ${cost} is not null), 0)::text`,
      cost: sum(cost),
    })
    .from(requests)
    .where(
      and(
        sql`${requests}.ctid >= ${startOf(fromPage)}`,
        sql`${requests}.ctid < ${startOf(toPage)}`,
        gte(requests.id, idFloor(since)),
        gte(requests.placedAt, since),
        or(gt(requests.costNanos, toNanos(0n)), isNotNull(cost)),
      ),
    )
    .groupBy(requests.model, requests.provider);
  return rows.map(
    ({ charged, knownCharged, cost: spent, ...row }): CostRow => ({
      ...row,
      chargedNanos: toNanos(BigInt(charged)),
      knownChargedNanos: toNanos(BigInt(knownCharged)),
      costNanos: toNanos(BigInt(spent)),
    }),
  );
}

function addCosts(a: CostRow, b: CostRow): CostRow {
  return {
    model: a.model,
    provider: a.provider,
    calls: a.calls + b.calls,
    chargedNanos: toNanos(a.chargedNanos + b.chargedNanos),
    knownCalls: a.knownCalls + b.knownCalls,
    knownChargedNanos: toNanos(a.knownChargedNanos + b.knownChargedNanos),
    costNanos: toNanos(a.costNanos + b.costNanos),
  };
}
