// Deletes what is older than the log of deliveries shows: events, with their messages and attempts.

import type { Db } from "@turnpike/db";
import { sql } from "drizzle-orm";

/** At most this many at once; an hourly run continues. */
const eventsMax = 10_000;

/** Events of more than 30 days ago. All of their messages have ended by then. */
export async function purgeWebhooks(db: Db): Promise<void> {
  await db.execute(sql`
    delete from webhook_events where (account_id, id) in (
      select account_id, id from webhook_events
       where created_at < now() - interval '30 days' order by created_at limit ${eventsMax})`);
}
