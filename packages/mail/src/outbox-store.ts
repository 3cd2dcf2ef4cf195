// Reads and updates the outbox. Claiming a mail hides it from other workers for two minutes, instead
// of holding a lock during a slow SMTP conversation; a worker that dies delays its mails by that long.
import { type Db, deleteInSlices, outbox } from "@turnpike/db";
import { desc, eq, sql } from "drizzle-orm";
import type { MailMessage } from "./mail-message.ts";

const claimSeconds = 120;
const errorCharsMax = 500;

export type ClaimedMail = {
  readonly id: string;
  readonly recipient: string;
  readonly message: MailMessage;
  /** Including this one. */
  readonly attempts: number;
};

export type OutboxStore = {
  /** Mails that are due, each claimed by one worker for a while. */
  readonly claim: (limit: number) => Promise<readonly ClaimedMail[]>;
  readonly noteSent: (id: string) => Promise<void>;
  readonly noteRetry: (id: string, error: string, afterMs: number) => Promise<void>;
  readonly noteFailed: (id: string, error: string) => Promise<void>;
};

/** Without `keepMessages` a mail is emptied once it was sent or given up: its links are secrets. */
export function openOutboxStore(
  db: Db,
  { keepMessages }: { readonly keepMessages: boolean },
): OutboxStore {
  const kept = keepMessages ? sql`message` : sql`jsonb_build_object('kind', message -> 'kind')`;
  return {
    async claim(limit) {
      const rows = await db.execute<ClaimedMail>(sql`
        update outbox
           set attempts = attempts + 1,
               send_after = now() + make_interval(secs => ${claimSeconds}::int)
         where id in (
           select id from outbox
            where sent_at is null and failed_at is null and send_after <= now()
            order by send_after limit ${limit} for update skip locked)
        returning id, recipient, message, attempts`);
      return [...rows];
    },
    async noteSent(id) {
      await db.execute(sql`
        update outbox set sent_at = now(), last_error = null, message = ${kept} where id = ${id}`);
    },
    async noteRetry(id, error, afterMs) {
      await db.execute(sql`
        update outbox set last_error = ${error.slice(0, errorCharsMax)},
               send_after = now() + make_interval(secs => ${afterMs / 1000}::float8)
         where id = ${id}`);
    },
    async noteFailed(id, error) {
      await db.execute(sql`
        update outbox set failed_at = now(), last_error = ${error.slice(0, errorCharsMax)},
               message = ${kept}
         where id = ${id}`);
    },
  };
}

/** Deletes mails that were sent or given up more than 30 days ago. */
export async function purgeOutbox(db: Db): Promise<void> {
  const isOld = sql`coalesce(sent_at, failed_at) < now() - interval '30 days'`;
  await deleteInSlices(db, outbox, isOld);
}

export type QueuedMail = {
  readonly id: string;
  readonly recipient: string;
  readonly message: MailMessage;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
  /** Given up: too many attempts, or the address was refused. */
  readonly failedAt: Date | null;
  /** Of the last attempt, if it failed. */
  readonly lastError: string | null;
};

/** The newest mails first, to one recipient or to all. */
export async function listMails(
  db: Db,
  { recipient, limit }: { readonly recipient?: string | undefined; readonly limit: number },
): Promise<QueuedMail[]> {
  const rows = await db
    .select({
      id: outbox.id,
      recipient: outbox.recipient,
      message: outbox.message,
      createdAt: outbox.createdAt,
      sentAt: outbox.sentAt,
      failedAt: outbox.failedAt,
      lastError: outbox.lastError,
    })
    .from(outbox)
    .where(recipient === undefined ? undefined : eq(outbox.recipient, recipient))
    .orderBy(desc(outbox.createdAt), desc(outbox.id))
    .limit(limit);
  return rows.map((row) => ({ ...row, message: readMessage(row.message) }));
}

/** Guarantee: only `queueMail` writes the column, and it accepts only a MailMessage. */
function readMessage(stored: { readonly kind: string }): MailMessage {
  return stored as MailMessage;
}
