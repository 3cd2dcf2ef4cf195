// A store of items as one process has it, for tests: what it did not keep, and the items of a test account.
import { type AccountId, type GenerationId, type InstanceId, newId } from "@turnpike/base";
import type { Sql } from "@turnpike/db";
import { createLog, type ItemsNotKept } from "@turnpike/telemetry";
import { createFairQueue } from "../fair-queue.ts";
import type { FindBounds, ItemOwner } from "./find-items.ts";
import { createItemStore, type ItemStoreOptions } from "./item-store.ts";
import { shareConnections } from "./share-connections.ts";
import { createStoredRoom } from "./stored-room.ts";

const log = createLog({ level: "silent", name: "test" });
const generationId = newId<GenerationId>();
const maxBytes = 20 * 1024 * 1024;

export const ids = (...names: readonly string[]) => new Set(names);

export const itemText = (said: string) => JSON.stringify({ role: "assistant", content: said });

export function openTestItems(
  sql: Sql,
  accountId: AccountId,
  options: Partial<ItemStoreOptions> = {},
) {
  const shared = shareConnections(sql, createFairQueue(1));
  const notKept: ItemsNotKept[] = [];
  const store = createItemStore({
    database: shared,
    instanceId: newId<InstanceId>(),
    log,
    metrics: { itemsNotKept: (reason) => void notKept.push(reason) },
    room: createStoredRoom({ database: shared, log }),
    ...options,
  });
  const ownerOf = (apiKey = `sk-${accountId}`) => ({ accountId, apiKey });
  return {
    notKept,
    keep: (items: Readonly<Record<string, string>>, owner: Partial<ItemOwner> = {}) =>
      store.keep({ ...ownerOf(), ...owner }, generationId, new Map(Object.entries(items))),
    find: async (
      wanted: ReadonlySet<string>,
      apiKey?: string,
      bounds: Partial<FindBounds> = {},
    ) => {
      const all = { maxBytes, reserve: () => undefined, ...bounds };
      const found = await store.find(ownerOf(apiKey), wanted, all);
      return found && Object.fromEntries(found);
    },
  };
}
