// What an account has: its balance, what is reserved of it, what it may owe, and how long that lasts at the pace of the
// last seven days. What a call cost has left the balance as soon as the call ended.
import { type AccountId, Fault } from "@turnpike/base";
import { accountMoney, accounts, type Db, entries, leases, type PriceTerm } from "@turnpike/db";
import { type Nanos, parseNanos, toNanos } from "@turnpike/terms";
import { and, eq, exists, gte, sql } from "drizzle-orm";

export type Wallet = {
  readonly balanceNanos: Nanos;
  /** Reserved for requests and not spent: for running ones, and in advance for the next ones. */
  readonly heldNanos: Nanos;
  /** How far the balance may go below zero: what the account may owe. */
  readonly creditLimitNanos: Nanos;
  /** Agreed with the operator; empty for one that pays list prices. */
  readonly priceTerms: readonly PriceTerm[];
  readonly frozen: boolean;
  /** Null while nothing is being spent. */
  readonly runwayDays: number | null;
  readonly lowBalanceAlertNanos: Nanos | null;
  /** False until money came in for the first time, or credit was granted: distinguishes a new account from a used-up one. */
  readonly funded: boolean;
};

const paceDays = 7;
const dayMs = 86_400_000;

/** Throws `not_found`. */
export async function queryWallet(db: Db, accountId: AccountId, now = new Date()): Promise<Wallet> {
  const anyEntry = db
    .select({ one: sql`1` })
    .from(entries)
    .where(and(eq(entries.accountId, accountId), eq(entries.book, "account")));
  const [account] = await db
    .select({
      funded: sql<boolean>`${exists(anyEntry)}`,
      balanceNanos: accountMoney.balanceNanos,
      heldNanos: accountMoney.heldNanos,
      creditLimitNanos: accounts.creditLimitNanos,
      priceTerms: accounts.priceTerms,
      frozenAt: accounts.frozenAt,
      lowBalanceAlertNanos: accounts.lowBalanceAlertNanos,
    })
    .from(accounts)
    .innerJoin(accountMoney, eq(accountMoney.accountId, accounts.id))
    .where(eq(accounts.id, accountId));
  if (account === undefined) throw new Fault("not_found", "There is no such account.");
  const from = new Date(now.getTime() - paceDays * dayMs);
  // Leases have one row per key and hour: an account may have millions of requests.
  const [spent] = await db
    .select({ sum: sql<string>`coalesce(sum(${leases.spentNanos}), 0)` })
    .from(leases)
    .where(and(eq(leases.accountId, accountId), gte(leases.hour, from)));
  const { balanceNanos, heldNanos, creditLimitNanos } = account;
  return {
    balanceNanos,
    heldNanos,
    creditLimitNanos,
    priceTerms: account.priceTerms ?? [],
    frozen: account.frozenAt !== null,
    runwayDays: runway(toNanos(balanceNanos + creditLimitNanos), parseNanos(spent?.sum ?? "0")),
    lowBalanceAlertNanos: account.lowBalanceAlertNanos,
    funded: account.funded || creditLimitNanos > 0n,
  };
}

function runway(spendableNanos: Nanos, spentNanos: Nanos): number | null {
  if (spentNanos <= 0n) return null;
  if (spendableNanos <= 0n) return 0;
  return Number((spendableNanos * BigInt(paceDays)) / spentNanos);
}
