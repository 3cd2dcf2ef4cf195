// The accounts that may owe money or do: those with a credit limit, and those that a refund or a dispute left below zero.
import { accountMoney, accounts, type Db } from "@turnpike/db";
import { formatUsd, toNanos, zeroNanos } from "@turnpike/terms";
import { eq, gt, lt, or, sql } from "drizzle-orm";

const rowsMax = 500;

/** The largest debt first. `totalUsd` is what they owe together, those beyond the rows included. */
export async function listOwing(db: Db) {
  const rows = await db
    .select({
      id: accounts.id,
      name: accounts.name,
      balanceNanos: accountMoney.balanceNanos,
      creditLimitNanos: accounts.creditLimitNanos,
      frozenAt: accounts.frozenAt,
      total: sql<string>`coalesce(-sum(least(${accountMoney.balanceNanos}, 0)) over (), 0)::text`,
    })
    .from(accounts)
    .innerJoin(accountMoney, eq(accountMoney.accountId, accounts.id))
    .where(or(gt(accounts.creditLimitNanos, zeroNanos), lt(accounts.balanceNanos, zeroNanos)))
    .orderBy(accountMoney.balanceNanos, accounts.id)
    .limit(rowsMax);
  return {
    totalUsd: formatUsd(toNanos(BigInt(rows[0]?.total ?? 0))),
    accounts: rows.map(({ id, name, balanceNanos, creditLimitNanos, frozenAt }) => ({
      accountId: id,
      name,
      balanceUsd: formatUsd(balanceNanos),
      creditLimitUsd: formatUsd(creditLimitNanos),
      frozenAt: frozenAt?.toISOString() ?? null,
    })),
  };
}
