// What the database can do to us: locks that stay, rows that cannot be written, answers that never
// come, connections that die, a server that stands still. Money is right afterwards each time.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { startTcpProxy, type TcpProxy } from "@turnpike/testing";
import type { HoldDecision } from "./hold.ts";
import { type Ledger, ledgerLimits } from "./open-ledger.ts";
import {
  faultCodeOf,
  grantOf,
  holdOf,
  openTestBooks,
  type Spender,
  settlementOf,
  type TestBooks,
} from "./open-test-books.ts";

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
  const spender = await books.newSpender(1_000n);
  const hold = holdOf(spender, 10n);
  grantOf(await ledger.placeHold(hold));
  await ledger.settleHold(settlementOf(hold, 10n));
});
afterAll(async () => {
  await books.close();
  await proxy.close();
});
afterEach(async () => {
  proxy.resume();
  await ledger.drain();
  expect(await books.check()).toEqual([]);
});

function placeMany(spender: Spender, count: number) {
  const holds = Array.from({ length: count }, () => holdOf(spender, 10n));
  return { holds, placed: holds.map((hold) => ledger.placeHold(hold)) };
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

/** A hold through the proxy, as soon as the ledger admits one again. */
async function placeWhenBack(spender: Spender): Promise<HoldDecision> {
  for (;;) {
    const hold = holdOf(spender, 10n);
    try {
      return await ledger.placeHold(hold);
    } catch {
      await Bun.sleep(20);
    }
  }
}

describe("an account locked by an open transaction", () => {
  test("other accounts do not notice, neither holding nor settling, and it goes on afterwards", async () => {
    const locked = await books.newSpender(10_000n);
    const free = await books.newSpender(10_000n);
    const running = holdOf(locked, 10n);
    grantOf(await ledger.placeHold(running));
    const { settled, placed } = await books.owner.sql.begin(async (sql) => {
      await sql`select 1 from accounts where id = ${locked.accountId} for update`;
      const settled = ledger.settleHold(settlementOf(running, 10n));
      const placed = ledger.placeHold(holdOf(locked, 10n));
      for (let round = 0; round < 20; round++) {
        const hold = holdOf(free, 10n);
        grantOf(await ledger.placeHold(hold));
        expect(await ledger.settleHold(settlementOf(hold, 5n))).toMatchObject({
          verdict: "settled",
        });
      }
      expect([Bun.peek.status(settled), Bun.peek.status(placed)]).toEqual(["pending", "pending"]);
      return { settled, placed };
    });
    expect(await settled).toMatchObject({ verdict: "settled" });
    grantOf(await placed);
  });

  test("a hold does not wait for ever: refused as overloaded, without a hold left behind", async () => {
    const locked = await books.newSpender(10_000n);
    await books.owner.sql.begin(async (sql) => {
      await sql`select 1 from accounts where id = ${locked.accountId} for update`;
      expect(await faultCodeOf(ledger.placeHold(holdOf(locked, 10n)))).toBe("overloaded");
    });
    expect(await books.money(locked.accountId)).toMatchObject({ held: 0n });
  });
});

describe("a row that cannot be written", () => {
  test("a cost beyond all numbers fails alone; its neighbours are settled", async () => {
    const spender = await books.newSpender(10_000n);
    const { holds, placed } = placeMany(spender, 9);
    await Promise.all(placed);
    const ends = await Promise.allSettled(
      holds.map((hold, i) => ledger.settleHold(settlementOf(hold, i === 4 ? 2n ** 70n : 5n))),
    );
    expect(ends.map((end) => end.status)).toEqual(
      holds.map((_, i) => (i === 4 ? "rejected" : "fulfilled")),
    );
    expect(await books.money(spender.accountId)).toMatchObject({ balance: 9_960n, held: 10n });
  }, 30_000);

  test("an account that breaks a check refuses its own holds and nobody else's", async () => {
    const [broken, fine] = [await books.newSpender(10_000n), await books.newSpender(10_000n)];
    await books.owner.sql.unsafe(
      `alter table accounts add constraint broken check (id <> '${broken.accountId}' or held_nanos = 0)`,
    );
    try {
      const codes = await Promise.all(
        [broken, fine, broken, fine].map((spender) =>
          faultCodeOf(ledger.placeHold(holdOf(spender, 10n))),
        ),
      );
      expect(codes).toEqual(["overloaded", "no fault", "overloaded", "no fault"]);
    } finally {
      await books.owner.sql`alter table accounts drop constraint broken`;
    }
    expect(await books.money(broken.accountId)).toMatchObject({ held: 0n });
    expect(await books.money(fine.accountId)).toMatchObject({ held: 20n });
  });
});

describe("an answer that never comes (T5)", () => {
  test("a hold whose commit was not heard of is found again, or released", async () => {
    const spender = await books.newSpender(10_000n);
    proxy.blackHole("to-client");
    const heard = proxy.nextBytes("to-client");
    const { holds, placed } = placeMany(spender, 5);
    await heard;
    proxy.resume();
    proxy.cut();
    expect((await Promise.all(placed)).map(grantOf).length).toBe(holds.length);
    expect(await books.money(spender.accountId)).toMatchObject({ held: 50n });
  });

  test("a settlement whose commit was not heard of is booked once", async () => {
    const spender = await books.newSpender(10_000n);
    const { holds, placed } = placeMany(spender, 5);
    await Promise.all(placed);
    proxy.blackHole("to-client");
    const heard = proxy.nextBytes("to-client");
    const ends = holds.map((hold) => ledger.settleHold(settlementOf(hold, 7n)));
    await heard;
    proxy.resume();
    proxy.cut();
    const charged = (await Promise.all(ends)).map((end) => end.chargedNanos);
    expect(charged.map(Number)).toEqual([7, 7, 7, 7, 7]);
    expect(await books.money(spender.accountId)).toMatchObject({ balance: 9_965n, held: 0n });
  });

  test("connections killed under running batches leave every outcome right", async () => {
    const spender = await books.newSpender(1_000_000n);
    let killing = true;
    let kills = 0;
    const killer = (async () => {
      for (const lanes = ["hold", "settle"]; killing; lanes.reverse()) {
        kills += await terminate(`turnpike ${lanes[0]}`);
      }
    })();
    let spent = 0n;
    const spend = async () => {
      const hold = holdOf(spender, 10n);
      try {
        grantOf(await ledger.placeHold(hold));
      } catch {
        return;
      }
      const { chargedNanos } = await ledger.settleHold(settlementOf(hold, 7n));
      spent += chargedNanos;
    };
    for (let round = 0; round < 20; round++) {
      await Promise.all(Array.from({ length: 20 }, spend));
    }
    killing = false;
    await killer;
    await ledger.drain();
    expect(kills).toBeGreaterThan(0);
    expect(spent).toBeGreaterThan(0n);
    expect(await books.money(spender.accountId)).toEqual({
      balance: 1_000_000n - spent,
      held: 0n,
      frozen: false,
    });
  }, 60_000);
});

describe("a database that is away", () => {
  test("holds are refused at once; settlements wait and are booked once when it is back", async () => {
    const spender = await books.newSpender(10_000n);
    const { holds, placed } = placeMany(spender, 20);
    await Promise.all(placed);
    proxy.refuse();
    proxy.cut();
    const ends = holds.map((hold) => ledger.settleHold(settlementOf(hold, 3n)));
    for (let i = 0; i < 5; i++) {
      expect(await faultCodeOf(ledger.placeHold(holdOf(spender, 10n)))).toBe("overloaded");
    }
    expect(ledger.unsettled()).toBeGreaterThanOrEqual(20);
    await proxy.accept();
    for (const end of await Promise.all(ends)) expect(Number(end.chargedNanos)).toBe(3);
    expect(await books.money(spender.accountId)).toMatchObject({ balance: 9_940n });
    grantOf(await placeWhenBack(spender));
  }, 30_000);

  test("a server that stands still refuses holds in time, hangs nobody, and is used again", async () => {
    const spenders = await Promise.all(Array.from({ length: 12 }, () => books.newSpender(10_000n)));
    const running = spenders.map((spender) => holdOf(spender, 10n));
    await Promise.all(running.map((hold) => ledger.placeHold(hold)));
    proxy.pause();
    const settled = running.map((hold) => ledger.settleHold(settlementOf(hold, 4n)));
    const refused = spenders.map((spender) => faultCodeOf(ledger.placeHold(holdOf(spender, 10n))));
    expect(new Set(await Promise.all(refused))).toEqual(new Set(["overloaded"]));
    expect(await ledger.drain(1)).toBe(false);
    proxy.resume();
    for (const end of await Promise.all(settled)) expect(Number(end.chargedNanos)).toBe(4);
    grantOf(await placeWhenBack(spenders[0] ?? (await books.newSpender(1n))));
    await ledger.drain();
    // What was abandoned may have committed when the server went on; nothing of it stays held.
    for (const spender of spenders.slice(1)) {
      expect(await books.money(spender.accountId)).toMatchObject({ balance: 9_996n, held: 0n });
    }
  }, 60_000);
});

describe("more than can be served", () => {
  test("holds beyond the queue are refused at once, those in it in time", async () => {
    const spender = await books.newSpender(1_000_000n);
    proxy.pause();
    const placed = Array.from({ length: ledgerLimits.queuedHolds + 50 }, () =>
      faultCodeOf(ledger.placeHold(holdOf(spender, 1n))),
    );
    for (const beyond of placed.slice(-50)) expect(await beyond).toBe("overloaded");
    expect(Bun.peek.status(placed[0])).toBe("pending");
    expect(new Set(await Promise.all(placed))).toEqual(new Set(["overloaded"]));
    proxy.resume();
    await ledger.drain();
    expect(await books.money(spender.accountId)).toMatchObject({ held: 0n });
  }, 60_000);

  test("nothing new is admitted while too much is unsettled", async () => {
    const spender = await books.newSpender(1_000n);
    proxy.pause();
    const ends = Array.from({ length: ledgerLimits.unsettledToAdmit + 1 }, () =>
      ledger.settleHold(settlementOf(holdOf(spender, 1n), 1n)),
    );
    expect(await faultCodeOf(ledger.placeHold(holdOf(spender, 1n)))).toBe("overloaded");
    proxy.resume();
    for (const end of await Promise.all(ends)) expect(end.verdict).toBe("missing");
    grantOf(await placeWhenBack(spender));
  }, 60_000);
});
