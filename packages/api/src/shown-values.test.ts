// What the pages show of inserted rows: names, sums, flags of an empty account, and files that a
// spreadsheet opens without running anything.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type GenerationId, newId } from "@turnpike/base";
import { type Connection, connectDatabase } from "@turnpike/db";
import type { ApiContext } from "./context.ts";
import { callProcedure, type Member, openTestApi, type TestApi } from "./open-test-api.fixture.ts";

const hourMs = 3_600_000;
let api: TestApi;
let owner: Connection;
let ada: Member;
let context: ApiContext;

beforeAll(async () => {
  api = await openTestApi();
  owner = connectDatabase({ url: api.ownerUrl, max: 1 });
});
beforeEach(async () => {
  ada = await api.addMember();
  context = await api.contextOf(ada);
  // The refused request that every member starts with would disturb exact sums.
  await owner.sql`delete from requests where account_id = ${ada.accountId}`;
});
afterAll(async () => {
  await owner.close();
  await api.close();
});

async function ask<Value>(name: string, input: object): Promise<Value> {
  const outcome = await callProcedure(name, context, input);
  if (!outcome.ok) throw new Error(`${name}: ${outcome.fault} ${outcome.param}`);
  return readAs<Value>(outcome.value);
}

/** Guarantees nothing: each test says what it expects, and fails if it is missing. */
function readAs<Value>(value: unknown): Value {
  return value as Value;
}

type Row = { model?: string; keyId?: string | null; charged?: bigint; cached?: number };

/** A second ago: a page that ends at the present, in milliseconds, shows it. */
async function writeRequest({ model = "a/one", keyId, charged = 7n, cached = 0 }: Row = {}) {
  const id = newId<GenerationId>();
  const amount = charged.toString();
  const key = keyId === undefined ? ada.ownedIds.keyId : keyId;
  await owner.sql`
    insert into requests (account_id, id, key_id, origin, state, model, provider, status, outcome,
                          held_nanos, cost_nanos, charged_nanos, prompt_tokens, completion_tokens,
                          cached_tokens, total_ms, first_byte_ms, transaction_id, placed_at, ended_at)
    values (${ada.accountId}, ${id}, ${key}, ${key === null ? "playground" : "api"}, 'settled',
            ${model}, 'p', 200, 'completed', ${amount}, ${amount}, ${amount}, 30, 12, ${cached},
            20, 5, ${newId()}, now() - interval '1 second', now())`;
  return id;
}

const range = () => ({
  from: new Date(Date.now() - 5 * hourMs).toISOString(),
  to: new Date(Date.now() + hourMs).toISOString(),
});

describe("logs", () => {
  type Logs = {
    rows: Record<string, unknown>[];
    used: boolean;
    histogram: unknown[] | null;
    nextCursor: string | null;
  };

  test("an account that never made a request is distinguished from a filter that finds none", async () => {
    expect(await ask<Logs>("logs.list", {})).toMatchObject({ rows: [], used: false });
    await writeRequest();
    const filtered = await ask<Logs>("logs.list", { models: ["no/such"] });
    expect(filtered).toMatchObject({ rows: [], used: true });
    expect((await ask<Logs>("logs.list", {})).used).toBe(true);
  });

  test("bars are counted for the first page of a whole range only", async () => {
    const id = await writeRequest();
    const all = await ask<Logs>("logs.list", range());
    expect(all.histogram?.length).toBeGreaterThan(0);
    for (const partial of [
      {},
      { from: range().from },
      { to: range().to },
      { ...range(), newerThan: id },
      { ...range(), cursor: id },
    ]) {
      expect((await ask<Logs>("logs.list", partial)).histogram).toBeNull();
    }
  });

  test("a row says what was asked, what it cost, and whether anything came from a cache", async () => {
    await writeRequest({ charged: 1_234_567n, cached: 1 });
    await writeRequest({ keyId: null });
    const { rows } = await ask<Logs>("logs.list", {});
    expect(rows[0]).toMatchObject({ origin: "playground", keyId: null, cached: false });
    expect(rows[1]).toMatchObject({
      keyId: ada.ownedIds.keyId,
      keyName: "own",
      model: "a/one",
      cached: true,
      costUsd: "0.001234567",
      promptTokens: 30,
      completionTokens: 12,
      firstTokenMs: 5,
      totalMs: 20,
    });
  });

  test("a page has fifty rows by default, and says where the next begins", async () => {
    for (let n = 0; n < 51; n += 1) await writeRequest();
    const first = await ask<Logs>("logs.list", {});
    expect(first.rows).toHaveLength(50);
    const second = await ask<Logs>("logs.list", { cursor: first.nextCursor });
    expect(second.rows).toHaveLength(1);
    expect(second.nextCursor).toBeNull();
  });
});

