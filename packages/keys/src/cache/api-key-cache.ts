// Authenticates API keys: from memory when the key was read less than ten seconds ago, else from the
// database. Memory can only refuse or authenticate, never grant money; a change of a key takes effect
// immediately by notification, within a second by polling, and within ten seconds if both fail.

import { Fault } from "@turnpike/base";
import type { Db, Listener } from "@turnpike/db";
import type { Log } from "@turnpike/telemetry";
import { apiKeyPattern, hashApiKey, isApiKeyText } from "../api-key/api-key-format.ts";
import { type WatchMode, type WatchTimes, watchKeyChanges } from "../changes/watch-key-changes.ts";
import { createKeyLoader, type KeyRecord } from "./load-keys.ts";

/** A key that may be used now, and what it may do. */
export type AuthenticatedKey = Pick<
  KeyRecord,
  "id" | "accountId" | "limits" | "shared" | "guardrails" | "prompts" | "responseHours"
>;

export type ApiKeyCache = {
  /**
   * The key behind the presented text. Throws `invalid_api_key` (malformed, unknown, revoked),
   * `key_expired`, `key_disabled`, `account_suspended`, or `overloaded` when the database is unreachable.
   */
  readonly authenticate: (presented: string) => Promise<AuthenticatedKey>;
  /** The key with this SHA-256, in hexadecimal, for what was asked with it earlier. Throws the same. */
  readonly authenticateHash: (hash: string) => Promise<AuthenticatedKey>;
  /** The same from memory, without waiting: undefined if the database has to be asked. */
  readonly recall: (presented: string) => AuthenticatedKey | undefined;
  /** How this instance currently learns of changes. */
  readonly mode: () => WatchMode;
  readonly close: () => Promise<void>;
};

export type ApiKeyCacheOptions = {
  readonly db: Db;
  /** Where changes arrive; closed by its owner. */
  readonly listener: Listener;
  readonly log: Log;
  readonly bounds?: Partial<KeyMemoryBounds>;
  readonly times?: Partial<WatchTimes>;
  /** A key, or all keys of an account, changed; undefined if changes may have been missed. */
  readonly onChange?: (id: string | undefined) => void;
  /** Monotonic; for the age of what is remembered. */
  readonly nowMs?: () => number;
};

/** Share of its lifetime after which a record that is in use is read again in the background. */
const refreshShare = 0.7;

/** Opens the cache; resolves when it is known how this instance will learn of changes. */
export async function openApiKeyCache(options: ApiKeyCacheOptions): Promise<ApiKeyCache> {
  const nowMs = options.nowMs ?? performance.now.bind(performance);
  const bounds = { ...defaultKeyMemoryBounds, ...options.bounds };
  const memory = createKeyMemory(bounds, nowMs);
  const loader = createKeyLoader(options.db);
  let changes = 0;

  async function read(hash: string): Promise<KeyRecord | undefined> {
    const readAtMs = nowMs();
    const changesBefore = changes;
    const record = await loader.load(hash);
    // A change announced meanwhile may be newer than this result: return it, but do not remember it.
    if (changes === changesBefore) memory.remember(hash, record, readAtMs);
    return record;
  }

  function forget(id: string | undefined): void {
    changes += 1;
    loader.forgetPending();
    if (id === undefined) memory.forgetAll();
    else memory.forget(id);
    options.onChange?.(id);
  }

  const watch = await watchKeyChanges({
    db: options.db,
    listener: options.listener,
    log: options.log,
    times: options.times ?? {},
    onChange: forget,
    onReconnect: () => forget(undefined),
  });

  function refresh(hash: string): void {
    read(hash).catch((thrown) => options.log.warn({ err: thrown }, "API key not re-read"));
  }

  function recall(presented: string): AuthenticatedKey | undefined {
    if (!apiKeyPattern.test(presented)) throw invalid(presented);
    const remembered = recallHash(hashApiKey(presented));
    // What is remembered was checked before.
    if (remembered === undefined && !isApiKeyText(presented)) throw invalid(presented);
    return remembered;
  }

  function recallHash(hash: string): AuthenticatedKey | undefined {
    const remembered = memory.recall(hash);
    if (remembered === undefined) return undefined;
    const { record, readAtMs } = remembered;
    const refreshAtMs = readAtMs + bounds.recordLifetimeMs * refreshShare;
    if (record !== undefined && nowMs() > refreshAtMs) refresh(hash);
    return admit(record);
  }

  return {
    async authenticate(presented) {
      return recall(presented) ?? admit(await read(hashApiKey(presented)));
    },
    async authenticateHash(hash) {
      return recallHash(hash) ?? admit(await read(hash));
    },
    recall,
    mode: watch.mode,
    close: watch.close,
  };
}

