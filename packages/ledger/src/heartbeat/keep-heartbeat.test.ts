import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { createLog } from "@turnpike/telemetry";
import { startTcpProxy, type TcpProxy } from "@turnpike/testing";
import type { Ledger } from "../open-ledger.ts";
import {
  chargeOf,
  faultCodeOf,
  grantOf,
  holdOf,
  openTestBooks,
  type Principal,
  type TestBooks,
} from "../open-test-books.fixture.ts";
import { type Heartbeat, type HeartbeatOptions, keepHeartbeat } from "./keep-heartbeat.ts";
import { purgeInstances } from "./purge-instances.ts";

let books: TestBooks;
let proxy: TcpProxy;
let url: string;
beforeAll(async () => {
  books = await openTestBooks();
  const direct = new URL(books.database.url);
  proxy = await startTcpProxy({ port: Number(direct.port) });
  direct.port = String(proxy.port);
  url = direct.href;
});
afterAll(async () => {
  await books.close();
  await proxy.close();
});
afterEach(async () => expect(await books.check()).toEqual([]));

let failedBeats = 0;
const countingLog = Object.assign(createLog({ level: "silent", name: "test" }), {
  warn: () => {
    failedBeats += 1;
  },
});

function beatQuickly(
  onLapse: () => void = () => undefined,
  options: Partial<HeartbeatOptions> = {},
): Promise<Heartbeat> {
  const { metrics } = books;
  const times = { everyMs: 20, lapseMs: 1_000 };
  return keepHeartbeat({ url, ...times, onLapse, log: countingLog, metrics, ...options });
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(10);
}

async function instance(id: string) {
  const [row] = await books.owner.sql<{ heartbeat_at: string; ended_at: string | null }[]>`
    select heartbeat_at, ended_at from instances where id = ${id}`;
  return row;
}

/** Rejects as `hold` does, even if it throws synchronously. */
async function tryHold(ledger: Ledger, principal: Principal) {
  return ledger.hold(holdOf(principal, 10n));
}

