// The life of a lease: opened, granted from, returned when idle, recalled, closed at the end of its
// hour and at shutdown.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { AccountId } from "@turnpike/base";
import { toNanos } from "@turnpike/terms";
import type { Hold, HoldDecision } from "../hold.ts";
import type { Ledger, LedgerOptions } from "../open-ledger.ts";
import {
  chargeOf,
  grantOf,
  holdOf,
  openTestBooks,
  type Principal,
  type TestBooks,
} from "../open-test-books.fixture.ts";

let books: TestBooks;
let principal: Principal;
beforeAll(async () => {
  books = await openTestBooks();
});
beforeEach(async () => {
  principal = await books.newPrincipal(1_000_000n);
});
afterAll(() => books.close());
afterEach(async () => expect(await books.check()).toEqual([]));

/** A ledger whose clock can be moved forward. */
function openWithClock(options: Partial<LedgerOptions> = {}) {
  let aheadMs = 0;
  const ledger = books.openLedger({ ...options, nowMs: () => performance.now() + aheadMs });
  return {
    ledger,
    advance(ms: number) {
      aheadMs += ms;
    },
  };
}

async function call(ledger: Ledger, want: bigint, cost: bigint): Promise<Hold> {
  const hold = grantOf(await ledger.hold(holdOf(principal, want)));
  await ledger.charge(chargeOf(hold, cost));
  return hold;
}

async function awaitShown(expected: { balance: bigint; held: bigint }): Promise<void> {
  const deadline = performance.now() + 120_000;
  for (;;) {
    const shown = await books.shown(principal.accountId);
    if (shown.balance === expected.balance && shown.held === expected.held) return;
    if (performance.now() > deadline) expect(shown).toEqual(expected);
    await Bun.sleep(20);
  }
}

describe("granting", () => {
  test("a call that its lease covers waits for nothing", async () => {
    const ledger = books.openLedger();
    await call(ledger, 1_000n, 700n);
    const decision: HoldDecision | Promise<HoldDecision> = ledger.hold(holdOf(principal, 1_000n));
    expect(decision).not.toBeInstanceOf(Promise);
    await ledger.charge(chargeOf(grantOf(await decision), 600n));
    expect(await books.leases(principal.accountId)).toMatchObject([
      { calls: 2, spent_nanos: "1300" },
    ]);
  });

  test("the head start follows the demand: a busy key soon asks the database rarely", async () => {
    const { ledger } = openWithClock();
    let waited = 0;
    for (let round = 0; round < 200; round += 1) {
      const decision = ledger.hold(holdOf(principal, 1_000n));
      if (decision instanceof Promise) waited += 1;
      await ledger.charge(chargeOf(grantOf(await decision), 100n));
    }
    expect(waited).toBeLessThan(20);
  });

  test("a call that asks the database counts once as demand: its head start is the same amount", async () => {
    const ledger = books.openLedger({ nowMs: () => 1_000 });
    await call(ledger, 1_000n, 700n);
    expect(await books.leases(principal.accountId)).toMatchObject([{ granted_nanos: "2000" }]);
  });

  test("near zero nothing is reserved beyond the calls, and the rest of each is returned immediately", async () => {
    const ledger = books.openLedger();
    principal = await books.newPrincipal(10_000n);
    await call(ledger, 1_000n, 100n);
    await awaitShown({ balance: 9_900n, held: 0n });
    const [lease] = await books.leases(principal.accountId);
    expect(lease).toMatchObject({ granted_nanos: "100", spent_nanos: "100", closed_at: null });
  });
});

