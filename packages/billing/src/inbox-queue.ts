// The events of Stripe that are not processed, as operators see and change them. Processing one twice changes nothing, so
// that any of them may be tried again.
import { Fault } from "@turnpike/base";
import { type Db, stripeInbox } from "@turnpike/db";
import { and, asc, eq, gt, isNotNull, isNull, or, sql } from "drizzle-orm";

export type InboxRow = {
  readonly eventId: string;
  readonly type: string;
  readonly receivedAt: Date;
  readonly attempts: number;
  /** Null for an event that was given up. */
  readonly nextAttemptAt: Date | null;
  readonly deadAt: Date | null;
  readonly error: string | null;
};

export type InboxQueue = {
  readonly waiting: number;
  readonly oldestAt: Date | null;
  readonly dead: number;
  /** Those that failed at least once, the ones given up first. */
  readonly rows: readonly InboxRow[];
};

const rowsMax = 100;
const isUndone = isNull(stripeInbox.doneAt);

export async function readInboxQueue(db: Db): Promise<InboxQueue> {
  const isDead = isNotNull(stripeInbox.deadAt);
  const waits = isNull(stripeInbox.deadAt);
  const [counts] = await db
    .select({
      waiting: sql<number>`(count(*) filter (where ${waits}))::int`,
      oldestAt: sql<Date | null>`min(${stripeInbox.receivedAt}) filter (where ${waits})`.mapWith(
        stripeInbox.receivedAt,
      ),
      dead: sql<number>`(count(*) filter (where ${isDead}))::int`,
    })
    .from(stripeInbox)
    .where(isUndone);
  const rows = await db
    .select({
      eventId: stripeInbox.eventId,
      type: stripeInbox.type,
      receivedAt: stripeInbox.receivedAt,
      attempts: stripeInbox.attempts,
      nextAttemptAt: sql<Date | null>`case when ${waits}
        then ${stripeInbox.nextAttemptAt} end`.mapWith(stripeInbox.nextAttemptAt),
      deadAt: stripeInbox.deadAt,
      error: stripeInbox.lastError,
    })
    .from(stripeInbox)
    .where(and(isUndone, or(isDead, gt(stripeInbox.attempts, 0))))
    .orderBy(sql`${stripeInbox.deadAt} is null`, asc(stripeInbox.created), asc(stripeInbox.eventId))
    .limit(rowsMax);
  return {
    waiting: counts?.waiting ?? 0,
    oldestAt: counts?.oldestAt ?? null,
    dead: counts?.dead ?? 0,
    rows,
  };
}

/** Tries it with the next run, and as often as a new event. Throws `not_found`. */
export async function retryEvent(tx: Db, eventId: string): Promise<{ readonly type: string }> {
  const again = { attempts: 0, nextAttemptAt: sql`now()`, deadAt: null };
  return changeUndone(tx, eventId, again);
}

/** Counts as processed. What it reported is found again by the reconciliation. Throws `not_found`. */
export async function discardEvent(tx: Db, eventId: string): Promise<{ readonly type: string }> {
  return changeUndone(tx, eventId, {
    doneAt: sql`now()`,
    lastError: "discarded by an operator",
  });
}

async function changeUndone(
  tx: Db,
  eventId: string,
  values: Parameters<ReturnType<typeof tx.update<typeof stripeInbox>>["set"]>[0],
): Promise<{ readonly type: string }> {
  const [event] = await tx
    .update(stripeInbox)
    .set(values)
    .where(and(eq(stripeInbox.eventId, eventId), isUndone))
    .returning({ type: stripeInbox.type });
  if (event !== undefined) return event;
  throw new Fault("not_found", "No such event waits: it is unknown or was processed.");
}