describe("a heartbeat", () => {
  test("exists before its process admits anything, advances, and records when it ended", async () => {
    const heartbeat = await beatQuickly();
    expect(heartbeat.mayAdmit()).toBe(true);
    const first = await instance(heartbeat.instanceId);
    expect(first?.ended_at).toBeNull();
    await until(
      async () => (await instance(heartbeat.instanceId))?.heartbeat_at !== first?.heartbeat_at,
    );
    await heartbeat.stop();
    expect((await instance(heartbeat.instanceId))?.ended_at).not.toBeNull();
  });

  test("that was stopped sends no more beats", async () => {
    let warned = 0;
    const log = Object.assign(createLog({ level: "silent", name: "test" }), {
      warn: () => {
        warned += 1;
      },
    });
    const stopped = await beatQuickly(undefined, { log });
    await stopped.stop();
    // A beat of the stopped one would fail without a connection, well within ten beats of another.
    const other = await beatQuickly();
    for (let beats = 0; beats < 10; beats += 1) {
      const last = (await instance(other.instanceId))?.heartbeat_at;
      await until(async () => (await instance(other.instanceId))?.heartbeat_at !== last);
    }
    await other.stop();
    expect(warned).toBe(0);
  });

  test("that lapses ends running calls once, admits nothing, and recovers", async () => {
    let lapses = 0;
    const heartbeat = await beatQuickly(() => {
      lapses += 1;
    });
    const ledger = books.openLedger({ admitting: heartbeat.mayAdmit });
    const principal = await books.newPrincipal(1_000n);
    grantOf(await tryHold(ledger, principal));
    proxy.refuse();
    proxy.cut();
    await until(() => lapses > 0);
    expect(heartbeat.mayAdmit()).toBe(false);
    // More beats fail; the lapse is reported once.
    const told = failedBeats;
    await until(() => failedBeats > told + 2);
    expect(lapses).toBe(1);
    expect(await faultCodeOf(tryHold(ledger, principal))).toBe("overloaded");
    await proxy.accept();
    await until(heartbeat.mayAdmit);
    grantOf(await tryHold(ledger, principal));
    await heartbeat.stop();
  });

  test("that lapsed unnoticed ends running calls before the beat that revives it", async () => {
    const seen: boolean[] = [];
    const heartbeat = await beatQuickly(() => seen.push(heartbeat.mayAdmit()), {
      everyMs: 3_600_000,
      lapseMs: 1_100,
    });
    await until(() => !heartbeat.mayAdmit());
    await until(async () => (await heartbeat.prove(5_000)).alive);
    expect(seen).toEqual([false]);
    await heartbeat.stop();
  });

  test("that is proved again or suspected within a second is not written again", async () => {
    const heartbeat = await beatQuickly(undefined, { everyMs: 3_600_000, lapseMs: 1_100 });
    const beatAt = async () => (await instance(heartbeat.instanceId))?.heartbeat_at;
    let written: string | undefined;
    for (;;) {
      await until(() => !heartbeat.mayAdmit());
      await until(async () => (await heartbeat.prove(5_000)).alive);
      const provedAtMs = performance.now();
      written = await beatAt();
      await heartbeat.prove(5_000);
      heartbeat.suspect();
      // On a busy machine the second may have come too late to say anything.
      if (performance.now() - provedAtMs < 900) break;
    }
    // Waits for a beat that is under way.
    await heartbeat.stop();
    expect(await beatAt()).toBe(written);
  });

  test("does not hang on a server that never answers", async () => {
    const heartbeat = await beatQuickly();
    proxy.blackHole();
    await until(() => !heartbeat.mayAdmit());
    // The unanswered statement stays lost: only a new connection can recover.
    proxy.resume();
    await until(heartbeat.mayAdmit);
    await heartbeat.stop();
  });

  test("that hears nothing after a suspicion knows that the database is away", async () => {
    const known: unknown[] = [];
    const log = Object.assign(createLog({ level: "silent", name: "test" }), {
      warn: () => known.push([heartbeat.status().isAway, heartbeat.obstacle()]),
    });
    const heartbeat = await beatQuickly(undefined, { everyMs: 3.6e6, lapseMs: 3.6e6, log });
    proxy.blackHole();
    await until(() => {
      heartbeat.suspect();
      return known.length > 0;
    });
    proxy.resume();
    expect(known[0]).toEqual([true, "database"]);
    await until(() => heartbeat.obstacle() === undefined);
    await heartbeat.stop();
  });

  test("of a process that was purged while unreachable recovers", async () => {
    const heartbeat = await beatQuickly();
    await books.owner.sql`delete from instances where id = ${heartbeat.instanceId}`;
    await until(async () => (await instance(heartbeat.instanceId)) !== undefined);
    await heartbeat.stop();
  });
});

describe("T7: the clock of this machine", () => {
  test("when it is wrong admits nothing, is reported once, and admits again when it is right", async () => {
    let aheadMs = 0;
    const said: string[] = [];
    const say = (_facts: unknown, text: string) => said.push(text);
    const log = Object.assign(createLog({ level: "silent", name: "test" }), {
      error: say,
      info: say,
    });
    const wallClockMs = () => Date.now() + aheadMs;
    const heartbeat = await beatQuickly(undefined, { wallClockMs, log, lapseMs: 30_000 });
    const ledger = books.openLedger({ admitting: heartbeat.mayAdmit });
    const principal = await books.newPrincipal(1_000n);
    grantOf(await tryHold(ledger, principal));
    for (const wrongMs of [3_600_000, -3_600_000]) {
      aheadMs = wrongMs;
      // Immediately, before any further heartbeat.
      expect(await faultCodeOf(tryHold(ledger, principal))).toBe("overloaded");
      expect(heartbeat.status().clock.wrong).toBe(true);
      await until(() => said.length > 0);
      const beats = await instance(heartbeat.instanceId);
      await until(
        async () => (await instance(heartbeat.instanceId))?.heartbeat_at !== beats?.heartbeat_at,
      );
      expect(said.splice(0)).toEqual(["clock differs from the database's: admitting nothing"]);
      const offset = /^turnpike_clock_offset_seconds (.*)$/m.exec(
        (await books.metrics.expose()).body,
      );
      expect(Math.round(Number(offset?.[1]) / 10) * 10_000).toBe(wrongMs);
      aheadMs = 0;
      grantOf(await tryHold(ledger, principal));
      await until(() => said.length > 0);
      expect(said.splice(0)).toEqual(["clock agrees with the database's again: admitting"]);
    }
    await heartbeat.stop();
  });

  test("may differ by less than two seconds", async () => {
    let aheadMs = 0;
    const heartbeat = await beatQuickly(undefined, { wallClockMs: () => Date.now() + aheadMs });
    // The test database runs on this machine, with the same clock.
    for (aheadMs of [1_500, -1_500]) expect(heartbeat.clockIsWrong()).toBe(false);
    for (aheadMs of [5_000, -5_000]) expect(heartbeat.clockIsWrong()).toBe(true);
    await heartbeat.stop();
  });
});

