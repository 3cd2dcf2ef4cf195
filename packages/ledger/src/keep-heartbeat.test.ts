import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { openLog } from "@turnpike/telemetry";
import { startTcpProxy, type TcpProxy } from "@turnpike/testing";
import { type Heartbeat, keepHeartbeat, purgeInstances } from "./keep-heartbeat.ts";
import {
  faultCodeOf,
  grantOf,
  holdOf,
  openTestBooks,
  settlementOf,
  type TestBooks,
} from "./open-test-books.ts";

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
const countingLog = Object.assign(openLog({ level: "silent", name: "test" }), {
  warn: () => {
    failedBeats += 1;
  },
});

function beatQuickly(onLapse: () => void = () => undefined): Promise<Heartbeat> {
  return keepHeartbeat({ url, everyMs: 20, lapseMs: 1_000, onLapse, log: countingLog });
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(10);
}

async function instance(id: string) {
  const [row] = await books.owner.sql<{ heartbeat_at: string; ended_at: string | null }[]>`
    select heartbeat_at, ended_at from instances where id = ${id}`;
  return row;
}

describe("a heartbeat", () => {
  test("is there before its process admits anything, moves on, and says when it ended", async () => {
    const heartbeat = await beatQuickly();
    expect(heartbeat.alive()).toBe(true);
    const first = await instance(heartbeat.instanceId);
    expect(first?.ended_at).toBeNull();
    await until(
      async () => (await instance(heartbeat.instanceId))?.heartbeat_at !== first?.heartbeat_at,
    );
    await heartbeat.stop();
    expect((await instance(heartbeat.instanceId))?.ended_at).not.toBeNull();
  });

  test("that lapses ends what runs, once, admits nothing, and comes back", async () => {
    let lapses = 0;
    const heartbeat = await beatQuickly(() => {
      lapses += 1;
    });
    const ledger = books.openLedger({ admitting: heartbeat.alive });
    const spender = await books.newSpender(1_000n);
    grantOf(await ledger.placeHold(holdOf(spender, 10n)));
    proxy.refuse();
    proxy.cut();
    await until(() => lapses > 0);
    expect(heartbeat.alive()).toBe(false);
    // More beats fail; the lapse is told once.
    const told = failedBeats;
    await until(() => failedBeats > told + 2);
    expect(lapses).toBe(1);
    expect(await faultCodeOf(ledger.placeHold(holdOf(spender, 10n)))).toBe("overloaded");
    await proxy.accept();
    await until(heartbeat.alive);
    grantOf(await ledger.placeHold(holdOf(spender, 10n)));
    await heartbeat.stop();
  });

  test("does not hang on a server that swallows its question", async () => {
    const heartbeat = await beatQuickly();
    proxy.blackHole();
    await until(() => !heartbeat.alive());
    // What was swallowed stays lost: only a new connection can come back from this.
    proxy.resume();
    await until(heartbeat.alive);
    await heartbeat.stop();
  }, 30_000);

  test("of a process that was purged while away comes back", async () => {
    const heartbeat = await beatQuickly();
    await books.owner.sql`delete from instances where id = ${heartbeat.instanceId}`;
    await until(async () => (await instance(heartbeat.instanceId)) !== undefined);
    await heartbeat.stop();
  });
});

test("instances a day silent are forgotten, unless they still hold money", async () => {
  const [gone, holding] = [await beatQuickly(), await beatQuickly()];
  await Promise.all([gone.stop(), holding.stop()]);
  const ledger = books.openLedger({ instanceId: holding.instanceId });
  const spender = await books.newSpender(1_000n);
  const hold = holdOf(spender, 10n);
  grantOf(await ledger.placeHold(hold));
  await books.owner.sql`update instances set heartbeat_at = now() - interval '2 days'
                         where id in (${gone.instanceId}, ${holding.instanceId})`;
  await purgeInstances(books.app.sql);
  expect(await instance(gone.instanceId)).toBeUndefined();
  expect(await instance(holding.instanceId)).toBeDefined();
  await ledger.settleHold(settlementOf(hold, 1n));
  await purgeInstances(books.app.sql);
  expect(await instance(holding.instanceId)).toBeUndefined();
  expect(await instance(books.instanceId)).toBeDefined();
});
