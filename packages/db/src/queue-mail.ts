// Puts a mail into the outbox, in the transaction that causes it: no mail of what did not happen,
// and nothing that happened without its mail.
import type { MailMessage } from "@turnpike/base";
import type { Db } from "./connect.ts";
import { outbox } from "./schema/index.ts";

export async function queueMail(db: Db, recipient: string, message: MailMessage): Promise<void> {
  await db.insert(outbox).values({ id: Bun.randomUUIDv7(), recipient, message });
}
