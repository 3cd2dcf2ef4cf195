// Reports over inserted rows: the views of one range agree, days begin in the
// reader's time zone, and a bill's lines sum to its charge.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createAccount } from "@turnpike/accounts";
import { type AccountId, type GenerationId, newId, type TopUpId } from "@turnpike/base";
import { type Connection, connectDatabase } from "@turnpike/db";
import { postMovement } from "@turnpike/ledger";
import { formatFemtos, toNanos } from "@turnpike/terms";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import {
  costLinesOf,
  queryLedger,
  queryLogDetail,
  queryLogHistogram,
  queryLogs,
  queryPendingTopUps,
  queryUsage,
  queryUsageTotals,
  queryWallet,
} from "./index.ts";

let database: TestDatabase;
let owner: Connection;
let app: Connection;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = connectDatabase({ url: database.ownerUrl, max: 2 });
  app = connectDatabase({ url: database.url, max: 4 });
});

afterAll(async () => {
  await Promise.all([owner.close(), app.close()]);
  await database.drop();
});

async function newAccount(): Promise<AccountId> {
  const email = `${crypto.randomUUID()}@example.com`;
  return (await createAccount(app.db, { email })).accountId;
}

type Row = {
  at: string;
  chargedNanos?: bigint;
  model?: string;
  status?: number;
  outcome?: string;
  app?: string;
  user?: string;
};

async function writeRequest(accountId: AccountId, row: Row): Promise<GenerationId> {
  const { at, chargedNanos = 0n, model = "m/one", status = 200, outcome = "completed" } = row;
  const { app: caller = null, user = null } = row;
  const charged = chargedNanos.toString();
  const [written] = await owner.sql<{ id: GenerationId }[]>`
    insert into requests (account_id, id, state, model, provider, placed_at, ended_at, status, outcome,
                          error_code, held_nanos, cost_nanos, charged_nanos, prompt_tokens, total_ms,
                          transaction_id, app, end_user)
    select ${accountId}, encode(overlay(uuid_send(uuid7_floor(${at}::timestamptz))
             placing substring(uuid_send(gen_random_uuid()) from 9 for 8) from 9 for 8), 'hex')::uuid,
           'settled', ${model}, 'p', ${at}, ${at}, ${status}, ${outcome},
           ${outcome === "completed" ? null : "bad_gateway"}, ${charged}, ${charged}, ${charged}, 10,
           20, ${newId()}, ${caller}, ${user}
    returning id`;
  if (written === undefined) throw new Error("the request was not written");
  return written.id;
}

describe("usage", () => {
  test("cards, series and breakdown of one range have the same sums", async () => {
    const accountId = await newAccount();
    for (let hour = 0; hour < 60; hour += 5) {
      const at = new Date(Date.UTC(2026, 10, 10, hour)).toISOString();
      await writeRequest(accountId, { at, chargedNanos: BigInt(hour + 1), model: `m/${hour % 3}` });
    }
    const query = {
      accountId,
      from: new Date("2026-11-10T00:00:00Z"),
      to: new Date("2026-11-12T10:00:00Z"),
      timeZone: "UTC",
    };
    const { totals, breakdown, series } = await queryUsage(app.db, query, "model");
    const costs = series.flatMap((bucket) => bucket.groups.map((group) => group.costNanos));
    expect(totals.requests).toBe(12);
    expect(breakdown.reduce((sum, row) => sum + row.costNanos, 0n)).toBe(totals.costNanos);
    expect(costs.reduce((sum: bigint, cost) => sum + cost, 0n)).toBe(totals.costNanos);
    expect(series.map((bucket) => bucket.at.toISOString())).toEqual([
      "2026-11-10T00:00:00.000Z",
      "2026-11-11T00:00:00.000Z",
      "2026-11-12T00:00:00.000Z",
    ]);
  });

  test.each([
    ["Pacific/Auckland", "2026-11-10T11:00:00.000Z"],
    ["America/Los_Angeles", "2026-11-10T08:00:00.000Z"],
  ])("a day in %s begins at its own midnight", async (timeZone, midnight) => {
    const accountId = await newAccount();
    const start = new Date(midnight).getTime();
    await writeRequest(accountId, { at: new Date(start - 1_000).toISOString(), chargedNanos: 1n });
    await writeRequest(accountId, { at: midnight, chargedNanos: 10n });
    const { series } = await queryUsage(
      app.db,
      {
        accountId,
        from: new Date(start - 86_400_000 * 3),
        to: new Date(start + 86_400_000),
        timeZone,
      },
      "model",
    );
    const ofDay = new Map(series.map(({ at, groups }) => [at.toISOString(), groups[0]?.costNanos]));
    expect(ofDay.get(midnight)).toBe(toNanos(10n));
    expect(ofDay.get(new Date(start - 86_400_000).toISOString())).toBe(toNanos(1n));
  });

  test("an empty range has no rates, not zero", async () => {
    const accountId = await newAccount();
    const range = { accountId, from: new Date(0), to: new Date(1_000) };
    expect(await queryUsageTotals(app.db, range)).toEqual({
      costNanos: toNanos(0n),
      requests: 0,
      promptTokens: 0,
      completionTokens: 0,
      cachedTokens: 0,
      units: {},
      errorRate: null,
      p50Ms: null,
      p95Ms: null,
      firstTokenP50Ms: null,
    });
  });
});

