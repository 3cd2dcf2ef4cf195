// The outbox as its worker sees it. A claim hides a mail from other workers for a while instead of
// holding a lock while a slow SMTP server talks; a worker that dies loses only that while.
import type { MailMessage } from "@turnpike/base";
import { sql } from "drizzle-orm";
import type { Db } from "./connect.ts";

const claimSeconds = 120;
const errorCharsMax = 500;

type Claimed = {
  readonly id: string;
  readonly recipient: string;
  readonly message: MailMessage;
  readonly attempts: number;
};

/** `keepMessages`: false empties a mail once it is over, because its links are secrets. */
export function openOutboxStore(db: Db, { keepMessages }: { readonly keepMessages: boolean }) {
  const kept = keepMessages ? sql`message` : sql`jsonb_build_object('kind', message -> 'kind')`;
  return {
    async claim(limit: number): Promise<readonly Claimed[]> {
      const rows = await db.execute<Claimed>(sql`
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
    async noteSent(id: string): Promise<void> {
      await db.execute(sql`
        update outbox set sent_at = now(), last_error = null, message = ${kept} where id = ${id}`);
    },
    async noteRetry(id: string, error: string, afterMs: number): Promise<void> {
      await db.execute(sql`
        update outbox set last_error = ${error.slice(0, errorCharsMax)},
               send_after = now() + make_interval(secs => ${afterMs / 1000}::float8)
         where id = ${id}`);
    },
    async noteFailed(id: string, error: string): Promise<void> {
      await db.execute(sql`
        update outbox set failed_at = now(), last_error = ${error.slice(0, errorCharsMax)},
               message = ${kept}
         where id = ${id}`);
    },
  };
}

/** Forgets mails that were sent or given up more than 30 days ago. */
export async function purgeOutbox(db: Db): Promise<void> {
  await db.execute(sql`
    delete from outbox where coalesce(sent_at, failed_at) < now() - interval '30 days'`);
}
