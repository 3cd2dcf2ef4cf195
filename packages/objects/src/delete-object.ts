// Deletes an object: nobody sees it any more before its bytes go, and its row goes last, so that bytes without a row never remain.
import type { ObjectId } from "@turnpike/base";
import { type Db, objects } from "@turnpike/db";
import { and, eq, sql } from "drizzle-orm";
import type { BlobStore } from "./blob-store.ts";
import { type ObjectSort, type ObjectViewer, visibleTo } from "./objects.ts";

/** False if the viewer sees no such object. What fails after it was hidden is done by `purgeObjects`. */
export async function deleteObject(
  db: Db,
  blobs: BlobStore,
  viewer: ObjectViewer,
  sort: ObjectSort,
  id: ObjectId,
): Promise<boolean> {
  const hidden = await hideObject(db, viewer, sort, id);
  if (hidden === undefined) return false;
  if (hidden.blob !== null) await blobs.remove(hidden.blob);
  await db.delete(objects).where(and(eq(objects.accountId, viewer.accountId), eq(objects.id, id)));
  return true;
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
