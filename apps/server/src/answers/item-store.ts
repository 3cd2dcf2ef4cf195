// Items of answers, kept for a day so that requests of the same API key can refer to them by id. Shared by all
// instances. An item that cannot be stored fails no call: only a later reference to it is refused.
import { createSlices, type GenerationId, type InstanceId, withDeadline } from "@turnpike/base";
import { arrayLiteral } from "@turnpike/db";
import type { Log, Metrics } from "@turnpike/telemetry";
import { createItemReader, type FindItems, type ItemOwner, type Items } from "./find-items.ts";
import { hashRequest, itemName, sealAnswer } from "./seal-answer.ts";
import type { SharedConnections } from "./share-connections.ts";
import { createPauses } from "./store-pauses.ts";
import type { Room, StoredRoom } from "./stored-room.ts";

const keepSeconds = 86_400;
/** Rows that live longer than this are not written again when their answer is repeated. */
const renewSeconds = keepSeconds / 2;
/** A larger item is not kept; a message of this size has over 200,000 tokens. */
const itemMaxBytes = 1024 * 1024;
/** How many items of one answer are kept: as many as a request may refer to. Bounds how long the statement takes. */
const itemsMax = 2_000;
const idMaxChars = 200;
/** How long the end of an answer waits for its items to be stored. */
const storeWaitMs = 2_000;

/** What naming and encrypting an item costs, in bytes. */
const sealingCost = 4_096;

export type ItemStoreOptions = {
  readonly database: Pick<SharedConnections, "runQuery">;
  readonly instanceId: InstanceId;
  readonly log: Log;
  readonly metrics: Pick<Metrics, "itemsNotKept">;
  readonly room: Pick<StoredRoom, "take" | "giveBack">;
  readonly nowMs?: () => number;
};

export type ItemStore = {
  /** Resolves with whether every item is stored, for all instances to see. Never rejects. */
  readonly keep: (owner: ItemOwner, generationId: GenerationId, items: Items) => Promise<boolean>;
  readonly find: FindItems;
};

type SealedItem = {
  readonly name: string;
  readonly hash: string;
  readonly sealed: string;
  readonly bytes: number;
};

export function createItemStore(options: ItemStoreOptions): ItemStore {
  const { database, instanceId, log, metrics, room, nowMs = () => performance.now() } = options;
  const pauses = createPauses(nowMs);

  async function store(
    { accountId }: ItemOwner,
    generationId: GenerationId,
    rows: readonly SealedItem[],
    onStatement: () => void,
  ): Promise<boolean> {
    const wanted = roomOf(rows);
    if (!(await room.take(accountId, "items", wanted))) {
      metrics.itemsNotKept("full");
      return false;
    }
    try {
      const stored = await database.runQuery(accountId, (sql) => {
        onStatement();
        return sql<StoredRow[]>`
        insert into stored_answers as s (id, account_id, request_hash, generation_id, instance_id,
                                         expires_at, finished_at, sealed)
        select decode(i.name, 'hex'), ${accountId}::uuid, decode(i.hash, 'hex'), ${generationId}::uuid,
               ${instanceId}::uuid, now() + ${keepSeconds}::int * interval '1 second', now(),
               decode(i.sealed, 'base64')
          from unnest(${arrayLiteral(rows.map(({ name }) => name))}::text[],
                      ${arrayLiteral(rows.map(({ hash }) => hash))}::text[],
                      ${arrayLiteral(rows.map(({ sealed }) => sealed))}::text[])
                 as i (name, hash, sealed),
               -- Visible to all at once; a crash may lose the last of them.
               set_config('synchronous_commit', 'off', true)
         -- No join, which could change the order of the rows.
         where (select k.expires_at > now() + ${renewSeconds}::int * interval '1 second'
                       and (k.sealed is null or k.request_hash = decode(i.hash, 'hex'))
                  from stored_answers k where k.id = decode(i.name, 'hex')) is not true
        on conflict (id) do update
           set request_hash = excluded.request_hash, generation_id = excluded.generation_id,
               instance_id = excluded.instance_id, created_at = now(), finished_at = now(),
               expires_at = excluded.expires_at,
               -- A provider that gives two items the same id: it resolves to neither.
               sealed = case when s.expires_at <= now() or (
                                    s.sealed is not null and s.request_hash = excluded.request_hash)
                             then excluded.sealed end
        returning encode(s.id, 'hex') as name, s.xmax = 0 as is_new`;
      });
      // What a repeated answer stores again, or has stored not long ago, has its room already.
      const added = new Set(stored.filter((row) => row.is_new).map(({ name }) => name));
      room.giveBack(accountId, "items", roomOf(rows.filter(({ name }) => !added.has(name))));
      return true;
    } catch (error) {
      room.giveBack(accountId, "items", wanted);
      metrics.itemsNotKept("failed");
      log.warn({ err: error, generationId }, "output items not stored");
      return false;
    }
  }

  return {
    async keep(owner, generationId, items) {
      const fitting = [...items]
        .filter(([id, item]) => id.length <= idMaxChars && Buffer.byteLength(item) <= itemMaxBytes)
        .slice(0, itemsMax);
      if (fitting.length < items.size) metrics.itemsNotKept("too_large");
      if (fitting.length === 0) return items.size === 0;
      if (pauses.has(owner.accountId)) {
        metrics.itemsNotKept("paused");
        return false;
      }
      const rows = await sealItems(owner.apiKey, fitting);
      // In one order everywhere, so that two calls never wait for each other.
      rows.sort((one, other) => (one.name < other.name ? -1 : 1));
      let isAsked = false;
      const storing = store(owner, generationId, rows, () => {
        isAsked = true;
      });
      const isStored = await withDeadline(storing, storeWaitMs, () => {
        metrics.itemsNotKept("late");
        // An account that waits for its turn may be late because of its own calls.
        pauses.begin(isAsked ? "all" : owner.accountId);
        return false;
      });
      return isStored && fitting.length === items.size;
    },
    find: createItemReader(database),
  };
}

function roomOf(rows: readonly SealedItem[]): Room {
  return { rows: rows.length, bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0) };
}

type StoredRow = { readonly name: string; readonly is_new: boolean };

async function sealItems(
  apiKey: string,
  items: readonly (readonly [string, string])[],
): Promise<SealedItem[]> {
  const sealed: SealedItem[] = [];
  const afterWork = createSlices();
  for (const [id, item] of items) {
    sealed.push(sealItem(apiKey, id, item));
    await afterWork(sealingCost + item.length);
  }
  return sealed;
}

function sealItem(apiKey: string, id: string, item: string): SealedItem {
  const name = itemName(apiKey, id);
  const sealed = Buffer.from(sealAnswer(apiKey, name, { headers: {}, body: item }));
  return {
    name: name.toHex(),
    // Hashed with the key: an unkeyed one would confirm a guess of the text.
    hash: hashRequest(apiKey, id, item).toHex(),
    sealed: sealed.toString("base64"),
    bytes: sealed.byteLength,
  };
}