describe("usage", () => {
  type Usage = {
    used: boolean;
    previous: unknown;
    previousSeries: { costUsd: string }[] | null;
    cards: Record<string, unknown>;
    breakdown: { id: string; label: string; costUsd: string }[];
  };
  const read = (more: object) =>
    ask<Usage>("usage.read", { ...range(), timeZone: "UTC", groupBy: "model", ...more });

  test("keys go by their names, the playground by its own, and models by their ids", async () => {
    await writeRequest({ charged: 30n });
    await writeRequest({ keyId: null, charged: 20n });
    await writeRequest({ model: "", charged: 10n });
    const byKey = await read({ groupBy: "key" });
    expect(byKey.breakdown.map(({ label }) => label).toSorted()).toEqual(["Playground", "own"]);
    const byModel = await read({ groupBy: "model" });
    expect(byModel.breakdown.map(({ id, label }) => [id, label])).toEqual([
      ["a/one", "a/one"],
      ["", "(none)"],
    ]);
  });

  test("a range is compared with the previous one only on request", async () => {
    await writeRequest({ charged: 2_000_000_000n });
    const alone = await read({});
    expect([alone.previous, alone.previousSeries]).toEqual([null, null]);
    expect(alone.cards).toMatchObject({ costUsd: "2", requests: 1, promptTokens: 30 });
    const later = {
      from: new Date(Date.now() + hourMs).toISOString(),
      to: new Date(Date.now() + 7 * hourMs).toISOString(),
    };
    const compared = await read({ ...later, compare: true });
    expect(compared).toMatchObject({ used: true, cards: { requests: 0, costUsd: "0" } });
    expect(compared.previous).toMatchObject({ requests: 1, costUsd: "2" });
    const before = compared.previousSeries?.map(({ costUsd }) => parseFloat(costUsd)) ?? [];
    expect(before.reduce((sum, cost) => sum + cost, 0)).toBe(2);
  });

  test("an account that never made a request is reported as such", async () => {
    expect((await read({})).used).toBe(false);
    await writeRequest();
    const nothing = { from: "2020-01-01T00:00:00Z", to: "2020-01-02T00:00:00Z" };
    expect((await read(nothing)).used).toBe(true);
  });
});

test("the overview shows the five keys that cost most, by name, and the five last requests", async () => {
  const { sql } = owner;
  for (let n = 1; n <= 6; n += 1) {
    const keyId = newId();
    await sql`insert into api_keys (account_id, id, name, hash, masked)
              values (${ada.accountId}, ${keyId}, ${`key ${n}`}, ${Buffer.from(keyId)}, 'masked')`;
    await writeRequest({ keyId, charged: BigInt(n) });
  }
  await writeRequest({ keyId: null, charged: 100n });
  type Overview = { topKeys: { name: string }[]; lastRequests: unknown[]; series: unknown[] };
  const shown = await ask<Overview>("overview.read", { timeZone: "UTC" });
  expect(shown.topKeys.map(({ name }) => name)).toEqual([
    "Playground",
    "key 6",
    "key 5",
    "key 4",
    "key 3",
  ]);
  expect(shown.lastRequests).toHaveLength(5);
  expect(shown.series).toHaveLength(30);
});

test("a key's page shows its days, its five most expensive models and its last ten errors", async () => {
  for (let n = 1; n <= 6; n += 1) await writeRequest({ model: `a/${n}`, charged: BigInt(n) });
  await writeRequest({ model: "a/playground", keyId: null, charged: 100n });
  const refused = `{${Array.from({ length: 11 }, () => newId<GenerationId>()).join(",")}}`;
  await owner.sql`
    insert into requests (account_id, id, key_id, state, model, status, outcome, error_code)
    select ${ada.accountId}, id, ${ada.ownedIds.keyId}, 'refused', 'a/one', 402, 'refused', 'quota'
      from unnest(${refused}::uuid[]) id`;
  type Detail = {
    key: { name: string };
    series: { requests: number }[];
    topModels: { model: string; costUsd: string }[];
    recentErrors: unknown[];
  };
  const shown = await ask<Detail>("keys.detail", { id: ada.ownedIds.keyId, timeZone: "UTC" });
  expect(shown.key.name).toBe("own");
  expect(shown.series).toHaveLength(30);
  expect(shown.topModels.map(({ model }) => model)).toEqual(["a/6", "a/5", "a/4", "a/3", "a/2"]);
  expect(shown.topModels[0]?.costUsd).toBe("0.000000006");
  expect(shown.recentErrors).toHaveLength(10);
});

