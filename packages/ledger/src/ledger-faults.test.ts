// Faults of the database: locks that are not released, rows that cannot be written, answers that
// never come, connections that die, a server that freezes. After each of them the money is right.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { type GenerationId, newId } from "@turnpike/base";
import { toNanos } from "@turnpike/terms";
import { startTcpProxy, type TcpProxy } from "@turnpike/testing";
import type { Hold, HoldDecision } from "./hold.ts";
import { ledgerLimits } from "./ledger-bounds.ts";
import type { Ledger } from "./open-ledger.ts";
import {
  chargeOf,
  faultCodeOf,
  grantOf,
  holdOf,
  openTestBooks,
  type Principal,
  type TestBooks,
  withFacts,
} from "./open-test-books.fixture.ts";

let books: TestBooks;
let proxy: TcpProxy;
/** Its connections go through the proxy. */
let ledger: Ledger;
beforeAll(async () => {
  books = await openTestBooks();
  const url = new URL(books.database.url);
  proxy = await startTcpProxy({ port: Number(url.port) });
  url.port = String(proxy.port);
  ledger = books.openLedger({ url: url.href });
  // Connections and statements exist before anything goes wrong.
  const principal = await books.newPrincipal(1_000n);
  const hold = grantOf(await ledger.hold(holdOf(principal, 10n)));
  await ledger.charge(chargeOf(hold, 10n));
});
afterAll(async () => {
  await books.close();
  await proxy.close();
});
afterEach(async () => {
  proxy.resume();
  expect(await ledger.drain(60_000)).toBe(true);
  expect(await books.check()).toEqual([]);
});

async function holdMany(principal: Principal, count: number): Promise<Hold[]> {
  const decisions = Array.from({ length: count }, () => ledger.hold(holdOf(principal, 10n)));
  return (await Promise.all(decisions)).map(grantOf);
}

/** Rejects as `hold` does, even if it throws synchronously. */
async function tryHold(principal: Principal, want: bigint): Promise<HoldDecision> {
  return ledger.hold(holdOf(principal, want));
}

async function release(holds: readonly Hold[]): Promise<void> {
  await Promise.all(holds.map((hold) => ledger.charge(chargeOf(hold, 0n, { state: "released" }))));
}

async function pidsOf(name: string): Promise<number[]> {
  const rows = await books.owner.sql<{ pid: number }[]>`
    select pid from pg_stat_activity
     where datname = ${books.database.name} and application_name = ${name}`;
  return rows.map((row) => row.pid);
}

async function terminate(name: string): Promise<number> {
  const pids = await pidsOf(name);
  for (const pid of pids) await books.owner.sql`select pg_terminate_backend(${pid})`;
  return pids.length;
}

/** A hold through the proxy, as soon as the ledger grants one again. */
async function holdWhenBack(principal: Principal): Promise<Hold> {
  for (;;) {
    try {
      return grantOf(await tryHold(principal, 10n));
    } catch {
      await Bun.sleep(20);
    }
  }
}

describe("an account locked by an open transaction", () => {
  test("its running calls are charged, its new ones wait, and other accounts are not affected", async () => {
    const locked = await books.newPrincipal(100n);
    const free = await books.newPrincipal(1_000_000n);
    const [running] = await holdMany(locked, 1);
    if (running === undefined) throw new Error("no hold");
    const { waiting } = await books.owner.sql.begin(async (sql) => {
      await sql`select 1 from accounts where id = ${locked.accountId} for update`;
      expect(await ledger.charge(chargeOf(running, 10n))).toMatchObject({ verdict: "settled" });
      for (let round = 0; round < 5; round++) {
        const [hold] = await holdMany(free, 1);
        if (hold === undefined) throw new Error("no hold");
        expect(await ledger.charge(chargeOf(hold, 1n))).toMatchObject({ verdict: "settled" });
      }
      const waiting = tryHold(locked, 10n);
      await release(await holdMany(free, 1));
      expect(Bun.peek.status(waiting)).toBe("pending");
      return { waiting };
    });
    await release([grantOf(await waiting)]);
  });

  test("a call does not wait forever: it is refused as overloaded, and nothing stays reserved", async () => {
    const locked = await books.newPrincipal(100n);
    await books.owner.sql.begin(async (sql) => {
      await sql`select 1 from accounts where id = ${locked.accountId} for update`;
      expect(await faultCodeOf(tryHold(locked, 10n))).toBe("overloaded");
    });
    await ledger.drain(60_000);
    expect(await books.money(locked.accountId)).toMatchObject({ held: 0n });
  });
});