describe("returning money", () => {
  test("headroom of a lease that granted nothing for two seconds is returned; running calls keep theirs", async () => {
    const { ledger, advance } = openWithClock();
    const running = grantOf(await ledger.hold(holdOf(principal, 5_000n)));
    await call(ledger, 1_000n, 700n);
    advance(2_001);
    await awaitShown({ balance: 999_300n, held: 5_000n });
    await ledger.charge(chargeOf(running, 5_000n));
    await awaitShown({ balance: 994_300n, held: 0n });
  });

  test("a lease closes at the end of its hour, once its calls have ended, with one line in the books", async () => {
    const { ledger, advance } = openWithClock();
    const running = grantOf(await ledger.hold(holdOf(principal, 5_000n)));
    await call(ledger, 1_000n, 700n);
    advance(3_600_000);
    const next = grantOf(await ledger.hold(holdOf(principal, 2_000n)));
    expect(next.lease.id).not.toBe(running.lease.id);
    expect(await books.leases(principal.accountId)).toMatchObject([
      { id: running.lease.id, closed_at: null },
      { id: next.lease.id, closed_at: null },
    ]);
    await ledger.charge(chargeOf(running, 4_000n));
    await awaitClosed(running);
    expect(await usageEntries()).toEqual(["-4700"]);
    await ledger.charge(chargeOf(next, 0n, { state: "released" }));
  });

  test("drained, everything is charged and closed and nothing is held", async () => {
    const ledger = books.openLedger();
    const holds = await Promise.all(
      Array.from({ length: 10 }, () => ledger.hold(holdOf(principal, 1_000n))),
    );
    const charges = holds.map((decision) => ledger.charge(chargeOf(grantOf(decision), 10n)));
    expect(ledger.uncharged()).toBe(10);
    expect(await ledger.drain(60_000)).toBe(true);
    await Promise.all(charges);
    expect(ledger.uncharged()).toBe(0);
    expect(await books.money(principal.accountId)).toEqual({
      balance: 999_900n,
      held: 0n,
      frozen: false,
    });
  });
});

describe("recall", () => {
  test("a call is served with idle money of another key of the account", async () => {
    const ledger = books.openLedger();
    const other = { ...principal, keyId: await books.newKey(principal.accountId) };
    await Promise.all(
      Array.from({ length: 30 }, async () => {
        const hold = grantOf(await ledger.hold(holdOf(other, 10_000n)));
        await ledger.charge(chargeOf(hold, 0n, { state: "released" }));
      }),
    );
    expect((await books.shown(principal.accountId)).held).toBeGreaterThan(0n);
    const all = grantOf(await ledger.hold(holdOf(principal, 1_000_000n)));
    await ledger.charge(chargeOf(all, 1_000_000n));
  });

  test("a call is served with idle money of another process", async () => {
    const idle = books.openLedger();
    await Promise.all(
      Array.from({ length: 30 }, async () => {
        const hold = grantOf(await idle.hold(holdOf(principal, 10_000n)));
        await idle.charge(chargeOf(hold, 0n, { state: "released" }));
      }),
    );
    expect((await books.shown(principal.accountId)).held).toBeGreaterThan(0n);
    const asked: AccountId[] = [];
    const ledger = books.openLedger({
      async recallElsewhere(accountId) {
        asked.push(accountId);
        await idle.recall(accountId);
      },
    });
    grantOf(await ledger.hold(holdOf(principal, 1_000_000n)));
    expect(asked).toEqual([principal.accountId]);
  });

  test("calls refused at the same time share one recall, and those that can never fit cause none", async () => {
    let asked = 0;
    const ledger = books.openLedger({
      async recallElsewhere() {
        asked += 1;
        await Bun.sleep(1);
      },
    });
    expect(await ledger.hold(holdOf(principal, 1_000_001n))).toMatchObject({ verdict: "balance" });
    expect(asked).toBe(0);
    grantOf(await ledger.hold(holdOf(principal, 900_000n)));
    const refused = await Promise.all(
      Array.from({ length: 50 }, () => ledger.hold(holdOf(principal, 200_000n))),
    );
    expect(new Set(refused.map((decision) => decision.verdict))).toEqual(new Set(["in_flight"]));
    expect(asked).toBeLessThanOrEqual(2);
  });

  test("a recall waits for a lock of its own account, but for no lock of another one", async () => {
    const ledger = books.openLedger();
    const locked = await books.newPrincipal(1_000_000n);
    for (const payer of [locked, principal]) {
      const hold = grantOf(await ledger.hold(holdOf(payer, 1_000n)));
      await ledger.charge(chargeOf(hold, 0n, { state: "released" }));
    }
    const own = await books.owner.sql.begin(async (sql) => {
      await sql`select 1 from accounts where id = ${locked.accountId} for update`;
      const recalled = ledger.recall(locked.accountId);
      // The lock is held until this one resolves.
      await ledger.recall(principal.accountId);
      expect(Bun.peek.status(recalled)).toBe("pending");
      return { recalled };
    });
    await own.recalled;
    for (const { accountId } of [locked, principal]) {
      expect(await books.money(accountId)).toMatchObject({ held: 0n });
    }
  });

  test("a recall that arrives while another is running applies to the very next call", async () => {
    const ledger = books.openLedger();
    const locked = await books.newPrincipal(1_000_000n);
    for (const payer of [locked, principal]) {
      const hold = grantOf(await ledger.hold(holdOf(payer, 1_000n)));
      await ledger.charge(chargeOf(hold, 0n, { state: "released" }));
    }
    const recalls: Promise<void>[] = [];
    await books.owner.sql.begin(async (sql) => {
      await sql`select 1 from accounts where id = ${locked.accountId} for update`;
      recalls.push(ledger.recall(locked.keyId), ledger.recall(principal.keyId));
      await books.app.sql`update api_keys set revoked_at = now() where id = ${principal.keyId}`;
      expect(await ledger.hold(holdOf(principal, 10n))).toMatchObject({ verdict: "key_revoked" });
    });
    await Promise.all(recalls);
    await awaitShown({ balance: 1_000_000n, held: 0n });
  });

  test("a limit lowered below what is reserved grants nothing of the lease's own headroom either", async () => {
    const ledger = books.openLedger();
    principal = await books.newPrincipal(1_000_000n, { day: 500_000n });
    await call(ledger, 1_000n, 700n);
    await books.app.sql`update budgets set limit_nanos = 700 where subject_id = ${principal.keyId}`;
    const hold = holdOf(principal, 400_000n, { floorNanos: toNanos(1n) });
    expect(await ledger.hold(hold)).toMatchObject({ verdict: "key_day", availableNanos: 0n });
  });

  test("a suspended or frozen account or a revoked key gets nothing more from its lease within a second or so", async () => {
    for (const stop of [
      () =>
        books.app.sql`update accounts set suspended_at = now() where id = ${principal.accountId}`,
      () => books.move(principal.accountId, -1_000_000n),
      () => books.app.sql`update api_keys set revoked_at = now() where id = ${principal.keyId}`,
    ]) {
      principal = await books.newPrincipal(1_000_000n);
      const ledger = books.openLedger();
      await call(ledger, 1_000n, 700n);
      await stop();
      for (;;) {
        const decision = await ledger.hold(holdOf(principal, 10n));
        if (decision.verdict !== "held") {
          expect(["suspended", "frozen", "key_revoked"]).toContain(decision.verdict);
          break;
        }
        await ledger.charge(chargeOf(decision.hold, 0n, { state: "released" }));
        await Bun.sleep(50);
      }
    }
  });
});

