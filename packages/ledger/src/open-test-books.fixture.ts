// For tests: a separate database in which to create accounts, keys and ledgers, and the checker
// to run over it afterwards.
import {
  type AccountId,
  type ApiKeyId,
  Fault,
  type GenerationId,
  type InstanceId,
  newId,
  type PriceId,
} from "@turnpike/base";
import { type Connection, connectDatabase, type Sql } from "@turnpike/db";
import { createLog, createMetrics, type Metrics } from "@turnpike/telemetry";
import { toNanos } from "@turnpike/terms";
import { createTestDatabase, patientLimits, type TestDatabase } from "@turnpike/testing";
import { type CallFacts, createCallFacts } from "./charges/call-facts.ts";
import { checkBooks, type Violation } from "./check/check-books.ts";
import type { Charge, Hold, HoldDecision, HoldRequest } from "./hold.ts";
import type { PayerOf } from "./leases/lease.ts";
import { postMovement } from "./movements/post-movement.ts";
import { type Ledger, type LedgerOptions, openLedger } from "./open-ledger.ts";

export const silentLog = createLog({ level: "silent", name: "test" });

export type Principal = { readonly accountId: AccountId; readonly keyId: ApiKeyId };
export type KeyLimits = { day?: bigint; week?: bigint; month?: bigint; total?: bigint };

type Counters = Record<`${"day" | "week" | "month" | "total"}_${"spent" | "held"}`, bigint>;

export type TestBooks = {
  readonly database: TestDatabase;
  /** As the owner, bypassing the server. */
  readonly owner: Connection;
  /** As the server. */
  readonly app: Connection;
  readonly instanceId: InstanceId;
  readonly metrics: Metrics;
  newPrincipal(balance: bigint, limits?: KeyLimits): Promise<Principal>;
  newKey(accountId: AccountId, limits?: KeyLimits): Promise<ApiKeyId>;
  move(accountId: AccountId, amount: bigint): Promise<void>;
  openLedger(options?: Partial<LedgerOptions>): Ledger;
  /** As posted: what open leases have spent is still held. */
  money(accountId: AccountId): Promise<{ balance: bigint; held: bigint; frozen: boolean }>;
  counters(keyId: ApiKeyId): Promise<Counters>;
  /** As people read it: what open leases have spent is spent. */
  shown(accountId: AccountId): Promise<{ balance: bigint; held: bigint }>;
  shownOfKey(keyId: ApiKeyId): Promise<Counters>;
  row(id: GenerationId): Promise<Record<string, unknown> | undefined>;
  /** Of an account, oldest first. */
  leases(accountId: AccountId): Promise<Record<string, unknown>[]>;
  check(): Promise<Violation[]>;
  close(): Promise<void>;
};

export async function openTestBooks(): Promise<TestBooks> {
  const database = await createTestDatabase();
  const owner = connectDatabase({ url: database.ownerUrl, max: 4, ...patientLimits });
  const app = connectDatabase({ url: database.url, max: 4 });
  const metrics = createMetrics();
  const ledgers: Ledger[] = [];
  const instanceId = newId<InstanceId>();
  await owner.sql`insert into instances (id) values (${instanceId})`;

  async function move(accountId: AccountId, amount: bigint): Promise<void> {
    await postMovement(owner.db, {
      accountId,
      amountNanos: toNanos(amount),
      kind: "adjustment",
      book: "adjustments",
      idempotencyKey: crypto.randomUUID(),
      reason: "test",
      actor: "test",
    });
  }

  async function newKey(accountId: AccountId, limits: KeyLimits = {}): Promise<ApiKeyId> {
    const id = newId<ApiKeyId>();
    await app.sql`
      insert into api_keys (account_id, id, name, hash, masked)
      values (${accountId}, ${id}, 'key', ${Buffer.from(id)}, 'masked')`;
    for (const [period, limit] of Object.entries(limits)) {
      await app.sql`
        insert into budgets (account_id, kind, subject_id, period, limit_nanos)
        values (${accountId}, 'key', ${id}, ${period}, ${limit.toString()})`;
    }
    return id;
  }

  return {
    database,
    owner,
    app,
    instanceId,
    metrics,
    move,
    newKey,
    async newPrincipal(balance, limits) {
      const accountId = newId<AccountId>();
      await app.sql`insert into accounts (id, name) values (${accountId}, 'account')`;
      if (balance !== 0n) await move(accountId, balance);
      return { accountId, keyId: await newKey(accountId, limits) };
    },
    openLedger(options) {
      const ledger = openLedger({
        url: database.url,
        instanceId,
        log: silentLog,
        metrics,
        admitting: () => true,
        // However busy the machine is.
        holdMs: 60_000,
        ...options,
      });
      ledgers.push(ledger);
      return ledger;
    },
    money: (accountId) => queryMoney(owner.sql, accountId),
    counters: (keyId) => queryCounters(owner.sql, "api_keys", keyId),
    async shown(accountId) {
      const [row] = await app.sql<{ balance_nanos: string; held_nanos: string }[]>`
        select balance_nanos, held_nanos from account_money where account_id = ${accountId}`;
      return { balance: BigInt(row?.balance_nanos ?? -1), held: BigInt(row?.held_nanos ?? -1) };
    },
    shownOfKey: (keyId) => queryCounters(app.sql, "key_money", keyId),
    async row(id) {
      const [row] = await owner.sql`select * from requests where id = ${id}`;
      return row;
    },
    async leases(accountId) {
      return owner.sql`select * from leases where account_id = ${accountId} order by opened_at, id`;
    },
    check: () => checkBooks(app.db),
    async close() {
      await Promise.all(ledgers.map((ledger) => ledger.close()));
      await Promise.all([owner.close(), app.close()]);
      metrics.close();
      await database.drop();
    },
  };
}

