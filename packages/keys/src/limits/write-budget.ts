// Writes a budget: one per subject and period. What is counted of it is the database's: `acquire_leases` and
// `release_leases` count under the lock of the account or, for one of a key, of the key, which the caller holds.

import { type AccountId, type BudgetId, newId } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import type { BudgetKind, BudgetPeriod, Nanos } from "@turnpike/terms";
import { sql } from "drizzle-orm";

export type BudgetInput = {
  readonly kind: BudgetKind;
  /** The account, project, person or key. */
  readonly subjectId: string;
  readonly period: BudgetPeriod;
  readonly limitNanos: Nanos;
  /** Refuses calls beyond the limit; otherwise it only tells of them. Default: as before, of a new one true. */
  readonly hard?: boolean;
};

/** Raw SQL: the server's role may set these columns and no other. Shares of a changed limit are mailed about again. */
export async function writeBudget(
  tx: Db,
  accountId: AccountId,
  { kind, subjectId, period, limitNanos, hard }: BudgetInput,
): Promise<BudgetId> {
  const isHard = sql`${hard ?? null}::boolean`;
  const [written] = await tx.execute<{ id: BudgetId }>(sql`
    insert into budgets as b (account_id, id, kind, subject_id, period, limit_nanos, hard)
    values (${accountId}, ${newId<BudgetId>()}, ${kind}, ${subjectId}, ${period}, ${limitNanos},
            coalesce(${isHard}, true))
    on conflict (account_id, subject_id, kind, period) do update
      set limit_nanos = excluded.limit_nanos, hard = coalesce(${isHard}, b.hard), mailed_percent = 0,
          changed_at = now()
    returning id`);
  if (written === undefined) throw new Error("the budget was not written");
  return written.id;
}
