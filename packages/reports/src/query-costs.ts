// What calls brought in and what they cost the operator, by model and provider: only for operators, over
// all accounts. Only calls whose catalog had a cost when they ended are compared.
import { type Db, requests } from "@turnpike/db";
import { type Nanos, toNanos } from "@turnpike/terms";
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

/** 80 MB of every partition, also where that is spread over shards. */
const slicePages = 10_000;

/**
 * Includes calls placed since then. Read in slices of so many pages, so that no statement meets its time limit however
 * many calls there are, and each page is read once. A row never moves: it is written finished.
 */
export async function queryCosts(db: Db, since: Date, pages = slicePages): Promise<CostRow[]> {
  const sums = new Map<string, CostRow>();
  const { pages: end, shards } = await measureRequests(db);
  const ofShard = Math.ceil(pages / shards);
  for (let from = 0; from < end; from += ofShard) {
    for (const row of await querySlice(db, since, from, from + ofShard)) {
      const name = `${row.model}\n${row.provider}`;
      const before = sums.get(name);
      sums.set(name, before === undefined ? row : addCosts(before, row));
    }
  }
  return [...sums.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

type Extent = { readonly pages: number; readonly shards: number };

/** The pages of the largest partition, or of its largest shard where each is spread over the workers of Citus. */
async function measureRequests(db: Db): Promise<Extent> {
  const [spread] = await db.execute<{ distributed: boolean }>(sql`
    select are_requests_distributed() as distributed`);
  const [row] = await db.execute<Extent>(
    spread?.distributed === true ? measureShards : measurePartitions,
  );
  return row ?? { pages: 0, shards: 1 };
}

const measurePartitions = sql`
  select coalesce(max(pg_relation_size(inhrelid)), 0)::float8
         / current_setting('block_size')::int as pages, 1 as shards
    from pg_inherits where inhparent = 'requests'::regclass`;

/** On the coordinator the partitions are empty. Sizes are with indexes, so at least those of the rows. */
const measureShards = sql`
  select coalesce(max(shard_size), 0)::float8 / current_setting('block_size')::int as pages,
         greatest(1, (select count(*)::int from pg_dist_shard
                       where logicalrelid = 'requests'::regclass)) as shards
    from citus_shards
   where table_name in (select inhrelid from pg_inherits where inhparent = 'requests'::regclass)`;

/** Partitions without calls since then are not read. */
async function querySlice(db: Db, since: Date, fromPage: number, toPage: number) {
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
