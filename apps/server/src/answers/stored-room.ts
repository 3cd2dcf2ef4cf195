// How much of the database the stored answers of one account may take up: a full disk would stop every charge.
// Answers under an `Idempotency-Key`, those of the response cache and output items have a share each. A process counts what it
// stores, so that an answer needs no extra query; it sums up the rows again when a share seems to be full.
import type { AccountId } from "@turnpike/base";
import type { Sql } from "@turnpike/db";
import type { Log } from "@turnpike/telemetry";
import { cacheNameBytes, itemNameBytes } from "./seal-answer.ts";
import type { SharedConnections } from "./share-connections.ts";

const shares = ["once", "cached", "items"] as const;
export type Share = (typeof shares)[number];
export type Room = { readonly rows: number; readonly bytes: number };

const mebibyte = 1024 * 1024;
export const storedMax: Readonly<Record<Share, Room>> = {
  once: { rows: 250_000, bytes: 64 * mebibyte },
  cached: { rows: 50_000, bytes: 64 * mebibyte },
  items: { rows: 250_000, bytes: 128 * mebibyte },
};

/** A share that was full, or whose sum could not be read, is not summed up again before this. */
const recountMs = 30_000;
/** Other processes store answers as well. */
const staleMs = 600_000;
/** Accounts whose sums are remembered. */
const accountsMax = 10_000;

export type RoomOptions = {
  readonly database: Pick<SharedConnections, "runQuery">;
  readonly log: Log;
  readonly max?: Readonly<Record<Share, Room>>;
  readonly nowMs?: () => number;
};

export type StoredRoom = {
  /**
   * Whether `wanted` fits into the share; if so, it is counted. True if the sum is not known. Never
   * rejects.
   */
  readonly take: (accountId: AccountId, share: Share, wanted: Room) => Promise<boolean>;
  /** For room that was taken but not used. */
  readonly giveBack: (accountId: AccountId, share: Share, taken: Room) => void;
};

type Tally = {
  countedAtMs: number;
  /** Whether the last count succeeded. */
  isCounted: boolean;
  counting: Promise<void> | undefined;
  readonly used: Record<Share, Room>;
};

const nothing: Room = { rows: 0, bytes: 0 };

export function createStoredRoom(options: RoomOptions): StoredRoom {
  const { database, log, max = storedMax, nowMs = () => performance.now() } = options;
  const tallies = new Map<AccountId, Tally>();

  function tallyOf(accountId: AccountId): Tally {
    const known = tallies.get(accountId);
    if (known !== undefined) return known;
    const tally: Tally = {
      countedAtMs: Number.NEGATIVE_INFINITY,
      isCounted: false,
      counting: undefined,
      used: { once: nothing, cached: nothing, items: nothing },
    };
    tallies.set(accountId, tally);
    const [oldest] = tallies.keys();
    if (tallies.size > accountsMax && oldest !== undefined) tallies.delete(oldest);
    return tally;
  }

  async function count(accountId: AccountId, tally: Tally): Promise<void> {
    const { used } = tally;
    const before = { ...used };
    tally.isCounted = false;
    try {
      const stored = await database.runQuery(accountId, (sql) => sumStored(sql, accountId));
      // Room taken meanwhile may or may not be part of the sum.
      for (const share of shares) {
        used[share] = plus(stored[share], minus(used[share], before[share]));
      }
      tally.isCounted = true;
    } catch (error) {
      log.warn({ err: error, accountId }, "stored answers not summed up");
    }
  }

  return {
    async take(accountId, share, wanted) {
      const tally = tallyOf(accountId);
      const fits = () => isWithin(plus(tally.used[share], wanted), max[share]);
      if (nowMs() - tally.countedAtMs > (tally.isCounted && fits() ? staleMs : recountMs)) {
        tally.counting ??= count(accountId, tally).finally(() => {
          tally.countedAtMs = nowMs();
          tally.counting = undefined;
        });
        await tally.counting;
      }
      if (!fits()) return false;
      tally.used[share] = plus(tally.used[share], wanted);
      return true;
    },
    giveBack(accountId, share, taken) {
      const tally = tallies.get(accountId);
      if (tally !== undefined) tally.used[share] = minus(tally.used[share], taken);
    },
  };
}

function plus(one: Room, other: Room): Room {
  return { rows: one.rows + other.rows, bytes: one.bytes + other.bytes };
}

function minus(one: Room, other: Room): Room {
  return { rows: one.rows - other.rows, bytes: one.bytes - other.bytes };
}

function isWithin(one: Room, max: Room): boolean {
  return one.rows <= max.rows && one.bytes <= max.bytes;
}

type SumRow = Room & { readonly name_bytes: number };

/** Deletes expired rows, so that they take up no uncounted room. */
async function sumStored(sql: Sql, accountId: AccountId): Promise<Record<Share, Room>> {
  const sums = await sql<SumRow[]>`
    with expired as (
      delete from stored_answers where account_id = ${accountId} and expires_at <= now())
    select octet_length(id) as name_bytes, count(*)::int as rows,
           coalesce(sum(octet_length(sealed)), 0)::float8 as bytes
      from stored_answers where account_id = ${accountId} and expires_at > now() group by 1`;
  const sumOf = (bytes: number): Room => sums.find((sum) => sum.name_bytes === bytes) ?? nothing;
  return {
    once: sumOf(cacheNameBytes - 1),
    cached: sumOf(cacheNameBytes),
    items: sumOf(itemNameBytes),
  };
}
