// Deletes what has expired, what was closed with its account, and what a process that was killed had begun to write or to delete: each of
// these is a row that is due. Rows and their bytes go together, the bytes first.
import type { AccountId, ObjectId } from "@turnpike/base";
import { type Db, objects } from "@turnpike/db";
import { and, eq, sql } from "drizzle-orm";
import type { BlobStore } from "./blob-store.ts";

const sliceRows = 100;
const slicesMax = 100;
/** When what could not be removed is tried again. */
const later = sql`now() + interval '1 hour'`;
/** One after the other: then the store is away, and what is due is left to the next run. */
const failuresMax = 3;

export type Purged = { readonly rows: number; readonly bytes: number };

type Due = {
  readonly account_id: AccountId;
  readonly id: ObjectId;
  readonly blob: string | null;
  readonly size: string;
};

/** What is left after some thousands is for the next run. Rejects at its end if bytes could not be removed. */
export async function purgeObjects(db: Db, blobs: Pick<BlobStore, "remove">): Promise<Purged> {
  let rows = 0;
  let bytes = 0;
  let failure: unknown;
  let failures = 0;
  for (let slice = 0; slice < slicesMax; slice += 1) {
    const due = await hideDue(db);
    for (const row of due) {
      try {
        if (row.blob !== null) await blobs.remove(row.blob);
      } catch (thrown) {
        failure ??= thrown;
        failures += 1;
        // Others are not to wait for it.
        await db
          .update(objects)
          .set({ expiresAt: later })
          .where(and(eq(objects.accountId, row.account_id), eq(objects.id, row.id)));
        if (failures === failuresMax) throw failure;
        continue;
      }
      failures = 0;
      await db
        .delete(objects)
        .where(and(eq(objects.accountId, row.account_id), eq(objects.id, row.id)));
      rows += 1;
      bytes += Number(row.size);
    }
    if (due.length < sliceRows) break;
  }
  if (failure !== undefined) throw failure;
  return { rows, bytes };
}

/** A writer that is slower than its deadline finds its row hidden, and gives up. */
async function hideDue(db: Db): Promise<readonly Due[]> {
  return db.execute<Due>(sql`
    with due as (
      select o.account_id, o.id
        from objects o
       where o.expires_at <= now()
       order by o.expires_at limit ${sliceRows}::int)
    update objects o set state = 'deleted'
      from due
     where o.account_id = due.account_id and o.id = due.id
       and o.expires_at <= now() -- It may have been extended since.
    returning o.account_id, o.id, o.blob, o.size`);
}
