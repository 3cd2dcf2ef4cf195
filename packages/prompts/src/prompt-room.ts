// How much of the database the stored prompts of one account may take up: a full disk would stop every charge. A process
// counts what it stores, and sums up the rows again now and then, because others store prompts as well.
import type { AccountId } from "@turnpike/base";
import type { Sql } from "@turnpike/db";
import type { PromptRow } from "./write-prompts.ts";

type RunQuery = <Result>(payer: string, query: (sql: Sql) => Promise<Result>) => Promise<Result>;

/** Room that was full may be free again sooner than room that was not becomes full. */
const recountMs = { free: 600_000, full: 30_000 } as const;
const accountsMax = 10_000;

type Tally = { bytes: number; readonly countedAtMs: number };

export type PromptRoom = {
  /** Those that fit, which then count as stored. Rejects if the database cannot be asked. */
  readonly fit: (rows: readonly PromptRow[]) => Promise<readonly PromptRow[]>;
};

export function createPromptRoom(runQuery: RunQuery, bytesMax: number): PromptRoom {
  const tallies = new Map<AccountId, Tally>();

  async function tallyOf(accountId: AccountId, bytes: number): Promise<Tally> {
    const known = tallies.get(accountId);
    const isFull = known !== undefined && known.bytes + bytes > bytesMax;
    const staleMs = isFull ? recountMs.full : recountMs.free;
    if (known !== undefined && performance.now() - known.countedAtMs < staleMs) return known;
    const sum = await runQuery(accountId, (sql) => sumStored(sql, accountId));
    const counted = { bytes: sum, countedAtMs: performance.now() };
    tallies.delete(accountId);
    tallies.set(accountId, counted);
    const [oldest] = tallies.keys();
    if (tallies.size > accountsMax && oldest !== undefined) tallies.delete(oldest);
    return counted;
  }

  return {
    async fit(rows) {
      const fitting: PromptRow[] = [];
      for (const row of rows) {
        const bytes = row.sealed.byteLength;
        const tally = await tallyOf(row.accountId, bytes);
        if (tally.bytes + bytes > bytesMax) continue;
        tally.bytes += bytes;
        fitting.push(row);
      }
      return fitting;
    },
  };
}

async function sumStored(sql: Sql, accountId: AccountId): Promise<number> {
  const [sum] = await sql<{ bytes: number }[]>`
    select coalesce(sum(octet_length(sealed)), 0)::float8 as bytes
      from stored_prompts where account_id = ${accountId}`;
  return sum?.bytes ?? 0;
}
