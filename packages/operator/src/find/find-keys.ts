// API keys by id, by the whole key, and by what of it is shown.
import { type AnyId, type ApiKeyId, parseId } from "@turnpike/base";
import { accounts, apiKeys, type Db } from "@turnpike/db";
import { hashApiKey, isApiKeyText } from "@turnpike/keys";
import { desc, eq, or, type SQL, sql } from "drizzle-orm";
import { begins, type Found, foundMax } from "./found.ts";

export async function findKeysById(db: Db, id: AnyId): Promise<readonly Found[]> {
  const keyId = parseId<ApiKeyId>(id);
  return keyId === undefined ? [] : selectKeys(db, eq(apiKeys.id, keyId));
}

/** The whole key, its beginning, its mask, or its first or last four characters. */
export async function findKeysByText(db: Db, text: string): Promise<readonly Found[]> {
  if (isApiKeyText(text)) {
    const hash = Buffer.from(hashApiKey(text), "hex");
    return selectKeys(db, or(eq(apiKeys.hash, hash), eq(apiKeys.previousHash, hash)));
  }
  const [shown = ""] = text.split(/…|\.\.\./);
  const prefix = text.startsWith("sk-") ? shown : `sk-tp-${shown}`;
  const found = await selectKeys(db, begins(apiKeys.masked, prefix.slice(0, shownChars)));
  if (text.startsWith("sk-")) return found;
  return [...found, ...(await selectKeys(db, eq(sql`right(${apiKeys.masked}, 4)`, text)))];
}

/** `sk-tp-9f2a`: more of a key is in no list. */
const shownChars = 10;

async function selectKeys(db: Db, which: SQL | undefined): Promise<readonly Found[]> {
  const rows = await db
    .select({
      id: apiKeys.id,
      accountId: apiKeys.accountId,
      name: apiKeys.name,
      masked: apiKeys.masked,
      account: accounts.name,
      revokedAt: apiKeys.revokedAt,
    })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .where(which)
    .orderBy(desc(apiKeys.createdAt))
    .limit(foundMax);
  return rows.map(({ id, accountId, name, masked, account, revokedAt }) => ({
    kind: "key",
    id,
    accountId,
    title: masked,
    detail: [name, account, revokedAt === null ? "" : "revoked"].filter(Boolean).join(", "),
  }));
}