async function queryMoney(sql: Sql, accountId: AccountId) {
  const [row] = await sql<{ balance_nanos: string; held_nanos: string; frozen_at: Date | null }[]>`
    select balance_nanos, held_nanos, frozen_at from accounts where id = ${accountId}`;
  if (row === undefined) throw new Error(`no account ${accountId}`);
  return {
    balance: BigInt(row.balance_nanos),
    held: BigInt(row.held_nanos),
    frozen: row.frozen_at !== null,
  };
}

/** What counts today: the counters of a past period read as zero. */
async function queryCounters(sql: Sql, from: "api_keys" | "key_money", keyId: ApiKeyId) {
  const [row] = await sql<Record<string, string>[]>`
    select day_spent_nanos, day_held_nanos, week_spent_nanos, week_held_nanos,
           month_spent_nanos, month_held_nanos, total_spent_nanos, total_held_nanos
      from ${sql(from)} where ${sql(from === "api_keys" ? "id" : "key_id")} = ${keyId}`;
  const read = (name: string) => BigInt(row?.[`${name}_nanos`] ?? -1);
  return {
    day_spent: read("day_spent"),
    day_held: read("day_held"),
    week_spent: read("week_spent"),
    week_held: read("week_held"),
    month_spent: read("month_spent"),
    month_held: read("month_held"),
    total_spent: read("total_spent"),
    total_held: read("total_held"),
  };
}

/** A hold of exactly `want` by default. */
export function holdOf(
  payer: PayerOf,
  want: bigint,
  changes: Partial<Omit<HoldRequest, "facts">> = {},
  facts: Partial<CallFacts> = {},
): HoldRequest {
  return {
    facts: createCallFacts({ ...payer, id: newId<GenerationId>(), userAgent: "test", ...facts }),
    wantNanos: toNanos(want),
    floorNanos: toNanos(want),
    atMostHalf: false,
    allOrNothing: false,
    ...changes,
  };
}

/**
 * Closes the hold's lease without its ledger's knowledge, as another instance does for a dead one. While its ledger
 * returns headroom of it, a close passes over it.
 */
export async function closeLease({ owner }: TestBooks, { lease }: Hold): Promise<void> {
  let verdicts: string | undefined;
  while (verdicts !== "{closed}") {
    const [row] = await owner.sql<{ verdicts: string }[]>`
      select verdicts::text from release_leases(${newId<InstanceId>()},
        array[${lease.accountId}]::uuid[], array[${lease.id}]::uuid[], array[${lease.keyId}]::uuid[],
        array[0]::bigint[], array[true])`;
    verdicts = row?.verdicts;
  }
}

/** Where the calls of tests went. */
export const routeFacts = { model: "model", provider: "provider", priceId: newId<PriceId>() };

export function chargeOf(
  hold: Hold,
  cost: bigint,
  changes: Partial<Charge> = {},
  facts: Partial<CallFacts> = {},
): Charge {
  const known = { ...routeFacts, status: 200, outcome: "completed", ...facts };
  return {
    hold: withFacts(hold, known),
    state: "settled",
    costNanos: toNanos(cost),
    ...changes,
  };
}

/** The same hold, of a call of which this is known as well. */
export function withFacts(hold: Hold, known: Partial<CallFacts>): Hold {
  const facts = { ...hold.request.facts, ...known };
  return { ...hold, request: { ...hold.request, facts } };
}

/** The hold that was granted; throws if it was refused. */
export function grantOf(decision: HoldDecision): Hold {
  if (decision.verdict === "held") return decision.hold;
  throw new Error(`refused: ${decision.verdict}`);
}

/** The code of the Fault a promise rejects with; anything else fails the test. */
export async function faultCodeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Fault) return error.code;
    throw error;
  }
  return "no fault";
}
