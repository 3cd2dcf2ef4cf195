// The history of an API key: what its owner changed, newest first.
import type { AccountId, ApiKeyId } from "@turnpike/base";
import { type Db, type KeyChangeColumns, keyChanges } from "@turnpike/db";
import { and, desc, eq } from "drizzle-orm";

export type KeyChange = { readonly at: Date; readonly changes: KeyChangeColumns };

/** At most `limit` of them; none for a key of another account. */
export async function queryKeyChanges(
  db: Db,
  accountId: AccountId,
  keyId: ApiKeyId,
  limit: number,
): Promise<KeyChange[]> {
  return db
    .select({ at: keyChanges.at, changes: keyChanges.changes })
    .from(keyChanges)
    .where(and(eq(keyChanges.accountId, accountId), eq(keyChanges.keyId, keyId)))
    .orderBy(desc(keyChanges.id))
    .limit(limit);
}