test("the reason why a beat failed is known until one succeeds again", async () => {
  const heartbeat = await beatQuickly(undefined, { lapseMs: 600_000 });
  expect(heartbeat.status()).toMatchObject({ isAway: false });
  expect(heartbeat.status().failure).toBeUndefined();
  proxy.refuse();
  proxy.cut();
  await until(() => heartbeat.status().isAway);
  expect(heartbeat.status().failure).toBeDefined();
  await proxy.accept();
  await until(() => !heartbeat.status().isAway);
  expect(heartbeat.status().failure).toBeUndefined();
  await heartbeat.stop();
});

test("a migration that this version cannot serve is noticed by an instance that runs", async () => {
  const heartbeat = await beatQuickly();
  expect(heartbeat.status().outdated).toBe(false);
  const [before] = await books.owner.sql`select oldest_served from schema_state`;
  await books.owner.sql`update schema_state set oldest_served = 9999`;
  await heartbeat.outdated;
  expect(heartbeat.status().outdated).toBe(true);
  await books.owner.sql`update schema_state set oldest_served = ${before?.oldest_served}`;
  await heartbeat.stop();
});

test("the number of live instances is reported from the start, not from the second beat", async () => {
  const told: number[] = [];
  const metrics = { setInstances: (count: number) => told.push(count), setClockOffset() {} };
  const heartbeat = await beatQuickly(undefined, { everyMs: 3_600_000, metrics });
  expect(told).toEqual([heartbeat.share().instances]);
  await heartbeat.stop();
});

test("live instances are counted and ranked: not those that ended or went silent", async () => {
  await books.owner.sql`update instances set ended_at = now()`;
  const first = await beatQuickly(undefined, { lapseMs: 60_000 });
  const second = await beatQuickly(undefined, { lapseMs: 60_000 });
  const silent = await beatQuickly(undefined, { everyMs: 3_600_000 });
  await until(() => [first, second].every((beat) => beat.share().instances === 3));
  await books.owner.sql`update instances set heartbeat_at = now() - interval '2 minutes'
                         where id = ${silent.instanceId}`;
  await until(() => [first, second].every((beat) => beat.share().instances === 2));
  expect([first, second].map((beat) => beat.share().rank)).toEqual([0, 1]);
  await first.stop();
  await until(() => second.share().instances === 1);
  expect(second.share().rank).toBe(0);
  await Promise.all([second.stop(), silent.stop()]);
});

test("instances silent for a day are deleted, unless they still hold money", async () => {
  const [gone, holding, recent] = [await beatQuickly(), await beatQuickly(), await beatQuickly()];
  await Promise.all([gone.stop(), holding.stop(), recent.stop()]);
  await books.owner.sql`update instances set heartbeat_at = now() - interval '23 hours'
                         where id = ${recent.instanceId}`;
  const ledger = books.openLedger({ instanceId: holding.instanceId });
  const principal = await books.newPrincipal(1_000n);
  const hold = grantOf(await ledger.hold(holdOf(principal, 10n)));
  await books.owner.sql`update instances set heartbeat_at = now() - interval '2 days'
                         where id in (${gone.instanceId}, ${holding.instanceId})`;
  await purgeInstances(books.app.db);
  expect(await instance(gone.instanceId)).toBeUndefined();
  expect(await instance(holding.instanceId)).toBeDefined();
  expect(await instance(recent.instanceId)).toBeDefined();
  await ledger.charge(chargeOf(hold, 1n));
  await ledger.drain(60_000);
  await purgeInstances(books.app.db);
  expect(await instance(holding.instanceId)).toBeUndefined();
  expect(await instance(books.instanceId)).toBeDefined();
});
