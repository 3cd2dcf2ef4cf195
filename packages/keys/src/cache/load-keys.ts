// Reads keys by the hashes callers presented: misses of the same moment share one query, and two
// callers with one unknown hash share its answer. One query runs at a time; the next batch fills
// behind it, so a flood of invented keys costs the database a query per round trip, not per key.

import type { AccountId, ApiKeyId, ProjectId } from "@turnpike/base";
import { Fault } from "@turnpike/base";
import { accounts, apiKeys, type Db, projects } from "@turnpike/db";
import { type SQL, Subquery, sql } from "drizzle-orm";
import type { Guardrails } from "../guardrails/compile-guardrails.ts";
import { guardrailSelection, guardrailsOfRows } from "../guardrails/load-guardrails.ts";
import {
  type RowLimits,
  rowLimitSelection,
  type SharedLimits,
  toRowLimits,
} from "../limits/key-limits.ts";
import { sharedSelection, toSharedLimits } from "../limits/shared-limits.ts";

/** Where prompts and answers are stored, of a project that has this switched on. */
export type PromptStorage = {
  readonly projectId: ProjectId;
  readonly redacts: boolean;
};

/** A key as the database has it, with what decides whether it may be used. */
export type KeyRecord = {
  readonly id: ApiKeyId;
  readonly accountId: AccountId;
  readonly limits: RowLimits;
  readonly shared: SharedLimits;
  /** Of the key, its project and its account. */
  readonly guardrails?: Guardrails | undefined;
  readonly disabledAt: Date | undefined;
  readonly revokedAt: Date | undefined;
  /** Set if the presented secret is the one from before a rotation: it works until then. */
  readonly secretUntil: Date | undefined;
  readonly accountSuspendedAt: Date | undefined;
  /** Undefined, nearly always: nothing is stored. */
  readonly prompts?: PromptStorage | undefined;
  /** How long responses are stored that do not refuse it. Undefined, nearly always: only those that ask for it are. */
  readonly responseHours?: number | undefined;
};

export type KeyLoader = {
  /** The record of this hash, undefined when there is none. Throws `overloaded` when unreadable. */
  readonly load: (hash: string) => Promise<KeyRecord | undefined>;
  /** Later callers must not join queries that have already started. */
  readonly forgetPending: () => void;
};

const batchHashesMax = 256;
const waitingHashesMax = 10_000;
const pauseMs = 2;

type Waiter = {
  readonly hash: string;
  readonly resolve: (record: KeyRecord | undefined) => void;
  readonly reject: (reason: Fault) => void;
};

export function createKeyLoader(db: Db): KeyLoader {
  const select = prepareSelect(db);
  const pending = new Map<string, Promise<KeyRecord | undefined>>();
  const waiting: Waiter[] = [];
  let running = false;

  async function run(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchHashesMax);
      await answerBatch(select, batch);
      // Most of a query costs the same however many keys share it: where several miss at once, the next is larger.
      if (batch.length > 1) await Bun.sleep(pauseMs);
    }
    running = false;
  }

  function load(hash: string): Promise<KeyRecord | undefined> {
    const joined = pending.get(hash);
    if (joined !== undefined) return joined;
    if (waiting.length >= waitingHashesMax) return Promise.reject(unreadable());
    const answer = new Promise<KeyRecord | undefined>((resolve, reject) => {
      waiting.push({ hash, resolve, reject });
    });
    pending.set(hash, answer);
    const forget = () => {
      if (pending.get(hash) === answer) pending.delete(hash);
    };
    answer.then(forget, forget);
    // One turn later, so that misses of the same turn share a query.
    if (!running) queueMicrotask(() => void (running || run()));
    return answer;
  }

  return { load, forgetPending: () => pending.clear() };
}

async function answerBatch(select: KeySelect, batch: readonly Waiter[]): Promise<void> {
  try {
    const records = await selectKeys(select, [...new Set(batch.map((waiter) => waiter.hash))]);
    for (const waiter of batch) waiter.resolve(records.get(waiter.hash));
  } catch (thrown) {
    const fault = unreadable(thrown);
    for (const waiter of batch) waiter.reject(fault);
  }
}

type KeySelect = ReturnType<typeof prepareSelect>;

/** Its text is built once: to do so for every batch took longer than everything else here. */
function prepareSelect(db: Db) {
  return (
    db
      .select({
        id: apiKeys.id,
        name: apiKeys.name,
        accountId: apiKeys.accountId,
        hash: apiKeys.hash,
        previousHash: apiKeys.previousHash,
        previousUntil: apiKeys.previousUntil,
        disabledAt: apiKeys.disabledAt,
        revokedAt: apiKeys.revokedAt,
        accountSuspendedAt: accounts.suspendedAt,
        promptDays: projects.promptDays,
        redactsPrompts: projects.redactsPrompts,
        responseHours: projects.responseHours,
        ...rowLimitSelection,
        ...sharedSelection,
        ...guardrailSelection,
      })
      // One array parameter: the statement stays the same for every batch size.
      .from(sql`load_keys(${sql.placeholder("hashes")}::bytea[]) found`)
      .crossJoinLateral(foundAs("api_keys", sql`found.api_key`))
      .crossJoinLateral(foundAs("accounts", sql`found.account`))
      .crossJoinLateral(foundAs("projects", sql`found.project`))
      .leftJoinLateral(foundAs("guardrails", sql`found.guardrail`), sql`true`)
      .prepare("load_keys")
  );
}

async function selectKeys(
  select: KeySelect,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, KeyRecord>> {
  const rows = await select.execute({
    hashes: `{${hashes.map((hash) => `"\\\\x${hash}"`).join(",")}}`,
  });
  const records = new Map<string, KeyRecord>();
  for (const own of Map.groupBy(rows, ({ id }) => id).values()) {
    const [row] = own;
    if (row === undefined) continue;
    const record = {
      id: row.id,
      accountId: row.accountId,
      limits: toRowLimits(row),
      shared: toSharedLimits(row),
      guardrails: guardrailsOfRows(own),
      disabledAt: row.disabledAt ?? undefined,
      revokedAt: row.revokedAt ?? undefined,
      secretUntil: undefined,
      accountSuspendedAt: row.accountSuspendedAt ?? undefined,
      prompts:
        row.promptDays === null
          ? undefined
          : { projectId: row.projectId, redacts: row.redactsPrompts },
      responseHours: row.responseHours ?? undefined,
    };
    records.set(Buffer.from(row.hash).toString("hex"), record);
    const { previousHash, previousUntil: secretUntil } = row;
    if (previousHash === null || secretUntil === null) continue;
    records.set(Buffer.from(previousHash).toString("hex"), { ...record, secretUntil });
  }
  return records;
}

/** A row that was found, by the name of its table: its columns are selected like those of the table. */
function foundAs<Name extends string>(name: Name, row: SQL) {
  return new Subquery<Name, Record<string, never>>(sql`select (${row}).*`, {}, name);
}

function unreadable(cause?: unknown): Fault {
  return new Fault("overloaded", "The API key could not be checked right now. Please try again.", {
    retryAfterMs: 1_000,
    cause,
  });
}
