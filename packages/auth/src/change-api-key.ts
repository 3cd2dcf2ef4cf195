// Changes of a key by its owner: name and limits, a pause, a new secret. Limits and what was spent
// stay with the key through a rotation, so a rotation gives nobody new money.
import { type AccountId, type ApiKeyId, Fault } from "@turnpike/base";
import { apiKeys, type Db } from "@turnpike/db";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { hashApiKey, makeApiKeyText, maskApiKey } from "./api-key-format.ts";
import { type KeyLimits, limitColumns } from "./key-limits.ts";
import { checkKeyName, type MintedApiKey } from "./mint-api-key.ts";
import { notifyKeyChange } from "./notify-key-change.ts";

export type KeyOwner = { readonly accountId: AccountId; readonly id: ApiKeyId };

/** Limits are replaced as a whole. Throws `invalid_value` and `not_found`. */
export async function updateApiKey(
  db: Db,
  owner: KeyOwner,
  change: { readonly name?: string | undefined; readonly limits?: KeyLimits | undefined },
): Promise<void> {
  await changeKey(db, owner, {
    ...(change.name !== undefined && { name: checkKeyName(change.name) }),
    ...(change.limits !== undefined && limitColumns(change.limits)),
  });
}

/** A disabled key is refused until it is enabled again. Throws `not_found`. */
export async function setApiKeyDisabled(db: Db, owner: KeyOwner, disabled: boolean): Promise<void> {
  await changeKey(db, owner, { disabledAt: disabled ? sql`clock_timestamp()` : null });
}

/** A new secret; the old one works for `graceSeconds` more. Throws `not_found`. */
export async function rotateApiKey(
  db: Db,
  owner: KeyOwner,
  graceSeconds: number,
): Promise<MintedApiKey> {
  const key = makeApiKeyText();
  const masked = maskApiKey(key);
  await changeKey(db, owner, {
    hash: Buffer.from(hashApiKey(key), "hex"),
    masked,
    previousHash: graceSeconds === 0 ? null : sql`${apiKeys.hash}`,
    previousUntil:
      graceSeconds === 0
        ? null
        : sql`clock_timestamp() + ${graceSeconds}::int * interval '1 second'`,
  });
  return { id: owner.id, key, masked };
}

/** Ends the secret before the last rotation at once. Throws `not_found`. */
export async function endPreviousSecret(db: Db, owner: KeyOwner): Promise<void> {
  await changeKey(db, owner, { previousHash: null, previousUntil: null });
}

type Changes = {
  [Column in keyof typeof apiKeys.$inferInsert]?: (typeof apiKeys.$inferInsert)[Column] | SQL;
};

async function changeKey(db: Db, owner: KeyOwner, changes: Changes): Promise<void> {
  const changed = await db
    .update(apiKeys)
    .set({ ...changes, changedAt: sql`clock_timestamp()` })
    .where(
      and(
        eq(apiKeys.accountId, owner.accountId),
        eq(apiKeys.id, owner.id),
        isNull(apiKeys.revokedAt),
      ),
    )
    .returning({ id: apiKeys.id });
  if (changed.length === 0) throw new Fault("not_found", "There is no such API key.");
  await notifyKeyChange(db, owner.id);
}
