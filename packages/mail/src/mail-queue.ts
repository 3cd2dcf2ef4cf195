// The queue of mails. A mail is inserted in the transaction that causes it: no mail about a change that was rolled back, and
// nothing committed without its mail. Its links are secrets, so it is emptied once it was sent or given up; it is sent again
// by what caused it.
import { type Db, deleteInSlices, outbox } from "@turnpike/db";
import type { Queue } from "@turnpike/queue";
import { getTableName, sql } from "drizzle-orm";
import type { MailMessage } from "./mail-message.ts";

export async function queueMail(db: Db, recipient: string, message: MailMessage): Promise<void> {
  await db.insert(outbox).values({ id: Bun.randomUUIDv7(), recipient, message });
}

export type ClaimedMail = {
  readonly id: string;
  readonly recipient: string;
  readonly message: MailMessage;
  readonly attempts: number;
};

export type MailFacts = {
  readonly id: string;
  readonly recipient: string;
  readonly kind: string;
};

const minute = 60;
const hour = 60 * minute;
const waits = sql`sent_at is null and failed_at is null`;
const emptied = sql`message = jsonb_build_object('kind', message -> 'kind')`;

/** Eight attempts within 24 hours. */
export const mailQueue: Queue<ClaimedMail, MailFacts> = {
  name: "mail",
  table: getTableName(outbox),
  key: ["id"],
  keyOf: ({ id }) => [id],
  createdAt: "created_at",
  dueAt: "send_after",
  waits,
  claim: {
    seconds: 2 * minute,
    order: sql`send_after`,
    item: sql`t.id, t.recipient, t.message`,
  },
  retryAfterSeconds: [minute, 5 * minute, 15 * minute, hour, 2 * hour, 6 * hour, 12 * hour],
  done: sql`sent_at = now(), last_error = null, ${emptied}`,
  failed: (error) => sql`last_error = ${error}`,
  givenUp: sql`failed_at = now(), ${emptied}`,
  listed: {
    facts: sql`t.id, t.recipient, t.message ->> 'kind' as kind`,
    error: sql`last_error`,
    // The newest given up come last.
    order: sql`failed_at is not null, failed_at desc, send_after`,
    givenUp: { is: sql`failed_at is not null`, at: "failed_at" },
  },
  changes: {
    open: waits,
    discarded: sql`failed_at = now(), last_error = 'discarded by an operator', ${emptied}`,
    absent: "No such mail waits: it was sent, given up or discarded.",
  },
};

/** Development shows what was sent. */
export const keptMailQueue: typeof mailQueue = {
  ...mailQueue,
  done: sql`sent_at = now(), last_error = null`,
  givenUp: sql`failed_at = now()`,
};

/** Deletes mails that were sent or given up more than 30 days ago. */
export async function purgeOutbox(db: Db): Promise<void> {
  const isOld = sql`coalesce(sent_at, failed_at) < now() - interval '30 days'`;
  await deleteInSlices(db, outbox, isOld);
}