describe("a row that cannot be written", () => {
  test("a cost too large to store fails alone; its neighbors are charged", async () => {
    const principal = await books.newPrincipal(10_000n);
    const holds = await holdMany(principal, 9);
    const ends = await Promise.allSettled(
      holds.map((hold, i) => ledger.charge(chargeOf(hold, i === 4 ? 2n ** 70n : 5n))),
    );
    expect(ends.map((end) => end.status)).toEqual(
      holds.map((_, i) => (i === 4 ? "rejected" : "fulfilled")),
    );
    await ledger.recall();
    expect(await books.shown(principal.accountId)).toEqual({ balance: 9_960n, held: 0n });
  });

  test("an account that violates a check refuses only its own calls", async () => {
    const [broken, fine] = [await books.newPrincipal(10_000n), await books.newPrincipal(10_000n)];
    await books.owner.sql.unsafe(
      `alter table accounts add constraint broken check (id <> '${broken.accountId}' or held_nanos = 0)`,
    );
    try {
      const codes = await Promise.all(
        [broken, fine, broken, fine].map((principal) => faultCodeOf(tryHold(principal, 10n))),
      );
      expect(codes).toEqual(["overloaded", "no fault", "overloaded", "no fault"]);
    } finally {
      await books.owner.sql`alter table accounts drop constraint broken`;
    }
    expect(await books.money(broken.accountId)).toMatchObject({ held: 0n });
  });
});

describe("T5, FD7: an answer that never comes", () => {
  test("what was reserved by a statement whose answer was lost is returned", async () => {
    const principal = await books.newPrincipal(10_000n);
    proxy.blackHole("to-client");
    const heard = proxy.nextBytes("to-client");
    const decisions = Array.from({ length: 5 }, () => tryHold(principal, 10n));
    await heard;
    proxy.resume();
    proxy.cut();
    const holds = (await Promise.all(decisions)).map(grantOf);
    await ledger.recall();
    // The lease whose answer was lost is closed with all it had.
    await awaitHeld(principal, 50n);
    await release(holds);
  });

  test("a charge whose commit was not confirmed is booked once", async () => {
    const principal = await books.newPrincipal(10_000n);
    const holds = await holdMany(principal, 5);
    proxy.blackHole("to-client");
    const heard = proxy.nextBytes("to-client");
    const ends = holds.map((hold) => ledger.charge(chargeOf(hold, 7n)));
    await heard;
    proxy.resume();
    proxy.cut();
    const charged = (await Promise.all(ends)).map((end) => Number(end.chargedNanos));
    expect(charged).toEqual([7, 7, 7, 7, 7]);
    expect((await books.shown(principal.accountId)).balance).toBe(9_965n);
  });

  test("connections killed under running batches leave every outcome right", async () => {
    const principal = await books.newPrincipal(1_000_000n);
    const names = ["acquire", "charge", "release", "charge late"];
    let kills = 0;
    let spent = 0n;
    const spend = async () => {
      const decision = await tryHold(principal, 10n).catch(() => undefined);
      if (decision === undefined) return;
      const { chargedNanos } = await ledger.charge(chargeOf(grantOf(decision), 7n));
      spent += chargedNanos;
    };
    for (let round = 0; round < 40; round++) {
      const spending = Array.from({ length: 20 }, spend);
      kills += await terminate(`turnpike ${names[round % names.length]}`);
      await Promise.all(spending);
    }
    expect(await ledger.drain(60_000)).toBe(true);
    expect(kills).toBeGreaterThan(0);
    expect(spent).toBeGreaterThan(0n);
    expect(await books.money(principal.accountId)).toEqual({
      balance: 1_000_000n - spent,
      held: 0n,
      frozen: false,
    });
  }, 120_000);
});

