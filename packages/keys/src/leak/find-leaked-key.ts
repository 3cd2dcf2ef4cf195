// The live key behind a text that was seen where no key should be, of either kind, locked for what is done about it.
import type { AccountId, ApiKeyId, ManagementKeyId, PersonId } from "@turnpike/base";
import { accounts, apiKeys, arrayLiteral, type Db, managementKeys } from "@turnpike/db";
import type { AccountKind } from "@turnpike/terms";
import { and, eq, gt, isNull, or, sql } from "drizzle-orm";
import { hashApiKey } from "../api-key/api-key-format.ts";

export type LeakedKey = {
  readonly accountId: AccountId;
  readonly name: string;
  readonly masked: string;
  readonly createdBy: PersonId | null;
  readonly account: {
    readonly kind: AccountKind;
    readonly slug: string;
    readonly name: string;
    readonly revokesLeakedKeys: boolean;
  };
} & (
  | {
      readonly kind: "api";
      readonly id: ApiKeyId;
      /** The secret from before the last rotation, which still works. */
      readonly isPrevious: boolean;
    }
  | { readonly kind: "management"; readonly id: ManagementKeyId }
);

const account = {
  kind: accounts.kind,
  slug: accounts.slug,
  name: accounts.name,
  revokesLeakedKeys: accounts.revokesLeakedKeys,
} as const;

/** Those of `texts` that are keys which still work, found by one statement without any lock. */
export async function findLiveKeys(db: Db, texts: readonly string[]): Promise<readonly string[]> {
  if (texts.length === 0) return [];
  const byHash = new Map(texts.map((text) => [hashApiKey(text), text]));
  const hashes = arrayLiteral([...byHash.keys()].map((hash) => `\\x${hash}`));
  const found = await db.execute<{ hash: string }>(sql`
    select encode(hash, 'hex') as hash from api_keys
     where hash = any(${hashes}::bytea[]) and revoked_at is null
    union all select encode(previous_hash, 'hex') from api_keys
     where previous_hash = any(${hashes}::bytea[])
       and previous_until > clock_timestamp() and revoked_at is null
    union all select encode(hash, 'hex') from management_keys
     where hash = any(${hashes}::bytea[]) and revoked_at is null`);
  return found.flatMap(({ hash }) => byHash.get(hash) ?? []);
}

/** Undefined for a key that is unknown or no longer works. */
export async function findLeakedKey(tx: Db, text: string): Promise<LeakedKey | undefined> {
  const hash = new Bun.CryptoHasher("sha256").update(text).digest();
  return text.startsWith("sk-tpm-") ? findManagementKey(tx, hash) : findApiKey(tx, hash);
}

async function findApiKey(tx: Db, hash: Uint8Array): Promise<LeakedKey | undefined> {
  const isPrevious = and(
    eq(apiKeys.previousHash, hash),
    gt(apiKeys.previousUntil, sql`clock_timestamp()`),
  );
  const [locked] = await tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(or(eq(apiKeys.hash, hash), isPrevious), isNull(apiKeys.revokedAt)))
    .for("no key update");
  if (locked === undefined) return undefined;
  const [found] = await tx
    .select({
      id: apiKeys.id,
      accountId: apiKeys.accountId,
      name: apiKeys.name,
      masked: apiKeys.masked,
      createdBy: apiKeys.createdBy,
      isPrevious: sql<boolean>`${apiKeys.hash} <> ${hash}`,
      account,
    })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .where(eq(apiKeys.id, locked.id));
  return found && { kind: "api", ...found };
}

async function findManagementKey(tx: Db, hash: Uint8Array): Promise<LeakedKey | undefined> {
  const [locked] = await tx
    .select({ id: managementKeys.id })
    .from(managementKeys)
    .where(and(eq(managementKeys.hash, hash), isNull(managementKeys.revokedAt)))
    .for("no key update");
  if (locked === undefined) return undefined;
  const [found] = await tx
    .select({
      id: managementKeys.id,
      accountId: managementKeys.accountId,
      name: managementKeys.name,
      masked: managementKeys.masked,
      createdBy: managementKeys.createdBy,
      account,
    })
    .from(managementKeys)
    .innerJoin(accounts, eq(accounts.id, managementKeys.accountId))
    .where(eq(managementKeys.id, locked.id));
  return found && { kind: "management", ...found };
}
