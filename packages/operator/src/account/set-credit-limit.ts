// Lets an account owe up to an amount: its requests go on when its balance is used up, and the balance goes below zero.
// What it owes already, or has reserved of it, is never outside the limit.
import { type AccountId, Fault } from "@turnpike/base";
import { accounts, type Db, recordAudit } from "@turnpike/db";
import { formatUsd, type Nanos, parseNanos, toNanos } from "@turnpike/terms";
import { eq, sql } from "drizzle-orm";
import { actorOf, type Operator, type OperatorServices } from "../verb.ts";

type CreditLimit = {
  readonly accountId: AccountId;
  readonly limitNanos: Nanos;
  readonly reason: string;
};

/** Throws `not_found`, and `conflict` for less than the account owes or has reserved beyond its balance. */
export async function setCreditLimit(
  { db, ownerDb = db, billing }: OperatorServices,
  by: Operator,
  { accountId, limitNanos, reason }: CreditLimit,
): Promise<void> {
  // What instances reserved in advance does not count as used.
  await billing.recallLeases(accountId);
  const nanos = limitNanos.toString();
  const proof =
    billing.proveMovement?.("credit_limit", by.personId ?? "", accountId, nanos) ?? null;
  await ownerDb.transaction(async (tx) => {
    await assertCoversHeld(tx, accountId, limitNanos);
    const [former] = await tx.execute<{ nanos: string }>(sql`
      select set_credit_limit(${accountId}::uuid, ${nanos}::bigint,
                              ${by.personId ?? null}::uuid, ${proof}::bytea)::text as nanos`);
    await recordAudit(tx, {
      accountId,
      by: actorOf(by, reason),
      action: "account.set_credit_limit",
      changes: { usd: [formatUsd(parseNanos(former?.nanos ?? "0")), formatUsd(limitNanos)] },
    });
  });
}

async function assertCoversHeld(tx: Db, accountId: AccountId, limitNanos: Nanos): Promise<void> {
  const { balanceNanos, heldNanos, frozenAt } = accounts;
  const [account] = await tx
    .select({ balanceNanos, heldNanos, frozenAt })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for("no key update");
  if (account === undefined) throw new Fault("not_found", "There is no such account.");
  const used = account.heldNanos - account.balanceNanos;
  if (account.frozenAt !== null || used <= limitNanos) return;
  throw new Fault(
    "conflict",
    `The account uses $${formatUsd(toNanos(used))} of its credit. Set at least that, or suspend the account until it has paid.`,
    { param: "usd" },
  );
}
