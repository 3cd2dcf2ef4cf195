// Deletes an organization for everyone who belonged to it: nobody is a member any more, its keys are revoked
// and its invitations void. What it bought and spent stays in the books, without its name.
import { type AccountId, Fault, normalizeName } from "@turnpike/base";
import { accounts, type Db, persons, recordAudit, topUps } from "@turnpike/db";
import { formatBalance } from "@turnpike/format";
import { queueMail } from "@turnpike/mail";
import { formatUsd, type Nanos, toNanos, zeroNanos } from "@turnpike/terms";
import { and, eq, gt, inArray } from "drizzle-orm";
import { type ActingOperator, auditActorOf, type Member, nameActor } from "../member/actor.ts";
import { lockMembers } from "../member/membership.ts";
import { emptyAccount } from "./empty-account.ts";

/** What may still become money. */
const statesUnderWay = ["created", "pending", "processing"] as const;

/** Nobody can spend the last fraction of a cent, so it may be left behind. */
const leftBehindMaxNanos = toNanos(10_000_000n);

/** Revokes the keys of the account, in the transaction that closes it. */
export type RevokeKeys = (tx: Db, accountId: AccountId) => Promise<unknown>;

/**
 * `name` is the name of the account as its owner, or the operator, typed it. Throws `invalid_value` for another name, and `conflict`
 * for a personal account, one that is deleted already, or while there is money in the account or on its way.
 */
export async function closeAccount(
  db: Db,
  by: Member | ActingOperator,
  input: { readonly name: string },
  revokeKeys: RevokeKeys,
): Promise<void> {
  const { account } = by;
  if (account.kind === "personal") {
    throw new Fault("conflict", "A personal account is deleted together with its person.");
  }
  if (normalizeName(input.name) !== normalizeName(account.name)) {
    throw new Fault("invalid_value", `Type the name of the organization: ${account.name}`, {
      param: "name",
    });
  }
  await db.transaction(async (tx) => {
    const members = await lockMembers(tx, account.id);
    if (members.length === 0) throw conflict("This organization is deleted already.");
    await assertNoMoney(tx, account.id);
    await revokeKeys(tx, account.id);
    await emptyAccount(tx, account.id);
    const ids = members.map(({ personId }) => personId);
    const people = await tx
      .select({ email: persons.email })
      .from(persons)
      .where(inArray(persons.id, ids));
    for (const { email } of people) {
      const mail = { accountName: account.name, by: nameActor(by) };
      await queueMail(tx, email, { kind: "account_closed", ...mail });
    }
    const entry = { accountId: account.id, by: auditActorOf(by), action: "account.close" };
    await recordAudit(tx, entry);
  });
}

/** Throws `conflict` while there is money in the account or on its way. */
export async function assertNoMoney(tx: Db, accountId: AccountId): Promise<void> {
  const [money] = await tx
    .select({ balanceNanos: accounts.balanceNanos, heldNanos: accounts.heldNanos })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  const { balanceNanos, heldNanos } = money ?? { balanceNanos: 0n, heldNanos: 0n };
  if (heldNanos > 0n) {
    throw conflict("Requests of this account are still being settled. Try again in a minute.");
  }
  if (balanceNanos < 0n) throw conflict("This account owes money. Contact support.");
  if (balanceNanos > leftBehindMaxNanos) throw conflict(describeBalance(toNanos(balanceNanos)));
  const underWay = await tx
    .select({ id: topUps.id })
    .from(topUps)
    .where(and(eq(topUps.accountId, accountId), inArray(topUps.state, statesUnderWay)));
  if (underWay.length > 0) {
    throw conflict("A payment is under way. Cancel it in the wallet, or wait until it is over.");
  }
  const refunds = await tx
    .select({ id: topUps.id })
    .from(topUps)
    .where(and(eq(topUps.accountId, accountId), gt(topUps.refundClaimedNanos, zeroNanos)));
  if (refunds.length > 0) throw conflict("A refund is under way. Try again in a few minutes.");
}

function describeBalance(balanceNanos: Nanos): string {
  return `There is still ${formatBalance(formatUsd(balanceNanos))} in the wallet. Spend it, or ask support for a refund.`;
}

function conflict(message: string): Fault {
  return new Fault("conflict", message);
}
