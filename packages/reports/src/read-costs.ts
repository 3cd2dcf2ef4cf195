// What calls brought in and what they cost the operator, by model and provider: only for operators, over
// all accounts. Only calls whose catalogue had a cost when they ended are compared.
import { type Nanos, toNanos } from "@turnpike/base";
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

/** Includes calls placed since then. */
export async function readCosts(db: Db, since: Date): Promise<CostRow[]> {
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
        gte(requests.id, idFloor(since)),
        gte(requests.placedAt, since),
        or(gt(requests.costNanos, toNanos(0n)), isNotNull(cost)),
      ),
    )
    .groupBy(requests.model, requests.provider)
    .orderBy(asc(requests.model), asc(requests.provider));
  return rows.map(({ charged, knownCharged, cost: spent, ...row }) => ({
    ...row,
    chargedNanos: toNanos(BigInt(charged)),
    knownChargedNanos: toNanos(BigInt(knownCharged)),
    costNanos: toNanos(BigInt(spent)),
  }));
}
