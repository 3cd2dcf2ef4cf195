// Deletes what is older than the log of deliveries shows: events, with their messages and attempts.

import { type Db, deleteInSlices, webhookEvents } from "@turnpike/db";
import { sql } from "drizzle-orm";

/** Each has messages and attempts, which are deleted with it. */
const eventsAtOnce = 200;

/** Events of more than 30 days ago. All of their messages have ended by then. */
export async function purgeWebhooks(db: Db): Promise<void> {
  const isOld = sql`created_at < now() - interval '30 days'`;
  await deleteInSlices(db, webhookEvents, isOld, eventsAtOnce);
}
