import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { HoldDecision } from "./hold.ts";
import { ledgerLimits, ledgerTimes } from "./ledger-bounds.ts";
import { type Ledger, openLedger } from "./open-ledger.ts";
import {
  chargeOf,
  faultCodeOf,
  grantOf,
  holdOf,
  openTestBooks,
  silentLog,
  type TestBooks,
} from "./open-test-books.fixture.ts";

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

/** Ledgers of processes that recall each other's idle money, as instances do. */
function openLedgers(count: number): Ledger[] {
  const ledgers: Ledger[] = [];
  for (let index = 0; index < count; index += 1) {
    ledgers.push(
      books.openLedger({
        async recallElsewhere(accountId) {
          const others = ledgers.filter((_, other) => other !== index);
          await Promise.all(others.map((ledger) => ledger.recall(accountId)));
        },
      }),
    );
  }
  return ledgers;
}

function ledgerAt(ledgers: readonly Ledger[], index: number): Ledger {
  const ledger = ledgers[index % ledgers.length];
  if (ledger === undefined) throw new Error("no ledger");
  return ledger;
}

async function release(decisions: readonly HoldDecision[], ledgers: readonly Ledger[]) {
  for (const [index, decision] of decisions.entries()) {
    if (decision.verdict !== "held") continue;
    await ledgerAt(ledgers, index).charge(chargeOf(decision.hold, 0n, { state: "released" }));
  }
}

test("waiting for every hold to end includes holds that are granted meanwhile", async () => {
  const ledger = books.openLedger();
  await ledger.everyHoldEnded();
  const principal = await books.newPrincipal(100n);
  const first = grantOf(await ledger.hold(holdOf(principal, 10n)));
  let ended = false;
  const waiting = ledger.everyHoldEnded().then(() => {
    ended = true;
  });
  const second = grantOf(await ledger.hold(holdOf(principal, 10n)));
  await ledger.charge(chargeOf(first, 1n));
  expect(ended).toBe(false);
  const charged = ledger.charge(chargeOf(second, 1n));
  await waiting;
  await charged;
});

describe("several ledgers on one database", () => {
  for (const affordable of [0, 1, 7, 64]) {
    test(`money for ${affordable} of 200 equal calls admits exactly ${affordable}`, async () => {
      const ledgers = openLedgers(3);
      const principal = await books.newPrincipal(BigInt(affordable) * 10n + 9n);
      const decisions = await Promise.all(
        Array.from({ length: 200 }, (_, i) => ledgerAt(ledgers, i).hold(holdOf(principal, 10n))),
      );
      const refused = affordable === 0 ? "balance" : "in_flight";
      expect(count(decisions)).toEqual({
        ...(affordable > 0 && { held: affordable }),
        [refused]: 200 - affordable,
      });
      await Promise.all(ledgers.map((ledger) => ledger.recall()));
      const held = BigInt(affordable) * 10n;
      expect(await books.money(principal.accountId)).toMatchObject({ held });
      await release(decisions, ledgers);
    });
  }

  test("calls of mixed sizes are never refused while the money covers them", async () => {
    const ledgers = openLedgers(2);
    const sizes = Array.from({ length: 120 }, (_, i) => BigInt(1 + ((i * 37) % 90)));
    const total = sizes.reduce((sum, size) => sum + size, 0n);
    const principal = await books.newPrincipal(total);
    const decisions = await Promise.all(
      sizes.map((size, i) => ledgerAt(ledgers, i).hold(holdOf(principal, size))),
    );
    expect(decisions.map((decision) => decision.verdict)).toEqual(sizes.map(() => "held"));
    expect(await books.money(principal.accountId)).toMatchObject({ held: total });
    await release(decisions, ledgers);
  });

  test("a key's spend limit is never exceeded but can be used up, with two processes spending", async () => {
    const ledgers = openLedgers(2);
    const principal = await books.newPrincipal(100_000n, { day: 500n });
    const other = { ...principal, keyId: await books.newKey(principal.accountId) };
    const spend = async (i: number) => {
      const ledger = ledgerAt(ledgers, i);
      const decision = await ledger.hold(holdOf(i % 3 === 0 ? other : principal, 30n));
      if (decision.verdict === "held") await ledger.charge(chargeOf(decision.hold, 25n));
    };
    await Promise.all(Array.from({ length: 150 }, (_, i) => spend(i)));
    await Promise.all(ledgers.map((ledger) => ledger.recall()));
    const { day_spent, day_held } = await books.shownOfKey(principal.keyId);
    expect(day_held).toBe(0n);
    expect(day_spent).toBeLessThanOrEqual(500n);
    // Sixteen concurrent holds of 30 fit; the charges of 25 may leave room for more.
    expect(day_spent).toBeGreaterThanOrEqual(16n * 25n);
    expect(await books.shownOfKey(other.keyId)).toMatchObject({ day_spent: 50n * 25n });
  });
});

