// Conversations of the playground that members share in their account: copies as they were then, sealed, bounded in size
// and number. What their text means is known to the console only, which reads it as strictly as a file.
import {
  type AccountId,
  cleanName,
  Fault,
  newId,
  type PersonId,
  SealBroken,
  type Sealer,
  type SharedConversationId,
} from "@turnpike/base";
import {
  type AuditActor,
  type Db,
  lockOpenAccount,
  persons,
  recordAudit,
  sharedConversations,
} from "@turnpike/db";
import { and, count, desc, eq, type SQL, sql } from "drizzle-orm";

/** Of one, in UTF-8, with its images. */
export const sharedBytesMax = 1_048_576;
const sharedMax = 200;
const titleCharsMax = 120;
/** Of an account, sealed: it shares the disk on which charges are written. */
const accountBytesMax = 32 * sharedBytesMax;

export type SharedConversation = {
  readonly id: SharedConversationId;
  /** Null if SEALING_KEY does not open it. */
  readonly title: string | null;
  readonly sharedBy: string;
  readonly sharedAt: Date;
  /** Whether the reader may remove it. */
  readonly mayRemove: boolean;
};

export type Sharer = {
  readonly accountId: AccountId;
  readonly personId: PersonId;
  /** Whether they may remove what others shared. */
  readonly managesAccount: boolean;
  readonly by: AuditActor;
  /** Undefined without SEALING_KEY. */
  readonly sealer: Sealer | undefined;
};

/** Throws `conflict` without SEALING_KEY and beyond 200 or 32 MiB in the account, `string_above_max_length` beyond 1 MiB. */
export async function shareConversation(
  db: Db,
  { accountId, personId, by, sealer }: Sharer,
  { title, content }: { readonly title: string; readonly content: string },
): Promise<SharedConversationId> {
  if (sealer === undefined) {
    throw new Fault(
      "conflict",
      "Conversations cannot be shared: the operator of this installation has to set SEALING_KEY first.",
    );
  }
  if (Buffer.byteLength(content) > sharedBytesMax) {
    throw new Fault(
      "string_above_max_length",
      "A shared conversation has at most 1 MB, images included. Remove some of them.",
      { param: "content" },
    );
  }
  const id = newId<SharedConversationId>();
  const place = placeOf(accountId, id);
  const sealedTitle = sealer.seal(`${place} title`, cleanName(title, titleCharsMax));
  const sealed = sealer.seal(place, content);
  await db.transaction(async (tx) => {
    await assertRoom(tx, accountId, sealed.byteLength);
    const row = { accountId, id, personId, sealedTitle, sealed };
    await tx.insert(sharedConversations).values(row);
    const object = { id, name: "" };
    await recordAudit(tx, { accountId, by, action: "conversation.share", object });
  });
  return id;
}

/** Under the account's lock, so that a closed account gets no more and the count is right. */
async function assertRoom(tx: Db, accountId: AccountId, addedBytes: number): Promise<void> {
  if (!(await lockOpenAccount(tx, accountId))) {
    throw new Fault("not_found", "There is no such account.");
  }
  const [found] = await tx
    .select({
      number: count(sharedConversations.id),
      bytes: sql<number>`coalesce(sum(octet_length(${sharedConversations.sealed})), 0)::float8`,
    })
    .from(sharedConversations)
    .where(eq(sharedConversations.accountId, accountId));
  const { number = 0, bytes = 0 } = found ?? {};
  if (number < sharedMax && bytes + addedBytes <= accountBytesMax) return;
  throw new Fault(
    "conflict",
    `An account has at most ${sharedMax} shared conversations, of 32 MB together; remove one first.`,
  );
}

/** Newest first. */
export async function listShared(db: Db, reader: Sharer): Promise<readonly SharedConversation[]> {
  const rows = await db
    .select(columns)
    .from(sharedConversations)
    .innerJoin(persons, eq(persons.id, sharedConversations.personId))
    .where(eq(sharedConversations.accountId, reader.accountId))
    .orderBy(desc(sharedConversations.id));
  return rows.map((row) => present(reader, row));
}

/** Throws `not_found` and SealBroken. */
export async function queryShared(
  db: Db,
  reader: Sharer,
  id: SharedConversationId,
): Promise<SharedConversation & { readonly content: string }> {
  const [row] = await db
    .select({ ...columns, sealed: sharedConversations.sealed })
    .from(sharedConversations)
    .innerJoin(persons, eq(persons.id, sharedConversations.personId))
    .where(rowOf(reader.accountId, id));
  if (row === undefined || reader.sealer === undefined) throw notShared();
  const content = openSharedConversation(reader.sealer, reader.accountId, id, row.sealed);
  return { ...present(reader, row), content };
}

/** For its author and for those who manage the account. Throws `not_found` and `permission_denied`. */
export async function removeShared(
  db: Db,
  { accountId, personId, managesAccount, by }: Sharer,
  id: SharedConversationId,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await tx
      .delete(sharedConversations)
      .where(rowOf(accountId, id))
      .returning({ personId: sharedConversations.personId });
    if (row === undefined) throw notShared();
    if (row.personId !== personId && !managesAccount) {
      throw new Fault(
        "permission_denied",
        "Only the person who shared a conversation, an owner or an admin can remove it.",
      );
    }
    const object = { id, name: "" };
    await recordAudit(tx, { accountId, by, action: "conversation.remove", object });
  });
}

/** Throws SealBroken. */
export function openSharedConversation(
  sealer: Sealer,
  accountId: AccountId,
  id: SharedConversationId,
  sealed: Uint8Array,
): string {
  return sealer.open(placeOf(accountId, id), sealed);
}

const columns = {
  id: sharedConversations.id,
  personId: sharedConversations.personId,
  createdAt: sharedConversations.createdAt,
  sealedTitle: sharedConversations.sealedTitle,
  sharedBy: sql<string>`coalesce(nullif(${persons.name}, ''), ${persons.email})`,
};

type Row = {
  readonly id: SharedConversationId;
  readonly personId: PersonId;
  readonly createdAt: Date;
  readonly sealedTitle: Uint8Array;
  readonly sharedBy: string;
};

function present(reader: Sharer, row: Row): SharedConversation {
  return {
    id: row.id,
    title: openTitle(reader, row),
    sharedBy: row.sharedBy,
    sharedAt: row.createdAt,
    mayRemove: reader.managesAccount || row.personId === reader.personId,
  };
}

/** One that does not open hides no other. */
function openTitle({ sealer, accountId }: Sharer, { id, sealedTitle }: Row): string | null {
  try {
    return sealer?.open(`${placeOf(accountId, id)} title`, sealedTitle) ?? null;
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}

function rowOf(accountId: AccountId, id: SharedConversationId): SQL | undefined {
  return and(eq(sharedConversations.accountId, accountId), eq(sharedConversations.id, id));
}

/** Bound to its row: what one says does not open in another. */
function placeOf(accountId: AccountId, id: SharedConversationId): string {
  return `shared_conversations ${accountId} ${id}`;
}

function notShared(): Fault {
  return new Fault("not_found", "There is no such conversation, or it was removed.");
}
