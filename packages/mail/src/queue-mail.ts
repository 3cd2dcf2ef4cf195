// Inserts a mail into the outbox, in the transaction that causes it: no mail about a change that was
// rolled back, and nothing committed without its mail.
import { type Db, outbox } from "@turnpike/db";
import type { MailMessage } from "./mail-message.ts";

export async function queueMail(db: Db, recipient: string, message: MailMessage): Promise<void> {
  await db.insert(outbox).values({ id: Bun.randomUUIDv7(), recipient, message });
}
