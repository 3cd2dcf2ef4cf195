// Reads the mails of the outbox as development shows them.
import { type Db, outbox } from "@turnpike/db";
import { desc, eq } from "drizzle-orm";
import type { MailMessage } from "./mail-message.ts";

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
  return rows.map((row) => ({ ...row, message: asMailMessage(row.message) }));
}

/** Guarantee: only `queueMail` writes the column, and it accepts only a MailMessage. */
function asMailMessage(stored: { readonly kind: string }): MailMessage {
  return stored as MailMessage;
}
