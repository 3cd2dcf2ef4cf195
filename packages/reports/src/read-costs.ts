// What calls brought in and what they cost the operator, by model and provider: only for operators, over
// all accounts. Only calls whose catalogue had a cost when they ended are compared.
import { type AccountId, type GenerationId, type Nanos, toNanos } from "@turnpike/base";
import { type Db, requests } from "@turnpike/db";
import { and, asc, gt, gte, isNotNull, or, sql } from "drizzle-orm";
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

const sliceRows = 100_000;

type Place = { readonly accountId: AccountId; readonly id: GenerationId };

/**
 * Includes calls placed since then. Read in slices in the order of the primary key, so that no statement
 * meets its time limit however many calls there are.
 */
export async function readCosts(db: Db, since: Date, rowsMax = sliceRows): Promise<CostRow[]> {
  const sums = new Map<string, CostRow>();
  let after: Place | undefined;
  do {
    const upTo: Place | undefined = await findSliceEnd(db, since, after, rowsMax);
    for (const row of await readSlice(db, since, after, upTo)) {
      const name = `${row.model}\n${row.provider}`;
      const before = sums.get(name);
      sums.set(name, before === undefined ? row : addCosts(before, row));
    }
    after = upTo;
  } while (after !== undefined);
  return [...sums.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

const place = sql`(${requests.accountId}, ${requests.id})`;
const placeOf = ({ accountId, id }: Place) => sql`(${accountId}::uuid, ${id}::uuid)`;

function inSlice(since: Date, after: Place | undefined, upTo?: Place) {
  return and(
    gte(requests.id, idFloor(since)),
    after && sql`${place} > ${placeOf(after)}`,
    upTo && sql`${place} <= ${placeOf(upTo)}`,
  );
}

/** Undefined for the last slice. */
async function findSliceEnd(db: Db, since: Date, after: Place | undefined, rowsMax: number) {
  const [end] = await db
    .select({ accountId: requests.accountId, id: requests.id })
    .from(requests)
    .where(inSlice(since, after))
    .orderBy(asc(requests.accountId), asc(requests.id))
    .offset(rowsMax - 1)
    .limit(1);
  return end;
}

async function readSlice(db: Db, since: Date, after: Place | undefined, upTo: Place | undefined) {
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
        inSlice(since, after, upTo),
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
