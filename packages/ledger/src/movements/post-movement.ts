// Money in and out of an account that is not usage: top-ups, refunds, disputes, adjustments. Each
// is posted once per idempotency key, no matter how often it is repeated.
import {
  type AccountId,
  Fault,
  type LedgerTransactionId,
  newId,
  type PersonId,
} from "@turnpike/base";
import type { Book, Db, LedgerProver } from "@turnpike/db";
import { type Nanos, parseNanos } from "@turnpike/terms";
import { sql } from "drizzle-orm";

export type Movement = {
  readonly accountId: AccountId;
  /** Positive credits the account, negative takes from it. */
  readonly amountNanos: Nanos;
  readonly kind: "top_up" | "refund" | "dispute" | "adjustment";
  readonly book: Exclude<Book, "account" | "usage_revenue" | "shortfall">;
  readonly idempotencyKey: string;
  readonly reason: string;
  readonly actor: string;
};

export type Posted = {
  /** False if the idempotency key had been used before: nothing moved now. */
  readonly posted: boolean;
  readonly transactionId: LedgerTransactionId;
  readonly balanceNanos: Nanos;
};

type Row = { posted: boolean; transaction_id: LedgerTransactionId | null; balance: string };

/**
 * Freezes the account if its balance no longer covers its holds, and unfreezes it when it does.
 * Throws `conflict` if the idempotency key was used for another movement: account, amount, kind or book. As the
 * server's role it needs `prove` where the database asks for proofs.
 */
export async function postMovement(
  db: Db,
  { kind, idempotencyKey, reason, actor, accountId, amountNanos, book }: Movement,
  prove?: LedgerProver,
): Promise<Posted> {
  const nanos = amountNanos.toString();
  const proof = prove?.("movement", kind, idempotencyKey, accountId, nanos, book);
  const rows = await db.execute<Row>(sql`
    select posted, transaction_id, balance::text from post_movement(
      ${newId<LedgerTransactionId>()}::uuid, ${kind}, ${idempotencyKey}, ${reason}, ${actor},
      ${accountId}::uuid, ${nanos}::bigint, ${book},
      ${proof ?? null}::bytea)`);
  return parsePosted(rows[0]);
}

/**
 * An adjustment in the name of an operator, which the server's role may post if that operator's role moves money. Without
 * a person, as on the command line, only the role that owns the tables may. Throws `conflict` as `postMovement` does.
 */
export async function postAdjustment(
  db: Db,
  by: { readonly name: string; readonly personId?: PersonId },
  adjustment: Pick<Movement, "accountId" | "amountNanos" | "idempotencyKey" | "reason">,
  prove?: LedgerProver,
): Promise<Posted> {
  const { accountId, amountNanos, idempotencyKey, reason } = adjustment;
  const { name, personId } = by;
  const nanos = amountNanos.toString();
  const proof = prove?.("adjustment", personId ?? "", idempotencyKey, accountId, nanos) ?? null;
  const rows = await db.execute<Row>(sql`
    select posted, transaction_id, balance::text from post_adjustment(
      ${newId<LedgerTransactionId>()}::uuid, ${idempotencyKey}, ${reason}, ${personId ?? null}::uuid,
      ${accountId}::uuid, ${nanos}::bigint, ${proof}::bytea, ${name})`);
  return parsePosted(rows[0]);
}

function parsePosted(row: Row | undefined): Posted {
  if (row === undefined) throw new Error("the movement returned no row");
  const { posted, transaction_id: transactionId } = row;
  if (transactionId === null) throw reused();
  return {
    posted,
    transactionId,
    balanceNanos: parseNanos(row.balance),
  };
}

function reused(): Fault {
  return new Fault("conflict", "This idempotency key was used for another movement of money.");
}
