// The keys of an account as its owner may see them: names, masks, expiry and what they spent.
// Hashes stay in the database.

import type { AccountId, ApiKeyId, PersonId } from "@turnpike/base";
import { apiKeys, type Db, keyMoney } from "@turnpike/db";
import type { Nanos } from "@turnpike/terms";
import { desc, eq } from "drizzle-orm";

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
  readonly expiresAt: Date | null;
};

/** All keys of an account, newest first, revoked ones included. */
export function listApiKeys(db: Db, accountId: AccountId): Promise<ListedApiKey[]> {
  return db
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
      expiresAt: apiKeys.expiresAt,
    })
    .from(apiKeys)
    .innerJoin(keyMoney, eq(keyMoney.keyId, apiKeys.id))
    .where(eq(apiKeys.accountId, accountId))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
}
