// The queue of Stripe's events: tried for a good hour and then given up, so that a bad event delays no other, with one more
// try at each reconciliation. Processing one twice changes nothing, so that any of them may be tried again.
import { type Db, stripeInbox } from "@turnpike/db";
import type { Queue } from "@turnpike/queue";
import { getTableName, sql } from "drizzle-orm";
import type { EventSubject, StripeEvent } from "../stripe/stripe-api.ts";

export type ClaimedEvent = {
  readonly eventId: string;
  readonly type: string;
  readonly payload: EventSubject;
  readonly attempts: number;
};

export type EventFacts = { readonly eventId: string; readonly type: string };

const isUndone = sql`done_at is null`;

export const stripeQueue: Queue<ClaimedEvent, EventFacts> = {
  name: "stripe",
  table: getTableName(stripeInbox),
  key: ["event_id"],
  keyOf: ({ eventId }) => [eventId],
  createdAt: "received_at",
  dueAt: "next_attempt_at",
  waits: sql`done_at is null and dead_at is null`,
  claim: {
    seconds: 60,
    order: sql`created, event_id`,
    item: sql`t.event_id as "eventId", t.type, t.payload`,
  },
  retryAfterSeconds: [1, 5, 30, 120, 600, 1_800, 3_600],
  done: sql`done_at = now(), last_error = null`,
  failed: (error) => sql`last_error = ${error}`,
  givenUp: sql`dead_at = now()`,
  listed: {
    facts: sql`t.event_id as "eventId", t.type`,
    error: sql`last_error`,
    order: sql`dead_at is null, created, event_id`,
    givenUp: { is: sql`dead_at is not null and done_at is null`, at: "dead_at" },
  },
  changes: {
    open: isUndone,
    // As often as a new event.
    retried: sql`attempts = 0, dead_at = null`,
    // What it reported is found again by the reconciliation.
    discarded: sql`done_at = now(), last_error = 'discarded by an operator'`,
    absent: "No such event waits: it is unknown or was processed.",
  },
};

/** Events that are already stored stay unchanged. Returns how many were new. */
export async function storeEvents(db: Db, events: readonly StripeEvent[]): Promise<number> {
  if (events.length === 0) return 0;
  const rows = events.map((event) => ({
    eventId: event.id,
    type: event.type,
    created: event.created,
    payload: event.subject ?? {},
    doneAt: event.subject === undefined ? new Date() : null,
  }));
  const stored = await db
    .insert(stripeInbox)
    .values(rows)
    .onConflictDoNothing()
    .returning({ eventId: stripeInbox.eventId });
  return stored.length;
}
