// Moves money into or out of an account that nobody paid: once per idempotency key, with its reason in the books and
// in the account's audit log. A debit takes at most what is available.
import { type AccountId, Fault } from "@turnpike/base";
import { accounts, type Db, recordAudit } from "@turnpike/db";
import { type Posted, postAdjustment } from "@turnpike/ledger";
import { formatUsd, type Nanos } from "@turnpike/terms";
import { eq } from "drizzle-orm";
import { actorOf, type Operator, type OperatorServices } from "../verb.ts";
import { queryAccount } from "./query-account.ts";

type Adjustment = {
  /** As `queryAccount` takes it. */
  readonly account: string;
  readonly usd: Nanos;
  readonly reason: string;
  /** Absent: never repeated. */
  readonly idempotencyKey?: string | undefined;
};

/**
 * Throws `conflict` for a debit of more than is available, for money to a deleted account, and for a key that was used
 * for something else.
 */
export async function adjust(services: OperatorServices, by: Operator, adjustment: Adjustment) {
  const { id: accountId } = await queryAccount(services.db, adjustment.account);
  const { posted, transactionId, balanceNanos } = await post(services, by, accountId, adjustment);
  return { accountId, posted, transactionId, balanceUsd: formatUsd(balanceNanos) };
}

async function post(
  { db, ownerDb = db, billing }: OperatorServices,
  by: Operator,
  accountId: AccountId,
  { usd: amountNanos, reason, idempotencyKey = crypto.randomUUID() }: Adjustment,
): Promise<Posted> {
  const movement = {
    accountId,
    amountNanos,
    reason: reason.trim(),
    idempotencyKey: `operator:${accountId}:${idempotencyKey}`,
  };
  // What instances reserved in advance is available too.
  if (amountNanos < 0n) await billing.recallLeases(accountId);
  return ownerDb.transaction(async (tx) => {
    const { isFrozen: wasFrozen } = await queryState(tx, accountId);
    const posted = await postAdjustment(tx, by, movement, billing.proveMovement);
    if (!posted.posted) return posted;
    const { isFrozen, isClosed } = await queryState(tx, accountId);
    if (amountNanos > 0n && isClosed) {
      throw new Fault("conflict", "This account has been deleted.", { param: "account" });
    }
    if (amountNanos < 0n && !wasFrozen && isFrozen) {
      throw new Fault("conflict", "The account does not have that much available.", {
        param: "usd",
      });
    }
    await recordAudit(tx, {
      accountId,
      by: actorOf(by, reason),
      action: amountNanos > 0n ? "account.credit" : "account.debit",
      changes: { usd: [null, formatUsd(amountNanos)] },
    });
    return posted;
  });
}

/** The ledger freezes an account whose balance does not cover what is reserved. */
async function queryState(tx: Db, id: AccountId) {
  const [row] = await tx
    .select({ frozenAt: accounts.frozenAt, closedAt: accounts.closedAt })
    .from(accounts)
    .where(eq(accounts.id, id));
  return { isFrozen: row?.frozenAt != null, isClosed: row?.closedAt != null };
}
