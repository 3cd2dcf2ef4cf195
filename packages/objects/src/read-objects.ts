// Reads everything that an account keeps, one object after the other, for its archive.
import { type AccountId, Fault, type ObjectId } from "@turnpike/base";
import { type Db, objects } from "@turnpike/db";
import { and, asc, eq, gt } from "drizzle-orm";
import { notExpired, type Objects } from "./objects.ts";
import { contentColumns, openContent, type ReadableObject } from "./read-object.ts";

type ReadAll = Pick<Objects, "sealer" | "blobs"> & {
  /** Runs one read; the server decides when it is its turn. */
  readonly read: <Result>(read: (db: Db) => Promise<Result>) => Promise<Result>;
  /** Of one that does not open: the others are read nevertheless. Not while their store is away. */
  readonly onBroken: (id: ObjectId, error: unknown) => void;
};

/** Contents are read before the next object is asked for. */
export async function* readObjects(
  { read, onBroken, ...kept }: ReadAll,
  accountId: AccountId,
): AsyncGenerator<ReadableObject> {
  let after: ObjectId | undefined;
  for (;;) {
    const behind = after === undefined ? undefined : gt(objects.id, after);
    const [row] = await read((db) =>
      db
        .select(contentColumns)
        .from(objects)
        .where(
          and(eq(objects.accountId, accountId), eq(objects.state, "ready"), notExpired(), behind),
        )
        .orderBy(asc(objects.id))
        .limit(1),
    );
    if (row === undefined) return;
    after = row.id;
    const opened = await openFirst(kept, accountId, row).catch((error: unknown) => {
      if (error instanceof Fault) throw error;
      onBroken(row.id, error);
    });
    if (opened !== undefined) yield opened;
  }
}

/** Contents that are broken are so from their beginning, nearly always: later it is too late to leave them out. */
async function openFirst(...given: Parameters<typeof openContent>): Promise<ReadableObject> {
  const { object, chunks } = openContent(...given);
  const first = await chunks.next();
  return { object, chunks: startingWith(first, chunks) };
}

async function* startingWith(
  first: IteratorResult<Uint8Array>,
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}
