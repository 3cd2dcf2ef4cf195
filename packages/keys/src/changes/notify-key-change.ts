// Notifies every instance that its cached record of a key, or of all keys of an account, is outdated.
// Sent after the change is committed and never inside a money transaction: a NOTIFY serializes
// commits. A lost notification costs at most the ten seconds after which memory is read again.

import type { AccountId, ApiKeyId } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import { sql } from "drizzle-orm";

export const keyChannel = "api_keys";

export async function notifyKeyChange(db: Db, changed: ApiKeyId | AccountId): Promise<void> {
  await db.execute(sql`select pg_notify(${keyChannel}, ${changed})`);
}