describe("logs", () => {
  test("pages follow each other without gaps or repeats, newest first", async () => {
    const accountId = await newAccount();
    const written: GenerationId[] = [];
    for (let minute = 0; minute < 7; minute += 1) {
      const at = new Date(Date.UTC(2026, 10, 10, 0, minute)).toISOString();
      written.unshift(await writeRequest(accountId, { at }));
    }
    const read: GenerationId[] = [];
    let cursor: GenerationId | undefined;
    do {
      const page = await queryLogs(app.db, { accountId, limit: 3, cursor });
      read.push(...page.rows.map((row) => row.id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(read).toEqual(written);
  });

  test("filters narrow by status class and by any spelling of the id", async () => {
    const accountId = await newAccount();
    const at = "2026-11-10T00:00:00Z";
    const good = await writeRequest(accountId, { at });
    const gone = await writeRequest(accountId, { at, status: 499, outcome: "client_closed" });
    const bad = await writeRequest(accountId, { at, status: 502, outcome: "upstream_failed" });
    const list = async (filter: object) =>
      (await queryLogs(app.db, { accountId, limit: 10, ...filter })).rows.map((row) => row.id);
    expect(await list({ statusClass: "2xx" })).toEqual([good]);
    expect(await list({ statusClass: "canceled" })).toEqual([gone]);
    expect(await list({ statusClass: "5xx" })).toEqual([bad]);
    const refused = await writeRequest(accountId, { at, status: 402, outcome: "refused" });
    expect((await list({ statusClass: "failed" })).toSorted()).toEqual([bad, refused].toSorted());
    expect(await list({ requestId: `gen-${good.replaceAll("-", "")}` })).toEqual([good]);
  });

  test("requests that were sent without an app, or without a user, can be listed and counted", async () => {
    const accountId = await newAccount();
    const at = "2026-11-10T12:00:00Z";
    const named = await writeRequest(accountId, { at, app: "shop", user: "ada" });
    const ofNoUser = await writeRequest(accountId, { at, app: "shop" });
    const ofNoApp = await writeRequest(accountId, { at, user: "ada" });
    const range = {
      from: new Date("2026-11-10T00:00:00Z"),
      to: new Date("2026-11-11T00:00:00Z"),
    };
    const list = async (without: readonly ("app" | "user")[]) => {
      const query = { accountId, limit: 10, without, ...range };
      const bars = await queryLogHistogram(app.db, query);
      const { rows } = await queryLogs(app.db, query);
      expect(bars.reduce((sum, bar) => sum + bar.ok + bar.failed, 0)).toBe(rows.length);
      return rows.map((row) => row.id).toSorted();
    };
    expect(await list([])).toEqual([named, ofNoUser, ofNoApp].toSorted());
    expect(await list(["user"])).toEqual([ofNoUser]);
    expect(await list(["app"])).toEqual([ofNoApp]);
    expect(await list(["app", "user"])).toEqual([]);
  });

  test("the histogram counts every request of the range once", async () => {
    const accountId = await newAccount();
    await writeRequest(accountId, { at: "2026-11-10T00:00:00Z" });
    await writeRequest(accountId, { at: "2026-11-10T23:59:59Z", status: 502, outcome: "failed" });
    const bars = await queryLogHistogram(app.db, {
      accountId,
      limit: 1,
      from: new Date("2026-11-10T00:00:00Z"),
      to: new Date("2026-11-11T00:00:00Z"),
    });
    expect(bars.at(0)).toMatchObject({ ok: 1, failed: 0 });
    expect(bars.at(-1)).toMatchObject({ ok: 0, failed: 1 });
    expect(bars.reduce((sum, bar) => sum + bar.ok + bar.failed, 0)).toBe(2);
  });

  test("a request of another account is not found", async () => {
    const id = await writeRequest(await newAccount(), { at: "2026-11-10T00:00:00Z" });
    expect(await queryLogDetail(app.db, { accountId: await newAccount() }, id)).toBeUndefined();
  });
});

describe("the ledger", () => {
  test("every page shows the balance after each row, and the rows add up to the balance", async () => {
    const accountId = await newAccount();
    const amounts = [5_000n, -1_000n, 250n, 7n];
    for (const [index, amount] of amounts.entries()) {
      await postMovement(owner.db, {
        accountId,
        amountNanos: toNanos(amount),
        kind: "adjustment",
        book: "adjustments",
        idempotencyKey: `${accountId}-${index}`,
        reason: `number ${index}`,
        actor: "test",
      });
    }
    const first = await queryLedger(app.db, { accountId, timeZone: "UTC", limit: 3 });
    const cursor = first.nextCursor ?? "none";
    const second = await queryLedger(app.db, { accountId, timeZone: "UTC", limit: 3, cursor });
    const rows = [...first.rows, ...second.rows];
    expect(rows.map((row) => row.reason)).toEqual(["number 3", "number 2", "number 1", "number 0"]);
    expect(rows.map((row) => row.balanceAfterNanos)).toEqual(
      [4_257n, 4_250n, 4_000n, 5_000n].map(toNanos),
    );
    expect(second.nextCursor).toBeNull();
    const wallet = await queryWallet(app.db, accountId);
    expect(wallet.funded).toBe(true);
    expect((await queryWallet(app.db, await newAccount())).funded).toBe(false);
    expect(rows.reduce((sum, row) => sum + row.amountNanos, 0n)).toBe(wallet.balanceNanos);
  });

  test("a paid top-up has its receipt; a pending one is listed separately and counts nowhere", async () => {
    const accountId = await newAccount();
    const paid = newId<TopUpId>();
    const waiting = newId<TopUpId>();
    const receiptUrl = "https://pay.example/receipt";
    await owner.sql`
      insert into top_ups (id, account_id, amount_nanos, processor, state, payment_intent_id, receipt_url,
                           credited_nanos)
      values (${paid}, ${accountId}, 5000, 'stripe', 'paid', ${`pi_${paid}`}, ${receiptUrl}, 5000),
             (${waiting}, ${accountId}, 7000, 'stripe', 'processing', null, null, 0),
             (${newId()}, ${accountId}, 9000, 'stripe', 'expired', null, null, 0)`;
    await postMovement(app.db, {
      accountId,
      amountNanos: toNanos(5_000n),
      kind: "top_up",
      book: "stripe_clearing",
      idempotencyKey: `stripe:pi_${paid}`,
      reason: "",
      actor: "stripe",
    });
    const { rows } = await queryLedger(app.db, { accountId, timeZone: "UTC", limit: 3 });
    expect(rows).toMatchObject([{ type: "top_up", topUpId: paid, receiptUrl }]);
    const pending = await queryPendingTopUps(app.db, { accountId });
    expect(pending).toMatchObject([{ id: waiting, amountNanos: 7_000n }]);
    expect(await queryPendingTopUps(app.db, { accountId, type: "usage" })).toEqual([]);
  });
});

test("cost lines sum to the charge exactly, rounding and shortfall included", () => {
  const price = {
    inputNanosPerMillion: 150_000_001n,
    cachedInputNanosPerMillion: 75_000_000n,
    cacheWriteNanosPerMillion: 0n,
    outputNanosPerMillion: 600_000_000n,
  };
  const lines = costLinesOf(
    {
      promptTokens: 7,
      cachedTokens: 2,
      cacheWriteTokens: 0,
      cacheWrite1hTokens: 0,
      completionTokens: 3,
      costNanos: toNanos(2_701n),
      chargedNanos: toNanos(2_000n),
      shortfallNanos: toNanos(701n),
    },
    price,
  );
  expect(lines.map((line) => [line.label, formatFemtos(line.costFemtos)])).toEqual([
    ["Input", "0.000000750000005"],
    ["Cached input", "0.00000015"],
    ["Output", "0.0000018"],
    ["Rounding", "0.000000000999995"],
    ["Not charged", "-0.000000701"],
  ]);
  const sum = lines.reduce((total, line) => total + line.costFemtos, 0n);
  expect(sum).toBe(2_000n * 1_000_000n);
});
