// Reads kept items by their ids. A request of 2 KB may refer to 20 MiB: these bytes are counted for its account before
// they are read, and an account reads them for one request at a time.
import { type AccountId, createSlices } from "@turnpike/base";
import type { Sql } from "@turnpike/db";
import { type Bounds, createFairQueue } from "../fair-queue.ts";
import { itemName, openAnswer } from "./seal-answer.ts";
import type { SharedConnections } from "./share-connections.ts";

export type ItemOwner = { readonly accountId: AccountId; readonly apiKey: string };

/** JSON texts by id. */
export type Items = ReadonlyMap<string, string>;

export type FindBounds = {
  readonly maxBytes: number;
  /** Counts the bytes of the items before these are read. Throws if that is too much for their account. */
  readonly reserve: (bytes: number) => void;
};

/**
 * The known ones of these items; undefined if they have more than `maxBytes`. Rejects with what `reserve` throws,
 * and if the database does not respond.
 */
export type FindItems = (
  owner: ItemOwner,
  ids: ReadonlySet<string>,
  bounds: FindBounds,
) => Promise<Items | undefined>;

/** Up to this many bytes are read by the same statement that adds them up. */
const fewBytes = 1024 * 1024;
/** How many requests with more bytes are read at the same time; each needs a few times its bytes in memory. */
const placesOfMany = 2;
const boundsOfMany: Bounds = {
  most: 1,
  waitMaxMs: 10_000,
  refusal: "Output items cannot be read now. Please try again in 2s.",
};

/** What deriving the key of an item costs, in bytes. */
const openingCost = 4_096;

type FoundRow = {
  readonly name: string;
  /** Of all rows. */
  readonly bytes: number;
  /** Null if all rows together have more bytes than asked for. */
  readonly sealed: Uint8Array | null;
};

export function createItemReader(database: Pick<SharedConnections, "runQuery">): FindItems {
  const fairQueue = createFairQueue(placesOfMany);
  return async (owner, ids, { maxBytes, reserve }) => {
    const { accountId, apiKey } = owner;
    const byName = new Map([...ids].map((id) => [itemName(apiKey, id).toHex(), id]));
    const select = (bytesMax: number) =>
      database.runQuery(accountId, (sql) => selectItems(sql, [...byName.keys()], bytesMax));
    const rows = await select(Math.min(fewBytes, maxBytes));
    const bytes = rows[0]?.bytes ?? 0;
    if (bytes > maxBytes) return undefined;
    reserve(bytes);
    if (bytes <= fewBytes) return openItems(owner, byName, rows);
    return fairQueue.run(accountId, boundsOfMany, async () =>
      openItems(owner, byName, await select(bytes)),
    );
  };
}

function selectItems(sql: Sql, names: readonly string[], bytesMax: number): Promise<FoundRow[]> {
  return sql<FoundRow[]>`
    select encode(id, 'hex') as name, sum(octet_length(sealed)) over ()::float8 as bytes,
           case when sum(octet_length(sealed)) over () <= ${bytesMax}::int then sealed end as sealed
      from stored_answers
     where id in (select decode(n, 'hex') from unnest(string_to_array(${names.join(",")}, ',')) n)
       and expires_at > now() and sealed is not null`;
}

async function openItems(
  { apiKey }: ItemOwner,
  byName: ReadonlyMap<string, string>,
  rows: readonly FoundRow[],
): Promise<Items | undefined> {
  const found = new Map<string, string>();
  const afterWork = createSlices();
  for (const { name, sealed } of rows) {
    const id = byName.get(name);
    // One of them has grown since its bytes were counted.
    if (sealed === null) return undefined;
    if (id !== undefined) found.set(id, openAnswer(apiKey, itemName(apiKey, id), sealed).body);
    await afterWork(openingCost + sealed.byteLength);
  }
  return found;
}
