// One account as its page at the desk begins: money, state, members.
import { listMembers } from "@turnpike/accounts";
import { type AccountId, Fault } from "@turnpike/base";
import { accountMoney, accounts, type Db, topUps } from "@turnpike/db";
import { describePriceTerm } from "@turnpike/keys";
import { formatUsd, parseNanos, toNanos } from "@turnpike/terms";
import { eq, type SQL, sql } from "drizzle-orm";

/** Throws `not_found`. */
export async function showAccount(db: Db, id: AccountId) {
  const [found] = await db
    .select({
      id: accounts.id,
      kind: accounts.kind,
      name: accounts.name,
      slug: accounts.slug,
      balanceNanos: accountMoney.balanceNanos,
      heldNanos: accountMoney.heldNanos,
      creditedNanos: accountMoney.creditedNanos,
      creditLimitNanos: accounts.creditLimitNanos,
      priceTerms: accounts.priceTerms,
      frozenAt: accounts.frozenAt,
      suspendedAt: accounts.suspendedAt,
      closedAt: accounts.closedAt,
      createdAt: accounts.createdAt,
      stripeCustomerId: accounts.stripeCustomerId,
    })
    .from(accounts)
    .innerJoin(accountMoney, eq(accountMoney.accountId, accounts.id))
    .where(eq(accounts.id, id));
  if (found === undefined) throw new Fault("not_found", "There is no such account.");
  const members = await listMembers(db, id);
  const { paidNanos, disputedNanos, evidenceDueAt } = await queryPayments(db, id);
  return {
    id: found.id,
    kind: found.kind,
    name: found.name,
    slug: found.slug,
    email: members[0]?.email ?? "",
    balanceUsd: formatUsd(found.balanceNanos),
    heldUsd: formatUsd(found.heldNanos),
    creditLimitUsd: formatUsd(found.creditLimitNanos),
    availableUsd: formatUsd(toNanos(found.balanceNanos + found.creditLimitNanos - found.heldNanos)),
    prices: (found.priceTerms ?? []).map(describePriceTerm),
    creditedUsd: formatUsd(found.creditedNanos),
    paidUsd: formatUsd(paidNanos),
    adjustedUsd: formatUsd(toNanos(found.creditedNanos - paidNanos)),
    disputedUsd: formatUsd(disputedNanos),
    evidenceDueAt,
    frozenAt: found.frozenAt?.toISOString() ?? null,
    suspendedAt: found.suspendedAt?.toISOString() ?? null,
    closedAt: found.closedAt?.toISOString() ?? null,
    createdAt: found.createdAt.toISOString(),
    stripeCustomerId: found.stripeCustomerId,
    members: members.map(({ id: personId, email, name, role, joinedAt }) => ({
      personId,
      email,
      name,
      role,
      joinedAt: joinedAt.toISOString(),
    })),
  };
}

/** What people paid, less what was refunded or disputed away; an adjustment is money that nobody paid. */
async function queryPayments(db: Db, id: AccountId) {
  const sum = (amount: SQL) => sql<string>`coalesce(sum(${amount}), 0)::text`;
  const [row] = await db
    .select({
      paid: sum(sql`${topUps.creditedNanos} - ${topUps.reversedNanos}`),
      disputed: sum(sql`${topUps.disputedNanos}`),
      dueAt: sql<Date | null>`min(${topUps.evidenceDueAt})`.mapWith(topUps.evidenceDueAt),
    })
    .from(topUps)
    .where(eq(topUps.accountId, id));
  return {
    paidNanos: parseNanos(row?.paid ?? "0"),
    disputedNanos: parseNanos(row?.disputed ?? "0"),
    /** The next time until when evidence can be sent. */
    evidenceDueAt: row?.dueAt?.toISOString() ?? null,
  };
}