function admit(record: KeyRecord | undefined): AuthenticatedKey {
  const now = Date.now();
  if (record === undefined) throw invalid();
  const { revokedAt, secretUntil, disabledAt, accountSuspendedAt, limits } = record;
  if (revokedAt !== undefined && revokedAt.getTime() <= now) throw invalid();
  if (secretUntil !== undefined && secretUntil.getTime() <= now) throw invalid();
  if (limits.expiresAt !== undefined && limits.expiresAt.getTime() <= now) {
    throw new Fault("key_expired", "This API key has expired. Create a new one in the console.");
  }
  if (disabledAt !== undefined) {
    throw new Fault("key_disabled", "This API key is disabled. Enable it in the console.");
  }
  if (accountSuspendedAt !== undefined) {
    throw new Fault("account_suspended", "This account is suspended. Please contact support.");
  }
  return record;
}

function invalid(presented = ""): Fault {
  const hint = presented.startsWith("sk-tpm-")
    ? "This is a management key, which cannot be used here. Use an API key (sk-tp-)."
    : "Incorrect API key provided. Check the key, or create one in the console.";
  return new Fault("invalid_api_key", hint);
}

/**
 * By SHA-256: records and, for a shorter time, unknown hashes. It only saves queries; nothing older than its
 * lifetime is ever returned, and both maps are bounded.
 */
type KeyMemory = {
  /** A record and when it was read; `record` is undefined for a hash known not to exist. */
  readonly recall: (hash: string) => Remembered | undefined;
  readonly remember: (hash: string, record: KeyRecord | undefined, readAtMs: number) => void;
  /** Forgets a key, or every key of an account. */
  readonly forget: (id: string) => void;
  readonly forgetAll: () => void;
};

type Remembered = { readonly record: KeyRecord | undefined; readonly readAtMs: number };

type KeyMemoryBounds = {
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

type Entry = {
  readonly record: KeyRecord;
  readonly readAtMs: number;
  /** When it was last moved behind those that were used less recently. */
  usedAtMs: number;
};

/** Moving an entry of a large map costs more than finding it, so a key that is used often is moved once in a while. */
const moveAfterMs = 1_000;

export function createKeyMemory(bounds: KeyMemoryBounds, nowMs: () => number): KeyMemory {
  // A Map iterates in order of insertion: its first key is the least recently used one.
  const records = new Map<string, Entry>();
  const unknown = new Map<string, number>();
  return {
    recall(hash) {
      const entry = records.get(hash);
      if (entry !== undefined) {
        const now = nowMs();
        const isOld = now - entry.readAtMs >= bounds.recordLifetimeMs;
        if (!isOld && now - entry.usedAtMs < moveAfterMs) return entry;
        records.delete(hash);
        if (isOld) return undefined;
        entry.usedAtMs = now;
        records.set(hash, entry);
        return entry;
      }
      const readAtMs = unknown.get(hash);
      if (readAtMs === undefined) return undefined;
      if (nowMs() - readAtMs < bounds.unknownLifetimeMs) return { record: undefined, readAtMs };
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
      insertBounded(records, hash, { record, readAtMs, usedAtMs: nowMs() }, bounds.recordsMax);
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
  map.set(key, value);
  if (map.size <= max) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
