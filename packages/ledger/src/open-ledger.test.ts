import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { toNanos } from "@turnpike/base";
import type { HoldDecision } from "./hold.ts";
import { ledgerLimits, ledgerTimes, openLedger } from "./open-ledger.ts";
import {
  faultCodeOf,
  grantOf,
  holdOf,
  openTestBooks,
  settlementOf,
  silentLog,
  type TestBooks,
} from "./open-test-books.ts";

let books: TestBooks;
beforeAll(async () => {
  books = await openTestBooks();
});
afterAll(() => books.close());
afterEach(async () => expect(await books.check()).toEqual([]));

function count(decisions: readonly HoldDecision[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { verdict } of decisions) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
}

describe("several ledgers on one database", () => {
  for (const affordable of [0, 1, 7, 64]) {
    test(`money for ${affordable} of 200 equal holds admits exactly ${affordable}`, async () => {
      const ledgers = [books.openLedger(), books.openLedger(), books.openLedger()];
      const spender = await books.newSpender(BigInt(affordable) * 10n + 9n);
      const decisions = await Promise.all(
        Array.from({ length: 200 }, (_, i) => ledgers[i % 3]?.placeHold(holdOf(spender, 10n))),
      );
      const counts = count(decisions.filter((decision) => decision !== undefined));
      const refused = affordable === 0 ? "balance" : "in_flight";
      expect(counts).toEqual({
        ...(affordable > 0 && { held: affordable }),
        [refused]: 200 - affordable,
      });
      const held = BigInt(affordable) * 10n;
      expect(await books.money(spender.accountId)).toMatchObject({ held });
    });
  }

  test("holds of mixed sizes are never refused while the money covers them", async () => {
    const ledgers = [books.openLedger(), books.openLedger()];
    const sizes = Array.from({ length: 120 }, (_, i) => BigInt(1 + ((i * 37) % 90)));
    const total = sizes.reduce((sum, size) => sum + size, 0n);
    const spender = await books.newSpender(total);
    const decisions = await Promise.all(
      sizes.map((size, i) => ledgers[i % 2]?.placeHold(holdOf(spender, size))),
    );
    expect(decisions.map((decision) => decision?.verdict)).toEqual(sizes.map(() => "held"));
    expect(await books.money(spender.accountId)).toMatchObject({ held: total });
  });

  test("a key's spend limit is never passed, whoever spends at the same time", async () => {
    const ledgers = [books.openLedger(), books.openLedger()];
    const spender = await books.newSpender(100_000n, { day: 500n });
    const other = { ...spender, keyId: await books.newKey(spender.accountId) };
    const spend = async (i: number) => {
      const ledger = ledgers[i % 2];
      if (ledger === undefined) return;
      const hold = holdOf(i % 3 === 0 ? other : spender, 30n);
      const decision = await ledger.placeHold(hold);
      if (decision.verdict === "held") await ledger.settleHold(settlementOf(hold, 25n));
    };
    await Promise.all(Array.from({ length: 150 }, (_, i) => spend(i)));
    const { day_spent, day_held } = await books.counters(spender.keyId);
    expect(day_held).toBe(0n);
    expect(day_spent).toBeLessThanOrEqual(500n);
    // Sixteen holds of 30 fit at once; the charges of 25 may leave room for more.
    expect(day_spent).toBeGreaterThanOrEqual(16n * 25n);
    expect(await books.counters(other.keyId)).toMatchObject({ day_spent: 50n * 25n });
  });

  test("settling from two processes at once charges once", async () => {
    const [one, two] = [books.openLedger(), books.openLedger()];
    const spender = await books.newSpender(10_000n);
    const holds = Array.from({ length: 40 }, () => holdOf(spender, 100n));
    for (const decision of await Promise.all(holds.map((hold) => one.placeHold(hold)))) {
      grantOf(decision);
    }
    const ends = await Promise.all(
      holds.flatMap((hold) => [one, two].map((l) => l.settleHold(settlementOf(hold, 60n)))),
    );
    expect(ends.filter((end) => end.verdict === "settled")).toHaveLength(40);
    expect(ends.filter((end) => end.verdict === "already")).toHaveLength(40);
    expect(await books.money(spender.accountId)).toMatchObject({ balance: 7_600n, held: 0n });
  });
});

describe("a ledger", () => {
  test("admits nothing while its process cannot be sure to be alive, and settles all the same", async () => {
    let alive = true;
    const ledger = books.openLedger({ admitting: () => alive });
    const spender = await books.newSpender(1_000n);
    const hold = holdOf(spender, 10n);
    grantOf(await ledger.placeHold(hold));
    alive = false;
    expect(await faultCodeOf(ledger.placeHold(holdOf(spender, 10n)))).toBe("overloaded");
    expect(await ledger.settleHold(settlementOf(hold, 10n))).toMatchObject({ verdict: "settled" });
    alive = true;
    grantOf(await ledger.placeHold(holdOf(spender, 10n)));
  });

  test("many holds at once share few commits", async () => {
    const ledger = books.openLedger();
    const spender = await books.newSpender(100_000n);
    const before = await commits();
    await Promise.all(Array.from({ length: 256 }, () => ledger.placeHold(holdOf(spender, 10n))));
    expect((await commits()) - before).toBeLessThanOrEqual(256 / ledgerLimits.batch + 1);
  });

  test("drained, it has nothing left to settle", async () => {
    const ledger = books.openLedger();
    const spender = await books.newSpender(1_000n);
    const holds = Array.from({ length: 10 }, () => holdOf(spender, 10n));
    const placed = holds.map((hold) => ledger.placeHold(hold));
    await ledger.drain();
    expect((await Promise.all(placed)).map(grantOf)).toEqual(holds.map(() => toNanos(10n)));
    const settled = holds.map((hold) => ledger.settleHold(settlementOf(hold, 10n)));
    expect(ledger.unsettled()).toBe(10);
    await ledger.drain();
    expect(ledger.unsettled()).toBe(0);
    await Promise.all(settled);
    expect(await books.money(spender.accountId)).toEqual({
      balance: 900n,
      held: 0n,
      frozen: false,
    });
  });

  test("closed, it answers at once and keeps nothing running", async () => {
    const ledger = openLedger({
      url: books.database.url,
      instanceId: books.instanceId,
      holdLifetimeMs: 60_000,
      log: silentLog,
      metrics: books.metrics,
      admitting: () => true,
    });
    const spender = await books.newSpender(1_000n);
    await ledger.close();
    expect(await faultCodeOf(ledger.placeHold(holdOf(spender, 10n)))).toBe("overloaded");
    const settlement = settlementOf(holdOf(spender, 10n), 10n);
    await expect(ledger.settleHold(settlement)).rejects.toThrow("CONNECTION_ENDED");
    await ledger.drain();
  });

  test("has the bounds that the design asks for", () => {
    expect(ledgerTimes).toEqual({
      holdMs: 1_000,
      holdAgeMs: 1_000,
      holdAsideMs: 3_000,
      settleMs: 5_000,
      lockMs: 2_000,
    });
    expect(ledgerLimits).toEqual({
      batch: 128,
      sides: 4,
      queuedHolds: 10_000,
      queuedSettlements: 10_000,
      settleTries: 7,
      unsettledToAdmit: 5_000,
    });
  });
});

/** Ledger commits that wrote requests: one transaction id each. */
async function commits(): Promise<number> {
  const [row] = await books.owner.sql<{ commits: number }[]>`
    select count(distinct xmin::text)::int as commits from requests`;
  return row?.commits ?? 0;
}
