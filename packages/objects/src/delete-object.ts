// Deletes an object: nobody sees it any more before its bytes go, and its row goes last, so that bytes without a row never remain.
import type { AccountId, ObjectId } from "@turnpike/base";
import { type Db, objects } from "@turnpike/db";
import { and, eq, sql } from "drizzle-orm";
import type { BlobStore } from "./blob-store.ts";
import { type ObjectSort, type ObjectViewer, type RunStatements, visibleTo } from "./objects.ts";

/** False if the viewer sees no such object. Bytes that cannot be removed now are left to `purgeObjects`, which says why. */
export async function deleteObject(
  run: RunStatements,
  blobs: Pick<BlobStore, "remove">,
  viewer: ObjectViewer,
  sort: ObjectSort,
  id: ObjectId,
): Promise<boolean> {
  const hidden = await run((db) => hideObject(db, viewer, sort, id));
  if (hidden === undefined) return false;
  await removeHidden(run, blobs, { ...hidden, accountId: viewer.accountId, id });
  return true;
}

/** The bytes of a row that nobody sees, then the row; both stay if the bytes cannot be removed. */
export async function removeHidden(
  run: RunStatements,
  blobs: Pick<BlobStore, "remove">,
  {
    accountId,
    id,
    blob,
  }: { readonly accountId: AccountId; readonly id: ObjectId; readonly blob: string | null },
): Promise<void> {
  try {
    // Not in `run`: a store that does not answer must not keep a connection.
    if (blob !== null) await blobs.remove(blob);
  } catch {
    return;
  }
  await run((db) =>
    db.delete(objects).where(and(eq(objects.accountId, accountId), eq(objects.id, id))),
  );
}

/** Nobody sees it any more, and `purgeObjects` removes it. Undefined if the viewer sees no such object. */
export async function hideObject(
  db: Db,
  viewer: ObjectViewer,
  sort: ObjectSort,
  id: ObjectId,
): Promise<{ readonly blob: string | null } | undefined> {
  const [hidden] = await db
    .update(objects)
    .set({ state: "deleted", expiresAt: sql`now()` })
    .where(and(visibleTo(viewer, sort), eq(objects.id, id)))
    .returning({ blob: objects.blob });
  return hidden;
}
