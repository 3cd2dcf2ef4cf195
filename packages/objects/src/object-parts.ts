// Objects that are parts of another one, in an order of their own: they are seen, kept and deleted with it.
import type { ObjectId } from "@turnpike/base";
import { type Db, type ObjectKind, objects } from "@turnpike/db";
import { and, asc, eq, gt, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { inSeconds, type ObjectOwner, visibleTo } from "./objects.ts";

const part = alias(objects, "part");

export type ObjectPart = {
  readonly id: ObjectId;
  readonly size: number;
  readonly position: number;
};

/** In their order; undefined if the project has no such object. One statement, so that they are never those of one that is just deleted. */
export async function queryParts(
  db: Db,
  owner: ObjectOwner,
  kind: ObjectKind,
  id: ObjectId,
): Promise<readonly ObjectPart[] | undefined> {
  const rows = await db
    .select({ id: part.id, size: part.size, position: part.position })
    .from(objects)
    .leftJoin(
      part,
      and(
        eq(part.accountId, objects.accountId),
        eq(part.parentId, objects.id),
        eq(part.state, "ready"),
        isNotNull(part.position),
        or(isNull(part.expiresAt), gt(part.expiresAt, sql`now()`)),
      ),
    )
    .where(and(visibleTo(owner, kind), eq(objects.id, id)))
    .orderBy(asc(part.position));
  if (rows.length === 0) return undefined;
  return rows.flatMap(({ id: partId, size, position }) =>
    partId === null || size === null || position === null ? [] : [{ id: partId, size, position }],
  );
}

/** Keeps an object and its parts for at least this long from now. False if the project has no such object. */
export async function keepWithParts(
  tx: Db,
  owner: ObjectOwner,
  kind: ObjectKind,
  { id, seconds }: { readonly id: ObjectId; readonly seconds: number },
): Promise<boolean> {
  const expiresAt = inSeconds(seconds);
  const kept = await tx
    .update(objects)
    .set({ expiresAt })
    .where(and(visibleTo(owner, kind), eq(objects.id, id)))
    .returning({ id: objects.id });
  if (kept.length === 0) return false;
  await tx
    .update(objects)
    .set({ expiresAt })
    .where(
      and(
        eq(objects.accountId, owner.accountId),
        eq(objects.parentId, id),
        eq(objects.state, "ready"),
        isNotNull(objects.expiresAt),
        lt(objects.expiresAt, expiresAt),
      ),
    );
  return true;
}

/** False if the project has no such object. Bytes are removed by `purgeObjects`. */
export async function deleteWithParts(
  db: Db,
  owner: ObjectOwner,
  kind: ObjectKind,
  id: ObjectId,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const hidden = { state: "deleted", expiresAt: sql`now()` } as const;
    const deleted = await tx
      .update(objects)
      .set(hidden)
      .where(and(visibleTo(owner, kind), eq(objects.id, id)))
      .returning({ id: objects.id });
    if (deleted.length === 0) return false;
    // One that is being written finds its row hidden, and gives up.
    const isPart = and(eq(objects.accountId, owner.accountId), eq(objects.parentId, id));
    await tx
      .update(objects)
      .set(hidden)
      .where(and(isPart, or(eq(objects.state, "ready"), eq(objects.state, "writing"))));
    return true;
  });
}

/** In the transaction that stores what replaces it. False if it is gone already. */
export async function hidePart(tx: Db, { accountId }: ObjectOwner, id: ObjectId): Promise<boolean> {
  const hidden = await tx
    .update(objects)
    .set({ state: "deleted", expiresAt: sql`now()` })
    .where(
      and(
        eq(objects.accountId, accountId),
        eq(objects.id, id),
        eq(objects.state, "ready"),
        isNotNull(objects.position),
      ),
    )
    .returning({ id: objects.id });
  return hidden.length > 0;
}
