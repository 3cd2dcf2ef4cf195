// Creates a key that spends for an account. The key itself is returned once and never stored:
// the row keeps its SHA-256 and a mask to recognize it by.

import {
  type AccountId,
  type ApiKeyId,
  defaultProjectOf,
  Fault,
  newId,
  type PersonId,
  type ProjectId,
  parseName,
} from "@turnpike/base";
import {
  type AuditActor,
  accounts,
  actorOf,
  apiKeys,
  type Db,
  operator,
  queueWebhook,
  recordAudit,
} from "@turnpike/db";
import { nameCharsMax } from "@turnpike/terms";
import { and, count, eq, isNull } from "drizzle-orm";
import { requireOpenProject } from "../account/project.ts";
import { type KeyLimits, noLimits } from "../limits/key-limits.ts";
import { rowLimitsOf, writeKeyLimits } from "../limits/store-key-limits.ts";
import { hashApiKey, makeApiKeyText, maskApiKey } from "./api-key-format.ts";

export const liveKeysMax = { personal: 100, organization: 1_000 } as const;

export type MintedApiKey = {
  readonly id: ApiKeyId;
  /** Shown once. */
  readonly key: string;
  readonly masked: string;
};

/**
 * Mints a key. Throws `invalid_value` (name, a limit), `not_found` (account, project) and `conflict` when
 * the account is deleted or has 100 keys already, an organization 1,000.
 */
export async function mintApiKey(
  db: Db,
  input: {
    readonly accountId: AccountId;
    /** The person whose rights the key shares; undefined when an operator creates it. */
    readonly createdBy: PersonId | undefined;
    readonly name: string;
    readonly limits?: KeyLimits;
    /** Default: the default project, where the maker works in it, and otherwise the first of theirs. */
    readonly projectId?: ProjectId | undefined;
    /** Who is shown the secret, if that is not whose key it is. */
    readonly shownTo?: PersonId | undefined;
    /** The projects its maker works in. Default: all. */
    readonly projectIds?: readonly ProjectId[] | undefined;
    /** Chosen by the caller, so that a repeated attempt creates one key. */
    readonly id?: ApiKeyId;
    /** Default: an operator. */
    readonly actor?: AuditActor;
  },
): Promise<MintedApiKey> {
  const name = checkKeyName(input.name);
  const { accountId, projectIds, limits = noLimits } = input;
  const projectId = input.projectId ?? projectIds?.[0] ?? defaultProjectOf(accountId);
  const key = makeApiKeyText();
  const minted = { id: input.id ?? newId<ApiKeyId>(), key, masked: maskApiKey(key) };
  await db.transaction(async (tx) => {
    await checkRoom(tx, accountId);
    await requireOpenProject(tx, accountId, projectId, projectIds);
    const inserted = await tx
      .insert(apiKeys)
      .values({
        id: minted.id,
        accountId,
        projectId: projectId === defaultProjectOf(accountId) ? null : projectId,
        createdBy: input.createdBy ?? null,
        shownTo: input.shownTo ?? input.createdBy ?? null,
        name,
        hash: Buffer.from(hashApiKey(key), "hex"),
        masked: minted.masked,
        ...rowLimitsOf(limits),
      })
      .onConflictDoNothing()
      .returning({ id: apiKeys.id });
    if (inserted.length === 0) {
      throw new Fault("conflict", "This key has already been created. Reload to see it.");
    }
    await writeKeyLimits(tx, { accountId, id: minted.id }, limits);
    const { actor: by = operator } = input;
    const object = { id: minted.id, name };
    await recordAudit(tx, { accountId, by, action: "key.create", object });
    const data = { key: object, by: actorOf(by) };
    await queueWebhook(tx, accountId, { type: "key.created", data });
  });
  return minted;
}

/** Throws `invalid_value` for an empty or long name, or one with characters that cannot be seen. */
export function checkKeyName(wished: string): string {
  const message = `A key's name has 1 to ${nameCharsMax.apiKey} characters.`;
  return parseName(wished, { charsMax: nameCharsMax.apiKey, message });
}

/** Keeps lists and caches small. The bound is exact where changes of an account run one at a time. */
async function checkRoom(db: Db, accountId: AccountId): Promise<void> {
  // A deletion that is under way revokes the keys it sees: this one waits for it.
  await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for("share");
  const [found] = await db
    .select({ kind: accounts.kind, closedAt: accounts.closedAt, live: count(apiKeys.id) })
    .from(accounts)
    .leftJoin(apiKeys, and(eq(apiKeys.accountId, accounts.id), isNull(apiKeys.revokedAt)))
    .where(eq(accounts.id, accountId))
    .groupBy(accounts.id);
  if (found === undefined) throw new Fault("not_found", "There is no such account.");
  if (found.closedAt !== null) throw new Fault("conflict", "This account has been deleted.");
  const most = liveKeysMax[found.kind];
  if (found.live < most) return;
  throw new Fault(
    "conflict",
    `This account has ${most} keys, the most it may have; revoke one first.`,
  );
}
