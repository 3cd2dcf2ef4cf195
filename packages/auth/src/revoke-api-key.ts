// Ends a key for good. Every instance feels it within a second (a notification), or within ten
// when the notification is lost.

import { type AccountId, type ApiKeyId, Fault } from "@turnpike/base";
import { apiKeys, type Db } from "@turnpike/db";
import { and, eq, sql } from "drizzle-orm";
import { notifyKeyChange } from "./notify-key-change.ts";

/**
 * Revokes a key; revoking it again keeps the first time. Throws `not_found`, also for a key of
 * another account where `owner` is given.
 */
export async function revokeApiKey(db: Db, id: ApiKeyId, owner?: AccountId): Promise<void> {
  const revoked = await db
    .update(apiKeys)
    .set({
      revokedAt: sql`least(${apiKeys.revokedAt}, clock_timestamp())`,
      changedAt: sql`clock_timestamp()`,
    })
    .where(and(eq(apiKeys.id, id), owner === undefined ? undefined : eq(apiKeys.accountId, owner)))
    .returning({ id: apiKeys.id });
  if (revoked.length === 0) throw new Fault("not_found", "There is no such API key.");
  await notifyKeyChange(db, id);
}