describe("the ledger", () => {
  /** A closed lease with what it spent; `calls` of it. */
  async function writeLease(keyId: string | null, hour: string, calls: number, spent: bigint) {
    await owner.sql`
      insert into leases (account_id, id, key_id, instance_id, hour, granted_nanos, spent_nanos, calls,
                          closed_at)
      values (${ada.accountId}, ${newId()}, ${keyId}, ${newId()}, ${hour}, ${`${spent}`}, ${`${spent}`},
              ${calls}, ${hour}::timestamptz + interval '1 hour')`;
  }

  test("usage of an hour names its key, its hour and its calls, on the page and in the file", async () => {
    const { keyId } = ada.ownedIds;
    await owner.sql`update api_keys set name = 'laptop' where id = ${keyId}`;
    await writeLease(keyId, "2025-06-30T12:00:00Z", 1_203, 1_203_400_000n);
    await writeLease(null, "2025-06-30T23:00:00Z", 1, 5n);
    const type = "usage";
    const page = await ask<{ rows: object[] }>("wallet.ledger", { timeZone: "UTC", type });
    expect(page.rows).toMatchObject([
      { amountUsd: "-0.000000005", usage: { keyId: null, keyName: null, calls: 1, open: false } },
      {
        amountUsd: "-1.2034",
        usage: {
          keyId,
          keyName: "laptop",
          from: "2025-06-30T12:00:00.000Z",
          to: "2025-06-30T13:00:00.000Z",
          calls: 1_203,
          open: false,
        },
      },
    ]);
    const timeZone = "Europe/Vienna";
    const { csv } = await ask<{ csv: string }>("wallet.ledgerCsv", { timeZone, type });
    const lines = csv.trimEnd().split("\r\n");
    expect(lines[0]).toEndWith(",key_id,calls,hour_end,running,time_zone");
    // Days and hours of the reader as text; dates in UTC, at the beginning of the hour.
    expect(lines[1]).toMatch(
      /^2025-06-30T12:00:00\.000Z,usage,"laptop · 14:00–15:00 · 1,203 calls",-1\.2034,/,
    );
    expect(lines[1]).toEndWith(`,${keyId},1203,2025-06-30T13:00:00.000Z,no,Europe/Vienna`);
    expect(lines[2]).toStartWith(
      '2025-06-30T23:00:00.000Z,usage,"Playground · 01:00–02:00 · 1 call",-0.000000005,',
    );
    expect(lines[2]).toEndWith(",playground,1,2025-07-01T00:00:00.000Z,no,Europe/Vienna");
  });

  const move = (amount: string, reason: string) => owner.sql`
    select post_movement(${newId()}, 'adjustment', ${crypto.randomUUID()}, ${reason}, 'test',
                         ${ada.accountId}, ${amount}::bigint, 'adjustments')`;

  test("as a file runs nothing in a spreadsheet and keeps every cell whole", async () => {
    await move("1000000000", "=HYPERLINK(1)");
    await move("2000000000", 'said "no", twice');
    await move("-500000000", "plain");
    await move("1", "a;=1+1");
    const { csv } = await ask<{ csv: string }>("wallet.ledgerCsv", { timeZone: "UTC" });
    const lines = csv.split("\r\n");
    expect(lines[0]).toBe(
      "\ufeffdate,type,description,amount_usd,balance_after_usd,key_id,calls,hour_end,running,time_zone",
    );
    expect(lines.slice(1).map((line) => line.replace(/^[^,]*,/, ""))).toEqual([
      `adjustment,"'=HYPERLINK(1)",1,1,,,,,UTC`,
      'adjustment,"said ""no"", twice",2,3,,,,,UTC',
      "adjustment,plain,-0.5,2.5,,,,,UTC",
      `adjustment,"a;'=1+1",0.000000001,2.500000001,,,,,UTC`,
      "",
    ]);
  });

  test("shows pending top-ups only on its first page, without a balance", async () => {
    await owner.sql`update top_ups set state = 'pending' where id = ${ada.ownedIds.topUpId}`;
    for (let n = 0; n < 51; n += 1) await move("1000000000", `move ${n}`);
    type Page = { rows: Record<string, unknown>[]; nextCursor: string | null };
    const first = await ask<Page>("wallet.ledger", { timeZone: "UTC" });
    expect(first.rows.filter(({ pending }) => pending)).toEqual([
      expect.objectContaining({ type: "top_up", amountUsd: "1", balanceAfterUsd: null }),
    ]);
    expect(first.rows.filter(({ pending }) => !pending)).toHaveLength(50);
    const second = await ask<Page>("wallet.ledger", { timeZone: "UTC", cursor: first.nextCursor });
    expect(second.rows).toHaveLength(1);
    expect(second.rows[0]).toMatchObject({ pending: false, balanceAfterUsd: "1" });
  });
});
