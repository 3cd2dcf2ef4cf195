// Changes of a key by its owner: name and limits, disabling, a new secret. Limits and spending stay with
// the key through a rotation, so a rotation grants no new money.
import {
  type AccountId,
  type ApiKeyId,
  defaultProjectOf,
  Fault,
  type PersonId,
  type ProjectId,
} from "@turnpike/base";
import {
  type AuditActor,
  actorOf,
  apiKeys,
  type Db,
  operator,
  queueWebhook,
  recordAudit,
} from "@turnpike/db";
import { and, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { projectOfKey, requireOpenProject } from "../account/project.ts";
import { notifyKeyChange } from "../changes/notify-key-change.ts";
import type { KeyLimits, RowLimitColumns } from "../limits/key-limits.ts";
import { loosensLimits } from "../limits/loosens-limits.ts";
import { queryKeyLimits, rowLimitsOf, writeKeyLimits } from "../limits/store-key-limits.ts";
import { hashApiKey, makeApiKeyText, maskApiKey } from "./api-key-format.ts";
import { checkKeyName, type MintedApiKey } from "./mint-api-key.ts";

/** The person who changes a key in the console. */
export type KeyEditor = {
  readonly personId: PersonId;
  /** Throws `step_up_required` unless they recently proved their identity. */
  readonly requireRecentProof: () => void;
};

export type KeyOwner = {
  readonly accountId: AccountId;
  readonly id: ApiKeyId;
  /** Only if this person made the key: to everyone else it does not exist. */
  readonly ownerOfKeys?: PersonId | undefined;
  /** Only if it belongs to one of these projects. */
  readonly projectIds?: readonly ProjectId[] | undefined;
  /** Absent for an operator, who needs no step-up. */
  readonly by?: KeyEditor;
  /** For the audit log. Default: an operator. */
  readonly actor?: AuditActor;
};

/**
 * Limits are replaced as a whole; a function makes them from those before. Throws `invalid_value`, `not_found`, and `step_up_required` if
 * they let the key do more than before.
 */
export async function updateApiKey(
  db: Db,
  owner: KeyOwner,
  change: {
    readonly name?: string | undefined;
    readonly limits?: KeyLimits | ((before: KeyLimits) => KeyLimits) | undefined;
  },
): Promise<void> {
  const { limits } = change;
  const named = change.name !== undefined && { name: checkKeyName(change.name) };
  await db.transaction(async (tx) => {
    const limited = limits !== undefined && (await replaceLimits(tx, owner, limits));
    if (!(await tryChange(tx, owner, "key.change", { ...named, ...limited }))) throw noSuchKey();
  });
  await notifyKeyChange(db, owner.id);
}

/** Returns those of the row, for its next change. Locks the key first, so that the limits compared are the ones replaced. */
async function replaceLimits(
  tx: Db,
  owner: KeyOwner,
  limits: KeyLimits | ((before: KeyLimits) => KeyLimits),
): Promise<RowLimitColumns> {
  await tx.select({ id: apiKeys.id }).from(apiKeys).where(liveKeyOf(owner)).for("no key update");
  const before = await queryKeyLimits(tx, liveKeyOf(owner));
  if (before === undefined) throw noSuchKey();
  const after = typeof limits === "function" ? limits(before) : limits;
  const ofRow = rowLimitsOf(after);
  if (owner.by !== undefined && loosensLimits(before, after)) owner.by.requireRecentProof();
  await writeKeyLimits(tx, owner, after, before);
  return ofRow;
}

/** From its next call on it spends for that project. Throws `not_found`, and `conflict` for an archived one. */
export async function moveApiKey(db: Db, owner: KeyOwner, projectId: ProjectId): Promise<void> {
  const { accountId, projectIds } = owner;
  await db.transaction(async (tx) => {
    await requireOpenProject(tx, accountId, projectId, projectIds);
    const column = projectId === defaultProjectOf(accountId) ? null : projectId;
    const moved = await tryChange(tx, owner, "key.move", { projectId: column });
    if (!moved) throw noSuchKey();
  });
  await notifyKeyChange(db, owner.id);
}

/** A disabled key is refused until it is enabled again. Throws `not_found`. */
export async function setApiKeyDisabled(db: Db, owner: KeyOwner, disabled: boolean): Promise<void> {
  await changeKey(db, owner, disabled ? "key.disable" : "key.enable", {
    disabledAt: disabled ? sql`clock_timestamp()` : null,
  });
}

/**
 * A new secret; the old one works for `graceSeconds` more. Throws `not_found`, and `conflict` while
 * the previous secret still works: it was promised that time, and a key has room for two secrets.
 * Throws `step_up_required` for a key made by another person: it would show them a secret in use.
 */
export async function rotateApiKey(
  db: Db,
  owner: KeyOwner,
  graceSeconds: number,
): Promise<MintedApiKey> {
  await requireProofForForeignKey(db, owner);
  const key = makeApiKeyText();
  const masked = maskApiKey(key);
  const changes: Changes = {
    hash: Buffer.from(hashApiKey(key), "hex"),
    masked,
    shownTo: owner.by?.personId ?? null,
    previousShownTo: graceSeconds === 0 ? null : sql`${apiKeys.shownTo}`,
    previousHash: graceSeconds === 0 ? null : sql`${apiKeys.hash}`,
    previousUntil:
      graceSeconds === 0
        ? null
        : sql`clock_timestamp() + ${graceSeconds}::int * interval '1 second'`,
  };
  const previousIsOver = sql`coalesce(${apiKeys.previousUntil} <= clock_timestamp(), true)`;
  if (await tryChange(db, owner, "key.rotate", changes, previousIsOver)) {
    await notifyKeyChange(db, owner.id);
    return { id: owner.id, key, masked };
  }
  const known = await db.select({ id: apiKeys.id }).from(apiKeys).where(liveKeyOf(owner));
  if (known.length === 0) throw noSuchKey();
  throw new Fault(
    "conflict",
    "The previous secret still works. Revoke it now or wait until it expires.",
  );
}

async function requireProofForForeignKey(db: Db, owner: KeyOwner): Promise<void> {
  if (owner.by === undefined) return;
  const [key] = await db
    .select({ createdBy: apiKeys.createdBy })
    .from(apiKeys)
    .where(liveKeyOf(owner));
  if (key === undefined) throw noSuchKey();
  if (key.createdBy !== owner.by.personId) owner.by.requireRecentProof();
}

/** Ends the secret from before the last rotation immediately. Throws `not_found`. */
export async function endPreviousSecret(db: Db, owner: KeyOwner): Promise<void> {
  await changeKey(db, owner, "key.end_previous", { previousHash: null, previousUntil: null });
}

type Changes = {
  [Column in keyof typeof apiKeys.$inferInsert]?: (typeof apiKeys.$inferInsert)[Column] | SQL;
};

async function changeKey(db: Db, owner: KeyOwner, action: string, changes: Changes): Promise<void> {
  if (!(await tryChange(db, owner, action, changes))) throw noSuchKey();
  await notifyKeyChange(db, owner.id);
}

/** What changed, before and after, is in `key_changes`; the audit log says who did it. */
function tryChange(
  db: Db,
  owner: KeyOwner,
  action: string,
  changes: Changes,
  condition?: SQL,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [changed] = await tx
      .update(apiKeys)
      .set({ ...changes, changedAt: sql`clock_timestamp()` })
      .where(and(liveKeyOf(owner), condition))
      .returning({ id: apiKeys.id, name: apiKeys.name });
    if (changed === undefined) return false;
    const { accountId, actor: by = operator } = owner;
    await recordAudit(tx, { accountId, by, action, object: changed });
    if (action === "key.rotate") {
      const data = { key: changed, by: actorOf(by) };
      await queueWebhook(tx, accountId, { type: "key.rotated", data });
    }
    return true;
  });
}

export function liveKeyOf(owner: KeyOwner): SQL | undefined {
  return and(
    eq(apiKeys.accountId, owner.accountId),
    eq(apiKeys.id, owner.id),
    owner.ownerOfKeys === undefined ? undefined : eq(apiKeys.createdBy, owner.ownerOfKeys),
    owner.projectIds === undefined ? undefined : inArray(projectOfKey, [...owner.projectIds]),
    isNull(apiKeys.revokedAt),
  );
}

export function noSuchKey(): Fault {
  return new Fault("not_found", "There is no such API key.");
}
