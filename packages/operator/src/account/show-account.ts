// One account as its page at the desk begins: money, state, members.
import { listMembers } from "@turnpike/auth";
import { type AccountId, Fault, formatUsd, toNanos } from "@turnpike/base";
import { accountMoney, accounts, type Db } from "@turnpike/db";
import { describePriceTerm } from "@turnpike/keys";
import { eq } from "drizzle-orm";

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
    frozenAt: found.frozenAt?.toISOString() ?? null,
    suspendedAt: found.suspendedAt?.toISOString() ?? null,
    closedAt: found.closedAt?.toISOString() ?? null,
    createdAt: found.createdAt.toISOString(),
    stripeCustomerId: found.stripeCustomerId,
    members: members.map(({ id: personId, email, name, role, joinedAt }) => ({
      ...{ personId, email, name, role },
      joinedAt: joinedAt.toISOString(),
    })),
  };
}