describe("T4: an unreachable database", () => {
  test("uncovered calls are refused immediately; charges wait and are booked once it is back", async () => {
    const principal = await books.newPrincipal(200n);
    const holds = await holdMany(principal, 20);
    proxy.refuse();
    proxy.cut();
    const ends = holds.map((hold) => ledger.charge(chargeOf(hold, 3n)));
    for (let i = 0; i < 5; i++) {
      expect(await faultCodeOf(tryHold(principal, 10n))).toBe("overloaded");
    }
    expect(ledger.uncharged()).toBeGreaterThanOrEqual(20);
    await proxy.accept();
    for (const end of await Promise.all(ends)) expect(Number(end.chargedNanos)).toBe(3);
    expect((await books.shown(principal.accountId)).balance).toBe(140n);
    await release([await holdWhenBack(principal)]);
  });

  test("while the server is frozen calls are refused in time and none hangs; afterwards it is used again", async () => {
    const principals = await Promise.all(Array.from({ length: 12 }, () => books.newPrincipal(10n)));
    const running = (
      await Promise.all(principals.map((principal) => holdMany(principal, 1)))
    ).flat();
    proxy.pause();
    const charged = running.map((hold) => ledger.charge(chargeOf(hold, 4n)));
    const refused = principals.map((principal) => faultCodeOf(tryHold(principal, 5n)));
    expect(new Set(await Promise.all(refused))).toEqual(new Set(["overloaded"]));
    expect(await ledger.drain(1)).toBe(false);
    proxy.resume();
    for (const end of await Promise.all(charged)) expect(Number(end.chargedNanos)).toBe(4);
    // What was abandoned may have committed when the server resumed; none of it stays held.
    expect(await ledger.drain(60_000)).toBe(true);
    for (const principal of principals) {
      expect(await books.money(principal.accountId)).toMatchObject({ balance: 6n, held: 0n });
    }
    await release([await holdWhenBack(await books.newPrincipal(10n))]);
  });
});

describe("more than can be served", () => {
  test("calls beyond the queue are refused immediately, those in it in time", async () => {
    const principal = await books.newPrincipal(1_000_000n);
    proxy.pause();
    const tried = Array.from({ length: ledgerLimits.queuedHolds + 50 }, () =>
      faultCodeOf(tryHold(principal, 500_000n)),
    );
    for (const beyond of tried.slice(-50)) expect(await beyond).toBe("overloaded");
    expect(Bun.peek.status(tried[0])).toBe("pending");
    expect(new Set(await Promise.all(tried))).toEqual(new Set(["overloaded"]));
    proxy.resume();
    expect(await ledger.drain(60_000)).toBe(true);
    expect(await books.money(principal.accountId)).toMatchObject({ held: 0n });
  });

  test("nothing new is admitted while too much is uncharged", async () => {
    const principal = await books.newPrincipal(1_000_000n);
    const holds = await holdMany(principal, 100);
    // Leaves headroom, so that the next call would be granted from memory.
    await release(holds.splice(0, 50));
    proxy.pause();
    holds.push(grantOf(await tryHold(principal, 10n)));
    const ends = Array.from({ length: ledgerLimits.unchargedToAdmit + 1 }, (_, i) => {
      const hold = holds[i % holds.length];
      if (hold === undefined) throw new Error("no hold");
      const ofOther = withFacts(hold, { id: newId<GenerationId>() });
      return ledger.charge(chargeOf({ ...ofOther, grantedNanos: toNanos(0n) }, 0n));
    });
    expect(await faultCodeOf(tryHold(principal, 1n))).toBe("overloaded");
    proxy.resume();
    await Promise.all(ends);
    await release(holds);
    await release([await holdWhenBack(principal)]);
  });
});

async function awaitHeld(principal: Principal, held: bigint): Promise<void> {
  const deadline = performance.now() + 120_000;
  for (;;) {
    const shown = await books.shown(principal.accountId);
    if (shown.held === held) return;
    if (performance.now() > deadline) expect(shown.held).toBe(held);
    await ledger.recall();
    await Bun.sleep(20);
  }
}
