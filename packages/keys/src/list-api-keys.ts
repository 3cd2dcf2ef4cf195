// The keys of an account as its owner may see them: names, masks, limits and what they spent.
// Hashes stay in the database.

import type { AccountId, ApiKeyId, Nanos, PersonId } from "@turnpike/base";
import { apiKeys, type Db, keyMoney } from "@turnpike/db";
import { desc, eq } from "drizzle-orm";
import { type KeyLimits, limitSelection, readLimits } from "./key-limits.ts";

export type ListedApiKey = {
  readonly id: ApiKeyId;
  readonly name: string;
  readonly masked: string;
  readonly createdBy: PersonId | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly disabledAt: Date | null;
  readonly revokedAt: Date | null;
  readonly spentNanos: Nanos;
  readonly limits: KeyLimits;
};

/** All keys of an account, newest first, revoked ones included. */
export async function listApiKeys(db: Db, accountId: AccountId): Promise<ListedApiKey[]> {
  const rows = await db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      masked: apiKeys.masked,
      createdBy: apiKeys.createdBy,
      createdAt: apiKeys.createdAt,
      lastUsedAt: apiKeys.lastUsedAt,
      disabledAt: apiKeys.disabledAt,
      revokedAt: apiKeys.revokedAt,
      // Also what open leases have spent, as everywhere else.
      spentNanos: keyMoney.totalSpentNanos,
      ...limitSelection,
    })
    .from(apiKeys)
    .innerJoin(keyMoney, eq(keyMoney.keyId, apiKeys.id))
    .where(eq(apiKeys.accountId, accountId))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    masked: row.masked,
    createdBy: row.createdBy,
    createdAt: row.createdAt,
    lastUsedAt: row.lastUsedAt,
    disabledAt: row.disabledAt,
    revokedAt: row.revokedAt,
    spentNanos: row.spentNanos,
    limits: readLimits(row),
  }));
}
