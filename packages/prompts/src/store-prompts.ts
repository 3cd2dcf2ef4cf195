// Stores the prompts of calls that have ended: prepared, sealed and written in batches. It never rejects; what the database
// does not take in time is dropped and counted.
import type { GenerationId, Sealer } from "@turnpike/base";
import type { Sql } from "@turnpike/db";
import type { PromptStorage } from "@turnpike/keys";
import type { Log, PromptMeters } from "@turnpike/telemetry";
import { describePrompt } from "./prompt-content.ts";
import { createPromptRoom, type PromptRoom } from "./prompt-room.ts";
import { sealPrompt } from "./query-prompt.ts";
import { type PromptRow, writePrompts } from "./write-prompts.ts";

export type EndedCall = Pick<PromptRow, "accountId" | "at"> & {
  readonly generationId: GenerationId;
  readonly storage: PromptStorage;
  readonly text: string;
  readonly answer: string | undefined;
  readonly audio?: Buffer;
  readonly isStream: boolean;
  readonly isCut: boolean;
  /** Its memory is free again. */
  readonly release: () => void;
};

export type StoreOptions = {
  readonly sealer: Sealer;
  /** Runs a query on a connection that is free soon, or rejects. */
  readonly runQuery: <Result>(
    payer: string,
    query: (sql: Sql) => Promise<Result>,
  ) => Promise<Result>;
  readonly log: Log;
  readonly metrics: PromptMeters;
  /** Of one account, sealed. */
  readonly accountBytesMax: number;
  /** Before each further try to write a batch. */
  readonly retryMs: readonly number[];
  /** A process that ends does not wait for further tries. */
  readonly isClosing: () => boolean;
};

const batchRows = 64;
const batchBytes = 2 * 1_048_576;

/** Returns the function that stores the first of `waiting`, and removes them. */
export function createPromptStore(options: StoreOptions): (waiting: EndedCall[]) => Promise<void> {
  const room = createPromptRoom(options.runQuery, options.accountBytesMax);
  return async (waiting) => {
    const rows: PromptRow[] = [];
    const taken: EndedCall[] = [];
    let bytes = 0;
    while (rows.length < batchRows && bytes < batchBytes) {
      const next = waiting.shift();
      if (next === undefined) break;
      taken.push(next);
      const row = await prepare(options, next);
      if (row === undefined) continue;
      rows.push(row);
      bytes += row.sealed.byteLength;
    }
    if (rows.length > 0) await write(options, room, rows);
    for (const { release } of taken) release();
  };
}

async function prepare(
  { sealer, log, metrics }: StoreOptions,
  ended: EndedCall,
): Promise<PromptRow | undefined> {
  const { accountId, generationId, storage, text: request, at } = ended;
  try {
    const content = await describePrompt({ ...ended, request, redacts: storage.redacts });
    if (content === "declined" || content === "unreadable") return undefined;
    if (content === "too_large") {
      metrics.promptsNotStored("too_large", 1);
      return undefined;
    }
    const sealed = sealPrompt(sealer, accountId, generationId, content);
    const { projectId, redacts: isRedacted } = storage;
    return { accountId, generationId, projectId, at, isRedacted, sealed };
  } catch (error) {
    log.error({ err: error, generationId }, "a prompt could not be prepared for storage");
    metrics.promptsNotStored("failed", 1);
    return undefined;
  }
}

async function write(
  { runQuery, log, metrics, retryMs, isClosing }: StoreOptions,
  room: PromptRoom,
  rows: readonly PromptRow[],
): Promise<void> {
  let fitting: readonly PromptRow[] | undefined;
  for (let tries = 0; ; tries += 1) {
    try {
      if (fitting === undefined) {
        fitting = await room.fit(rows);
        const left = rows.length - fitting.length;
        if (left > 0) metrics.promptsNotStored("full", left);
      }
      const fits = fitting;
      const [first] = fits;
      if (first === undefined) return;
      metrics.promptsStored(await runQuery(first.accountId, (sql) => writePrompts(sql, fits)));
      return;
    } catch (error) {
      const pauseMs = isClosing() ? undefined : retryMs[tries];
      if (pauseMs !== undefined) {
        await Bun.sleep(pauseMs);
        continue;
      }
      const dropped = (fitting ?? rows).length;
      log.warn({ err: error, dropped }, "prompts not stored");
      metrics.promptsNotStored("failed", dropped);
      return;
    }
  }
}
