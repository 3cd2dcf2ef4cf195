// Reads the contents of an object, decrypted chunk by chunk. Nothing is yielded that is not exactly what was stored at its place.
import type { AccountId, ObjectId } from "@turnpike/base";
import { type Db, objects } from "@turnpike/db";
import { and, eq, inArray } from "drizzle-orm";
import { type ObjectSort, type Objects, type ObjectViewer, visibleTo } from "./objects.ts";
import { openChunks } from "./seal-chunks.ts";
import {
  type ObjectRow,
  objectColumns,
  placeOf,
  type StoredObject,
  toStoredObject,
} from "./stored-object.ts";

export type ReadableObject = {
  readonly object: StoredObject;
  /** Once. Throws ContentBroken. */
  readonly chunks: AsyncGenerator<Uint8Array>;
};

/** Undefined if the viewer sees no such object, or no longer. Throws SealBroken. */
export async function readObject(
  db: Db,
  kept: Pick<Objects, "sealer" | "blobs">,
  viewer: ObjectViewer,
  sort: ObjectSort,
  id: ObjectId,
): Promise<ReadableObject | undefined> {
  const [row] = await db
    .select(contentColumns)
    .from(objects)
    .where(and(visibleTo(viewer, sort), eq(objects.id, id)));
  return row && openContent(kept, viewer.accountId, row);
}

/** Those of `ids` that the viewer sees. Throws SealBroken. */
export async function readObjectsById(
  db: Db,
  kept: Pick<Objects, "sealer" | "blobs">,
  viewer: ObjectViewer,
  sort: ObjectSort,
  ids: readonly ObjectId[],
): Promise<ReadonlyMap<ObjectId, ReadableObject>> {
  const rows = await db
    .select(contentColumns)
    .from(objects)
    .where(and(visibleTo(viewer, sort), inArray(objects.id, [...ids])));
  return new Map(rows.map((row) => [row.id, openContent(kept, viewer.accountId, row)]));
}

export const contentColumns = { ...objectColumns, sealed: objects.sealed, blob: objects.blob };

type ContentRow = ObjectRow & {
  readonly sealed: Uint8Array | null;
  readonly blob: string | null;
};

/** Of a row that is ready. Throws SealBroken. */
export function openContent(
  { sealer, blobs }: Pick<Objects, "sealer" | "blobs">,
  accountId: AccountId,
  { sealed, blob, ...row }: ContentRow,
): ReadableObject {
  const { key, ...object } = toStoredObject(sealer, accountId, row);
  const opening = { key: Buffer.from(key, "hex"), place: placeOf(accountId, row.id) };
  const source = blob === null ? [sealed ?? new Uint8Array()] : blobs.read(blob);
  return { object, chunks: openChunks(opening, source) };
}
