// What reading and writing objects needs, and whose an object is: an account's, within one of its projects.
import type { AccountId, ApiKeyId, PersonId, ProjectId, Sealer } from "@turnpike/base";
import { apiKeys, type batches, type Db, type ObjectKind, objects, type runs } from "@turnpike/db";
import { and, eq, gt, inArray, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import type { BlobStore } from "./blob-store.ts";

export type Objects = {
  readonly sealer: Sealer;
  readonly blobs: BlobStore;
  /** Of one account, in files or in everything else: see `inSameRoom`. */
  readonly bytesMax: number;
  readonly countMax: number;
};

/** Runs a few statements of an account, when it is its turn. */
export type RunStatements = <Result>(run: (db: Db) => Promise<Result>) => Promise<Result>;

export type ObjectOwner = {
  readonly accountId: AccountId;
  readonly projectId: ProjectId;
};

/** What a member of the account sees: `ownerOfKeys` only what their keys made, `projectIds` only what is in these projects. */
export type MemberView = {
  readonly accountId: AccountId;
  readonly ownerOfKeys?: PersonId | undefined;
  readonly projectIds?: readonly ProjectId[] | undefined;
};

/** Who asks: a key, which sees what is in its project, or a member. */
export type ObjectViewer = ObjectOwner | MemberView;

/** Of the key's project, as it is now. */
export async function queryOwner(
  db: Db,
  accountId: AccountId,
  keyId: ApiKeyId,
): Promise<ObjectOwner | undefined> {
  const [key] = await db
    .select({ projectId: sql<ProjectId>`coalesce(${apiKeys.projectId}, ${apiKeys.accountId})` })
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), eq(apiKeys.id, keyId)));
  return key && { accountId, projectId: key.projectId };
}

/** A kind of objects, or those of it with one purpose. */
export type ObjectSort = ObjectKind | { readonly kind: ObjectKind; readonly purpose: string };

/** What of this sort the viewer sees. */
export function visibleTo(viewer: ObjectViewer, sort: ObjectSort): SQL | undefined {
  const isKept = and(eq(objects.state, "ready"), notExpired());
  const isOfSort =
    typeof sort === "string"
      ? eq(objects.kind, sort)
      : and(eq(objects.kind, sort.kind), eq(objects.purpose, sort.purpose));
  return and(belongsTo(objects, viewer), isOfSort, isKept);
}

export function belongsTo(
  table: typeof objects | typeof batches | typeof runs,
  viewer: ObjectViewer,
): SQL | undefined {
  const { accountId } = viewer;
  const isOfAccount = eq(table.accountId, accountId);
  if ("projectId" in viewer) return and(isOfAccount, eq(table.projectId, viewer.projectId));
  const { ownerOfKeys, projectIds } = viewer;
  const isOwn =
    ownerOfKeys &&
    sql`${table.keyId} in (
      select ${apiKeys.id} from ${apiKeys}
       where ${apiKeys.accountId} = ${accountId} and ${apiKeys.createdBy} = ${ownerOfKeys})`;
  return and(isOfAccount, projectIds && inArray(table.projectId, [...projectIds]), isOwn);
}

export function notExpired(): SQL | undefined {
  return or(isNull(objects.expiresAt), gt(objects.expiresAt, sql`now()`));
}

/** Files have a room of their own, so that answers which programs keep never take that of uploads. */
export function inSameRoom(kind: ObjectKind): SQL {
  return kind === "file" ? eq(objects.kind, "file") : ne(objects.kind, "file");
}

export function inSeconds(seconds: number): SQL {
  return sql`now() + make_interval(secs => ${seconds}::int)`;
}
