// The queue of mails as operators see and change it. A mail that was given up is empty, because its links are secrets: it
// is sent again by what caused it, not from here.
import { Fault } from "@turnpike/base";
import { type Db, outbox } from "@turnpike/db";
import { and, asc, desc, eq, gt, isNotNull, isNull, or, sql } from "drizzle-orm";

export type MailRow = {
  readonly id: string;
  readonly recipient: string;
  readonly kind: string;
  readonly createdAt: Date;
  readonly attempts: number;
  /** Null for a mail that was given up. */
  readonly nextAttemptAt: Date | null;
  readonly failedAt: Date | null;
  readonly error: string | null;
};

export type MailQueue = {
  readonly waiting: number;
  /** Since when the first of them waits. */
  readonly oldestAt: Date | null;
  readonly failed: number;
  /** Those that failed once or were given up; the newest given up come last. */
  readonly rows: readonly MailRow[];
};

const rowsMax = 100;
const isWaiting = and(isNull(outbox.sentAt), isNull(outbox.failedAt));

export async function readMailQueue(db: Db): Promise<MailQueue> {
  const [waiting] = await db
    .select({
      waiting: sql<number>`count(*)::int`,
      oldestAt: sql<Date | null>`min(${outbox.createdAt})`.mapWith(outbox.createdAt),
    })
    .from(outbox)
    .where(isWaiting);
  const [failed] = await db
    .select({ failed: sql<number>`count(*)::int` })
    .from(outbox)
    .where(isNotNull(outbox.failedAt));
  const rows = await db
    .select({
      id: outbox.id,
      recipient: outbox.recipient,
      kind: sql<string>`${outbox.message} ->> 'kind'`,
      createdAt: outbox.createdAt,
      attempts: outbox.attempts,
      nextAttemptAt: sql<Date | null>`case when ${outbox.failedAt} is null
        then ${outbox.sendAfter} end`.mapWith(outbox.sendAfter),
      failedAt: outbox.failedAt,
      error: outbox.lastError,
    })
    .from(outbox)
    .where(or(and(isWaiting, gt(outbox.attempts, 0)), isNotNull(outbox.failedAt)))
    .orderBy(sql`${outbox.failedAt} is not null`, desc(outbox.failedAt), asc(outbox.sendAfter))
    .limit(rowsMax);
  return {
    waiting: waiting?.waiting ?? 0,
    oldestAt: waiting?.oldestAt ?? null,
    failed: failed?.failed ?? 0,
    rows,
  };
}

/** Sends a waiting mail with the next run. Throws `not_found`. */
export async function retryMail(tx: Db, id: string): Promise<{ readonly recipient: string }> {
  return changeWaiting(tx, id, { sendAfter: sql`now()` });
}

/** Gives a waiting mail up and empties it. Throws `not_found`. */
export async function discardMail(tx: Db, id: string): Promise<{ readonly recipient: string }> {
  return changeWaiting(tx, id, {
    failedAt: sql`now()`,
    lastError: "discarded by an operator",
    message: sql`jsonb_build_object('kind', ${outbox.message} -> 'kind')`,
  });
}

async function changeWaiting(
  tx: Db,
  id: string,
  values: Parameters<ReturnType<typeof tx.update<typeof outbox>>["set"]>[0],
): Promise<{ readonly recipient: string }> {
  const [mail] = await tx
    .update(outbox)
    .set(values)
    .where(and(eq(outbox.id, id), isWaiting))
    .returning({ recipient: outbox.recipient });
  if (mail !== undefined) return mail;
  throw new Fault("not_found", "No such mail waits: it was sent, given up or discarded.");
}
