// The ledger people read: usage per key and hour from leases, including open ones, beside usage
// from before leases; its rows always add up to the displayed balance, even while calls run.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { AccountId } from "@turnpike/base";
import { accountMoney, type Db } from "@turnpike/db";
import { formatUsd, toNanos } from "@turnpike/terms";
import { eq } from "drizzle-orm";
import {
  type LedgerQuery,
  type LedgerRow,
  queryKeys,
  queryLedger,
  queryLogs,
  querySpend,
  queryUsageTotals,
  queryWallet,
} from "./index.ts";
import { call, openTestReports, reserve, type TestReports } from "./open-test-reports.fixture.ts";

let site: TestReports;

beforeAll(async () => {
  site = await openTestReports();
});

afterAll(async () => {
  const violations = await site.check();
  await site.close();
  expect(violations).toEqual([]);
});

type Query = Partial<LedgerQuery> & Pick<LedgerQuery, "accountId">;

async function queryPages(db: Db, query: Query): Promise<LedgerRow[]> {
  const rows: LedgerRow[] = [];
  let cursor: string | undefined;
  do {
    const page = await queryLedger(db, { timeZone: "UTC", limit: 2, ...query, cursor });
    rows.push(...page.rows);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return rows;
}

/** All rows and the balance, in one snapshot. */
async function queryTogether(accountId: AccountId) {
  return site.app.db.transaction(
    async (db) => {
      const rows = await queryPages(db, { accountId });
      const [money] = await db
        .select({ balanceNanos: accountMoney.balanceNanos })
        .from(accountMoney)
        .where(eq(accountMoney.accountId, accountId));
      return { rows, balance: money?.balanceNanos };
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

const sumOf = (rows: readonly LedgerRow[]) => rows.reduce((sum, row) => sum + row.amountNanos, 0n);

/** `laptop 13:00 ×3 -6` of each row of usage. */
const linesOf = (rows: readonly LedgerRow[]) =>
  rows.flatMap(({ usage, amountNanos }) =>
    usage === null
      ? []
      : [
          `${usage.keyName ?? "playground"} ${usage.hour.toISOString().slice(11, 16)} ×${usage.calls} ${amountNanos}`,
        ],
  );

test("at any moment the rows add up to the balance: running calls, open and closed leases, old usage", async () => {
  const accountId = await site.newAccount(1_000_000n);
  const [laptop, ci] = [await site.newKey(accountId, "laptop"), await site.newKey(accountId, "ci")];
  await site.writePastCall({
    accountId,
    keyId: laptop,
    at: "2025-06-01T10:00:00Z",
    costNanos: 11n,
  });
  await site.writePastHour({
    accountId,
    keyId: ci,
    hour: "2025-06-02T10:00Z",
    costsNanos: [5n, 8n],
  });
  const ledgers = [await site.openLedger(), await site.openLedger()];
  let running = true;
  const work = ledgers.map(async (ledger) => {
    for (let cost = 1n; cost <= 60n; cost += 1n) {
      for (const keyId of [laptop, ci, null]) await call(ledger, { accountId, keyId }, cost);
      if (cost % 20n === 0n) await ledger.recall(accountId);
    }
  });
  const done = Promise.all(work).finally(() => {
    running = false;
  });
  const moments = new Set<bigint>();
  do {
    const { rows, balance } = await queryTogether(accountId);
    expect(sumOf(rows)).toBe(balance ?? -1n);
    expect(rows[0]?.balanceAfterNanos).toBe(balance);
    moments.add(sumOf(rows));
  } while (running);
  await done;
  // 2 ledgers × 3 payers × (1 + … + 60), and what was spent before.
  const left = 1_000_000n - 6n * 1_830n - 24n;
  expect((await queryTogether(accountId)).balance).toBe(toNanos(left));
  expect(moments.size).toBeGreaterThan(1);
  const open = await queryPages(site.app.db, { accountId, type: "usage" });
  for (const ledger of ledgers) expect(await ledger.drain()).toBe(true);
  const { rows, balance } = await queryTogether(accountId);
  expect(balance).toBe(toNanos(left));
  expect(sumOf(rows)).toBe(left);
  // Closing a lease posts its line without showing it twice.
  expect(linesOf(rows)).toEqual(linesOf(open));
});

test("a key has one line per hour over all instances, and the playground its own", async () => {
  const accountId = await site.newAccount(1_000n);
  const laptop = await site.newKey(accountId, "laptop");
  const past = { accountId, keyId: laptop };
  await site.writePastHour({ ...past, hour: "2025-06-03T13:00Z", costsNanos: [1n, 2n] });
  await site.writePastHour({ ...past, hour: "2025-06-03T13:00Z", costsNanos: [3n] });
  await site.writePastHour({ ...past, hour: "2025-06-03T14:00Z", costsNanos: [4n] });
  await site.writePastHour({ ...past, keyId: null, hour: "2025-06-03T14:00Z", costsNanos: [5n] });
  const rows = await queryPages(site.app.db, { accountId, type: "usage" });
  expect(linesOf(rows)).toEqual([
    "playground 14:00 ×1 -5",
    "laptop 14:00 ×1 -4",
    "laptop 13:00 ×3 -6",
  ]);
  expect(rows.map((row) => row.usage?.open)).toEqual([false, false, false]);
  expect(rows.map((row) => row.usage?.keyId)).toEqual([null, laptop, laptop]);
});

test("calls that cost nothing are counted in the line of their hour, but make no line on their own", async () => {
  const accountId = await site.newAccount(1_000n);
  const [laptop, ci] = [await site.newKey(accountId, "laptop"), await site.newKey(accountId, "ci")];
  const hour = "2025-06-03T13:00Z";
  await site.writePastHour({ accountId, keyId: laptop, hour, costsNanos: [7n] });
  await site.writePastHour({ accountId, keyId: laptop, hour, costsNanos: [0n, 0n] });
  await site.writePastHour({ accountId, keyId: ci, hour, costsNanos: [0n] });
  const rows = await queryPages(site.app.db, { accountId, type: "usage" });
  expect(linesOf(rows)).toEqual(["laptop 13:00 ×3 -7"]);
});

test("the running hour is marked, even after its lease was closed, and grows in place", async () => {
  const accountId = await site.newAccount(1_000n);
  const keyId = await site.newKey(accountId, "laptop");
  const ledger = await site.openLedger();
  await call(ledger, { accountId, keyId }, 2n);
  const [before] = await queryPages(site.app.db, { accountId, type: "usage" });
  await call(ledger, { accountId, keyId }, 3n);
  const [after, ...more] = await queryPages(site.app.db, { accountId, type: "usage" });
  expect(more).toEqual([]);
  expect(after).toMatchObject({ id: before?.id ?? "", at: before?.at, amountNanos: -5n });
  expect(after?.usage).toMatchObject({ calls: 2, open: true });
  await ledger.drain();
  const [closed] = await queryPages(site.app.db, { accountId, type: "usage" });
  // The test may have run past the end of an hour.
  const isOver = Date.now() >= (closed?.at.getTime() ?? 0);
  expect(closed?.usage).toMatchObject({ calls: 2, open: !isOver });
});

test("usage from before leases has one line per day in the reader's time zone, beside lines per hour", async () => {
  const accountId = await site.newAccount(1_000n);
  const keyId = await site.newKey(accountId, "laptop");
  const calls = ["2025-06-01T10:00:00Z", "2025-06-01T21:00:00Z", "2025-06-01T22:30:00Z"];
  for (const [index, at] of calls.entries()) {
    await site.writePastCall({ accountId, keyId, at, costNanos: 10n ** BigInt(index) });
  }
  await site.writePastHour({ accountId, keyId, hour: "2025-06-01T22:00Z", costsNanos: [1_0n] });
  const read = async (timeZone: string) =>
    (await queryPages(site.app.db, { accountId, timeZone, type: "usage" })).map(
      ({ day, amountNanos }) => [day, amountNanos],
    );
  expect(await read("UTC")).toEqual([
    [null, toNanos(-10n)],
    ["2025-06-01", toNanos(-111n)],
  ]);
  // Midnight in Vienna is 22:00 UTC.
  expect(await read("Europe/Vienna")).toEqual([
    [null, toNanos(-10n)],
    ["2025-06-02", toNanos(-100n)],
    ["2025-06-01", toNanos(-11n)],
  ]);
});

test("pages follow each other without gaps or repeats while the running hour grows", async () => {
  const accountId = await site.newAccount(1_000n);
  const keyId = await site.newKey(accountId, "laptop");
  for (const hour of [9, 10, 11]) {
    const at = new Date(Date.UTC(2025, 5, 3, hour)).toISOString();
    for (const payer of [keyId, null]) {
      await site.writePastHour({ accountId, keyId: payer, hour: at, costsNanos: [1n] });
    }
  }
  const ledger = await site.openLedger();
  await call(ledger, { accountId, keyId }, 1n);
  const all = (await queryPages(site.app.db, { accountId, limit: 100 })).map((row) => row.id);
  expect(all).toHaveLength(8);
  const paged: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await queryLedger(site.app.db, { accountId, timeZone: "UTC", limit: 3, cursor });
    paged.push(...page.rows.map((row) => row.id));
    cursor = page.nextCursor ?? undefined;
    await call(ledger, { accountId, keyId }, 1n);
    await site.move(accountId, 1n);
  } while (cursor !== undefined);
  // Rows added meanwhile appear above those already read, or update them, but replace none.
  expect(paged.filter((id) => all.includes(id))).toEqual(all);
  expect(new Set(paged).size).toBe(paged.length);
});

test("a range includes the hours that overlap it, not the one that ends where it begins", async () => {
  const accountId = await site.newAccount(1_000n);
  const keyId = await site.newKey(accountId, "laptop");
  for (const hour of [
    "2025-06-02T23:00Z",
    "2025-06-03T00:00Z",
    "2025-06-03T23:00Z",
    "2025-06-04T00:00Z",
  ]) {
    await site.writePastHour({ accountId, keyId, hour, costsNanos: [1n] });
  }
  const hoursOf = async (from: string, to: string) => {
    const range = { from: new Date(from), to: new Date(to) };
    const rows = await queryPages(site.app.db, { accountId, type: "usage", ...range });
    return rows.map((row) => row.usage?.hour.toISOString().slice(0, 16));
  };
  expect(await hoursOf("2025-06-03T00:00Z", "2025-06-04T00:00Z")).toEqual([
    "2025-06-03T23:00",
    "2025-06-03T00:00",
  ]);
  // A day in India begins at half past a UTC hour.
  expect(await hoursOf("2025-06-03T00:30Z", "2025-06-03T23:30Z")).toHaveLength(2);
});

test("Wallet, keys, Usage, Overview and Logs include a call as soon as it was charged, to the nano-dollar", async () => {
  const accountId = await site.newAccount(10_000_000_000n);
  const keyId = await site.newKey(accountId, "laptop");
  const ledger = await site.openLedger();
  const running = await reserve(ledger, { accountId, keyId }, 4_000_000_000n);
  await call(ledger, { accountId, keyId }, 1_234_567_891n);
  await ledger.recall(accountId);
  const wallet = await queryWallet(site.app.db, accountId);
  expect([wallet.balanceNanos, wallet.heldNanos].map(formatUsd)).toEqual(["8.765432109", "4"]);
  const [key] = await queryKeys(site.app.db, { accountId, includeRevoked: false });
  expect(key?.spend.total).toMatchObject({ spentNanos: 1_234_567_891n, heldNanos: 4_000_000_000n });
  const now = Date.now();
  const range = { accountId, from: new Date(now - 3_600_000), to: new Date(now + 60_000) };
  // A running call has no row yet: it counts neither as a request nor as an error.
  expect(await queryUsageTotals(site.app.db, range)).toMatchObject({
    costNanos: 1_234_567_891n,
    requests: 1,
    errorRate: 0,
  });
  expect((await queryLogs(site.app.db, { accountId, limit: 9 })).rows).toHaveLength(1);
  const spend = await querySpend(site.app.db, { accountId }, "UTC");
  expect(spend.monthNanos + spend.lastMonthNanos).toBe(1_234_567_891n);
  const [line] = await queryPages(site.app.db, { accountId, type: "usage" });
  expect(line).toMatchObject({ amountNanos: -1_234_567_891n, usage: { calls: 1, open: true } });
  const logged = await queryLogs(site.app.db, {
    accountId,
    limit: 9,
    keyIds: [keyId],
    from: line?.usage?.hour,
    to: line?.at,
  });
  expect(logged.rows.map((row) => row.chargedNanos)).toEqual([toNanos(1_234_567_891n)]);
  await running(0n);
  await ledger.drain();
});
