// The memory of the API-key cache, by SHA-256: records and, for a shorter time, unknown hashes. It only
// saves queries; nothing older than its lifetime is ever returned, and both maps are bounded.

import type { KeyRecord } from "./load-keys.ts";

export type KeyMemory = {
  /** A record and its age; `record` is undefined for a hash known not to exist. */
  readonly recall: (hash: string) => Remembered | undefined;
  readonly remember: (hash: string, record: KeyRecord | undefined, readAtMs: number) => void;
  /** Forgets a key, or every key of an account. */
  readonly forget: (id: string) => void;
  readonly forgetAll: () => void;
};

export type Remembered = { readonly record: KeyRecord | undefined; readonly ageMs: number };

export type KeyMemoryBounds = {
  readonly recordsMax: number;
  readonly recordLifetimeMs: number;
  readonly unknownMax: number;
  readonly unknownLifetimeMs: number;
};

export const defaultKeyMemoryBounds: KeyMemoryBounds = {
  recordsMax: 50_000,
  recordLifetimeMs: 10_000,
  unknownMax: 10_000,
  unknownLifetimeMs: 5_000,
};

type Entry = { readonly record: KeyRecord; readonly readAtMs: number };

export function openKeyMemory(bounds: KeyMemoryBounds, nowMs: () => number): KeyMemory {
  // A Map iterates in order of insertion: its first key is the least recently used one.
  const records = new Map<string, Entry>();
  const unknown = new Map<string, number>();
  return {
    recall(hash) {
      const entry = records.get(hash);
      if (entry !== undefined) {
        records.delete(hash);
        const ageMs = nowMs() - entry.readAtMs;
        if (ageMs >= bounds.recordLifetimeMs) return undefined;
        records.set(hash, entry);
        return { record: entry.record, ageMs };
      }
      const readAtMs = unknown.get(hash);
      if (readAtMs === undefined) return undefined;
      const ageMs = nowMs() - readAtMs;
      if (ageMs < bounds.unknownLifetimeMs) return { record: undefined, ageMs };
      unknown.delete(hash);
      return undefined;
    },
    remember(hash, record, readAtMs) {
      if (record === undefined) {
        records.delete(hash);
        insertBounded(unknown, hash, readAtMs, bounds.unknownMax);
        return;
      }
      unknown.delete(hash);
      insertBounded(records, hash, { record, readAtMs }, bounds.recordsMax);
    },
    forget(id) {
      for (const [hash, { record }] of records) {
        if (record.id === id || record.accountId === id) records.delete(hash);
      }
    },
    forgetAll() {
      records.clear();
      unknown.clear();
    },
  };
}

function insertBounded<Value>(map: Map<string, Value>, key: string, value: Value, max: number) {
  map.delete(key);
  map.set(key, value);
  if (map.size <= max) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
