// The keys of an account as the desk shows them: never a key, only what is shown of it.
import type { AccountId } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import { type ListedApiKey, listApiKeys } from "@turnpike/keys";
import { formatUsd } from "@turnpike/terms";

export async function listKeys(db: Db, accountId: AccountId) {
  const now = Date.now();
  const keys = (await listApiKeys(db, accountId)).map((key) => ({
    id: key.id,
    name: key.name,
    masked: key.masked,
    state: stateOf(key, now),
    spentUsd: formatUsd(key.spentNanos),
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
  }));
  return { accountId, keys };
}

function stateOf(key: ListedApiKey, now: number): "revoked" | "expired" | "disabled" | "active" {
  if (key.revokedAt !== null && key.revokedAt.getTime() <= now) return "revoked";
  if (key.expiresAt !== null && key.expiresAt.getTime() <= now) return "expired";
  return key.disabledAt === null ? "active" : "disabled";
}