describe("a ledger", () => {
  test("grants nothing to a call that waited while its process was stopped", async () => {
    let alive = true;
    const ledger = books.openLedger({ admitting: () => alive });
    const principal = await books.newPrincipal(1_000n);
    let waiting: HoldDecision | Promise<HoldDecision> | undefined;
    await books.owner.sql.begin(async (sql) => {
      await sql`select 1 from accounts where id = ${principal.accountId} for update`;
      waiting = ledger.hold(holdOf(principal, 10n));
      alive = false;
    });
    expect(await faultCodeOf(Promise.resolve(waiting))).toBe("overloaded");
    expect(ledger.running()).toBe(0);
    await ledger.recall();
    expect(await books.money(principal.accountId)).toMatchObject({ held: 0n });
  });

  test("grants nothing while its heartbeat has lapsed, but still charges", async () => {
    let alive = true;
    const ledger = books.openLedger({ admitting: () => alive });
    const principal = await books.newPrincipal(100_000n);
    const hold = grantOf(await ledger.hold(holdOf(principal, 10n)));
    const tryHold = async () => ledger.hold(holdOf(principal, 10n));
    alive = false;
    expect(await faultCodeOf(tryHold())).toBe("overloaded");
    expect(await ledger.charge(chargeOf(hold, 10n))).toMatchObject({ verdict: "settled" });
    alive = true;
    const again = grantOf(await tryHold());
    await ledger.charge(chargeOf(again, 0n, { state: "released" }));
  });

  test("refuses a call whose lease was closed at every one of three tries, instead of asking for ever", async () => {
    await books.owner.sql.unsafe(`
      create schema closing;
      create sequence closing.asked;
      create function closing.acquire_leases(uuid, boolean, boolean, uuid[], uuid[], uuid[],
          bigint[], bigint[], bigint[], bigint[], boolean[], boolean[], uuid[],
          out verdicts text[], out granted bigint[], out extra bigint[], out available bigint[],
          out elsewhere bigint[], out resets_ms bigint[], out hour_left_ms float8)
        language sql security definer as $$
          select '{closed}'::text[], '{0}'::bigint[], '{0}'::bigint[], '{0}'::bigint[],
                 '{0}'::bigint[], '{NULL}'::bigint[], 1000::float8 from nextval('closing.asked')
        $$;
      grant usage on schema closing to turnpike_app;
      grant execute on all functions in schema closing to turnpike_app`);
    const ledger = books.openLedger({ url: `${books.database.url}?search_path=closing,public` });
    const principal = await books.newPrincipal(1_000n);
    const tryHold = async () => ledger.hold(holdOf(principal, 10n));
    expect(await faultCodeOf(tryHold())).toBe("overloaded");
    expect([...(await books.owner.sql`select last_value from closing.asked`)]).toEqual([
      { last_value: "3" },
    ]);
  });

  test("in the steady state a call is one inserted row, and many share few commits", async () => {
    const ledger = books.openLedger({ nowMs: () => 1_000 });
    const principal = await books.newPrincipal(100_000_000n);
    const decisions = await Promise.all(
      Array.from({ length: 256 }, () => ledger.hold(holdOf(principal, 10n))),
    );
    const before = await commits();
    const accountBefore = await books.money(principal.accountId);
    await Promise.all(decisions.map((decision) => ledger.charge(chargeOf(grantOf(decision), 10n))));
    expect((await commits()) - before).toBeLessThanOrEqual(256 / ledgerLimits.batch + 1);
    expect(await books.money(principal.accountId)).toEqual(accountBefore);
    expect(await books.leases(principal.accountId)).toMatchObject([{ calls: 256 }]);
  });

  test("once closed, answers immediately and keeps nothing running", async () => {
    const ledger = openLedger({
      url: books.database.url,
      instanceId: books.instanceId,
      log: silentLog,
      metrics: books.metrics,
      admitting: () => true,
    });
    const principal = await books.newPrincipal(1_000n);
    const hold = grantOf(await ledger.hold(holdOf(principal, 10n)));
    await ledger.close();
    const tryHold = async () => ledger.hold(holdOf(principal, 20n));
    expect(await faultCodeOf(tryHold())).toBe("overloaded");
    await expect(ledger.charge(chargeOf(hold, 10n))).rejects.toThrow("CONNECTION_ENDED");
  });

  test("has the bounds that the design asks for", () => {
    expect(ledgerTimes).toEqual({
      holdMs: 1_000,
      holdAgeMs: 1_000,
      holdAsideMs: 3_000,
      chargeMs: 5_000,
      lockMs: 2_000,
      recallMs: 2_000,
      recallBeforeTakingMs: 3_000,
    });
    expect(ledgerLimits).toEqual({
      batch: 128,
      lockedAccountConnections: 2,
      queuedHolds: 10_000,
      queuedCharges: 10_000,
      chargeTries: 7,
      unchargedToAdmit: 5_000,
    });
  });
});

/** Commits that wrote requests: one transaction id each. */
async function commits(): Promise<number> {
  const [row] = await books.owner.sql<{ commits: number }[]>`
    select count(distinct xmin::text)::int as commits from requests`;
  return row?.commits ?? 0;
}
