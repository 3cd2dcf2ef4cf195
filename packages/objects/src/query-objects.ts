// What is kept of a project or an account. An id of another one is answered as one that never existed.
import type { ObjectId, Sealer } from "@turnpike/base";
import { type Db, type ObjectKind, objects } from "@turnpike/db";
import { and, asc, desc, eq, gt, lt } from "drizzle-orm";
import { type ObjectSort, type ObjectViewer, visibleTo } from "./objects.ts";
import { objectColumns, type StoredObject, toStoredObject } from "./stored-object.ts";

export type ObjectPage = {
  readonly kind: ObjectKind;
  readonly purpose?: string | undefined;
  readonly limit: number;
  readonly order: "asc" | "desc";
  /** The last one of the page before. */
  readonly after?: ObjectId | undefined;
};

/** By when they were made. Throws SealBroken. */
export async function listObjects(
  db: Db,
  sealer: Sealer,
  viewer: ObjectViewer,
  { kind, purpose, limit, order, after }: ObjectPage,
): Promise<{ readonly objects: readonly StoredObject[]; readonly hasMore: boolean }> {
  const isAfter = order === "asc" ? gt : lt;
  const rows = await db
    .select(objectColumns)
    .from(objects)
    .where(
      and(
        visibleTo(viewer, kind),
        purpose === undefined ? undefined : eq(objects.purpose, purpose),
        after === undefined ? undefined : isAfter(objects.id, after),
      ),
    )
    .orderBy(order === "asc" ? asc(objects.id) : desc(objects.id))
    .limit(limit + 1);
  const shown = rows.slice(0, limit).map((row) => {
    const { key: _, ...object } = toStoredObject(sealer, viewer.accountId, row);
    return object;
  });
  return { objects: shown, hasMore: rows.length > limit };
}

/** Undefined if the viewer sees no such object, or no longer. Throws SealBroken. */
export async function queryObject(
  db: Db,
  sealer: Sealer,
  viewer: ObjectViewer,
  sort: ObjectSort,
  id: ObjectId,
): Promise<StoredObject | undefined> {
  const [row] = await db
    .select(objectColumns)
    .from(objects)
    .where(and(visibleTo(viewer, sort), eq(objects.id, id)));
  if (row === undefined) return undefined;
  const { key: _, ...object } = toStoredObject(sealer, viewer.accountId, row);
  return object;
}