test("a call after midnight spends nothing from yesterday's lease and nothing from yesterday's limit", async () => {
  const ledger = books.openLedger();
  principal = await books.newPrincipal(100_000n, { day: 5_000n });
  const yesterday = grantOf(await ledger.hold(holdOf(principal, 4_000n)));
  await books.owner.sql`
    update leases set hour = hour - interval '40 days' where id = ${yesterday.lease.id}`;
  await books.owner.sql`
    update api_keys k set day_start = l.at::date, week_start = date_trunc('week', l.at)::date,
           month_start = date_trunc('month', l.at)::date
      from (select hour at time zone 'utc' as at from leases where id = ${yesterday.lease.id}) l
     where k.id = ${principal.keyId}`;
  await books.owner.sql`
    update budgets b set period_start = budget_start(b.period, l.hour at time zone 'utc')
      from leases l where l.id = ${yesterday.lease.id} and b.subject_id = l.key_id`;
  const today = grantOf(await ledger.hold(holdOf(principal, 5_000n)));
  expect(today.lease.id).not.toBe(yesterday.lease.id);
  await ledger.charge(chargeOf(yesterday, 3_000n));
  await ledger.charge(chargeOf(today, 200n));
  expect(await ledger.drain(60_000)).toBe(true);
  expect(await books.counters(principal.keyId)).toMatchObject({
    day_spent: 200n,
    day_held: 0n,
    total_spent: 3_200n,
  });
});

async function awaitClosed(hold: Hold): Promise<void> {
  const deadline = performance.now() + 120_000;
  for (;;) {
    const leases = await books.leases(principal.accountId);
    if (leases.some((lease) => lease.id === hold.lease.id && lease.closed_at !== null)) return;
    if (performance.now() > deadline) throw new Error("the lease was not closed");
    await Bun.sleep(20);
  }
}

async function usageEntries(): Promise<string[]> {
  const rows = await books.owner.sql<{ amount_nanos: string }[]>`
    select e.amount_nanos from entries e join ledger_transactions t on t.id = e.transaction_id
     where e.account_id = ${principal.accountId} and t.kind = 'usage' order by t.created_at`;
  return rows.map((row) => row.amount_nanos);
}
