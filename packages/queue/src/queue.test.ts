// What the durable queue promises of every item: it runs at least once, by one worker at a time, is tried again with growing
// pauses and then given up, and neither a dead process nor an outage of PostgreSQL loses it.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { connectDatabase } from "@turnpike/db";
import { createLog } from "@turnpike/telemetry";
import { patientLimits, startTcpProxy } from "@turnpike/testing";
import { discardItem, retryItem } from "./change-item.ts";
import {
  openTaskWorker,
  openTestQueue,
  type TestQueue,
  taskQueue,
} from "./open-test-queue.fixture.ts";
import { claimItems } from "./open-worker.ts";
import { measureQueue, queryQueue } from "./query-queue.ts";
import { type Ending, failItem, finishItem } from "./settle-item.ts";

let site: TestQueue;
beforeAll(async () => {
  site = await openTestQueue();
});
afterAll(() => site.close());
beforeEach(async () => {
  await site.connection.sql`delete from tasks`;
});

const fails = async () => {
  throw new Error("not today");
};

async function claimOne() {
  const [task] = await claimItems(site.connection.db, taskQueue, 1);
  if (task === undefined) throw new Error("nothing is due");
  return task;
}

test("of many workers at once, one runs each item, and never two of them", async () => {
  const ids = Array.from({ length: 60 }, (_, index) => `task-${index}`);
  await site.add(...ids);
  const running = new Set<string>();
  const runs = new Map<string, number>();
  const workers = Array.from({ length: 6 }, () =>
    site.open(async ({ id }) => {
      if (running.has(id)) throw new Error("it runs already");
      running.add(id);
      runs.set(id, (runs.get(id) ?? 0) + 1);
      await site.connection.sql`select 1`;
      running.delete(id);
    }),
  );
  await Promise.all(workers.map((worker) => worker.idle()));
  expect([...runs].toSorted()).toEqual(ids.map((id) => [id, 1] as [string, number]).toSorted());
  for (const id of ids) expect(await site.rowOf(id)).toMatchObject({ done: true, attempts: 1 });
});

test("what another worker is about to claim is passed over without waiting for it", async () => {
  await site.add("a-first", "b-second");
  const other = connectDatabase({ url: site.database.ownerUrl });
  try {
    await site.connection.db.transaction(async (tx) => {
      expect(await claimItems(tx, taskQueue, 1)).toMatchObject([{ id: "a-first" }]);
      expect(await claimItems(other.db, taskQueue, 5)).toMatchObject([{ id: "b-second" }]);
    });
    expect(await claimItems(other.db, taskQueue, 5)).toEqual([]);
  } finally {
    await other.close();
  }
});

test("FS7: an item whose process is killed while it runs waits for the end of its claim, and runs once more", async () => {
  await site.add("killed");
  const path = Bun.fileURLToPath(new URL("./hang-in-task.fixture.ts", import.meta.url));
  const victim = Bun.spawn([process.execPath, path, site.database.ownerUrl], { stdout: "pipe" });
  const said = await victim.stdout.getReader().read();
  expect(new TextDecoder().decode(said.value)).toBe("runs killed\n");
  victim.kill("SIGKILL");
  await victim.exited;
  const runs: number[] = [];
  const worker = site.open(async ({ attempts }) => void runs.push(attempts));
  await worker.idle();
  expect(runs).toEqual([]);
  expect((await site.rowOf("killed")).wait).toBeGreaterThan(0);
  await site.makeDue();
  await worker.idle();
  await worker.idle();
  expect(runs).toEqual([2]);
  expect(await site.rowOf("killed")).toMatchObject({ done: true, attempts: 2 });
});

test("FS7: what ends while PostgreSQL is away runs again after the outage, and nothing is lost", async () => {
  const url = new URL(site.database.ownerUrl);
  const proxy = await startTcpProxy({ port: Number(url.port) });
  url.port = String(proxy.port);
  const connection = connectDatabase({ url: url.href, ...patientLimits });
  const logged: unknown[] = [];
  const silent = createLog({ level: "silent", name: "test" });
  const log = Object.assign(Object.create(silent), {
    error: (_: unknown, text: string) => logged.push(text),
  });
  const runs: string[] = [];
  try {
    await site.add("first");
    const worker = openTaskWorker(
      connection,
      async ({ id, attempts }) => {
        runs.push(`${id} ${attempts}`);
        if (attempts > 1 || id !== "first") return;
        proxy.refuse();
        proxy.cut();
      },
      { log },
    );
    await worker.work();
    await expect(worker.idle()).rejects.toThrow();
    expect(logged).toEqual(["how an item of a queue ended was not recorded; it runs again"]);
    await site.add("second");
    expect(await site.rowOf("first")).toMatchObject({ done: false, attempts: 1 });
    await proxy.accept();
    await worker.idle();
    expect(runs).toEqual(["first 1", "second 1"]);
    await site.makeDue();
    await worker.idle();
    expect(runs).toEqual(["first 1", "second 1", "first 2"]);
    expect(await site.rowOf("first")).toMatchObject({ done: true });
    await worker.close();
  } finally {
    await connection.close();
    await proxy.close();
  }
});

test("an item that fails waits longer each time, and is given up after its last pause", async () => {
  await site.add("bad");
  const endings: Ending[] = [];
  const worker = site.open(fails, { endings });
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await worker.idle();
    const row = await site.rowOf("bad");
    expect(row).toMatchObject({ attempts: attempt, error: "not today" });
    waits.push(row.wait);
    await site.makeDue();
  }
  await worker.idle();
  expect(endings).toEqual(["retried", "retried", "given_up"]);
  for (const [at, pause] of taskQueue.retryAfterSeconds.entries()) {
    expect(waits[at]).toBeGreaterThan(pause - 5);
    expect(waits[at]).toBeLessThanOrEqual(pause * 1.1);
  }
  expect(await site.rowOf("bad")).toMatchObject({ attempts: 3, givenUp: true });
});

test("what failed together is not tried again together", async () => {
  const ids = Array.from({ length: 20 }, (_, index) => `task-${index}`);
  await site.add(...ids);
  await site.connection.sql`update tasks set attempts = 1`;
  await site.open(fails).idle();
  const waits = await Promise.all(ids.map(async (id) => (await site.rowOf(id)).wait));
  // Pauses of an hour, and up to six minutes more.
  expect(new Set(waits.map((wait) => Math.round(wait / 10))).size).toBeGreaterThan(5);
});

test("an item that never ends fails before its claim ends, and its place is taken by the next one", async () => {
  const queue = { ...taskQueue, claim: { ...taskQueue.claim, seconds: 1.2 } };
  await site.add("a-hangs", "b-waits");
  const runs: string[] = [];
  const worker = site.open(
    async ({ id }) => {
      runs.push(id);
      if (id === "a-hangs") await new Promise(() => undefined);
    },
    { queue, atOnce: 1 },
  );
  await worker.idle();
  expect(runs).toEqual(["a-hangs", "b-waits"]);
  const hung = await site.rowOf("a-hangs");
  expect(hung).toMatchObject({ attempts: 1, error: "it did not end within 1000 ms" });
});

test("a claim that is never answered delays only one run", async () => {
  await site.add("waits");
  const { db } = site.connection;
  let statements = 0;
  const silentOnce = new Proxy(db, {
    get(target, name) {
      if (name !== "execute") return Reflect.get(target, name);
      return (...query: Parameters<typeof target.execute>) => {
        statements += 1;
        return statements === 1 ? new Promise(() => undefined) : target.execute(...query);
      };
    },
  });
  const queue = { ...taskQueue, claim: { ...taskQueue.claim, seconds: 0.6 } };
  const runs: string[] = [];
  const run = async ({ id }: { id: string }) => void runs.push(id);
  const worker = openTaskWorker({ db: silentOnce }, run, { queue });
  await expect(worker.work()).rejects.toThrow("the claim was not answered within 100 ms");
  await worker.idle();
  expect(runs).toEqual(["waits"]);
});

test("a worker that is closed starts nothing more, and records what it had started", async () => {
  await site.add("one", "two");
  const ended = Promise.withResolvers<void>();
  const worker = site.open(() => ended.promise, { atOnce: 1 });
  await worker.work();
  const closing = worker.close();
  await worker.work();
  ended.resolve();
  await closing;
  expect(await site.rowOf("one")).toMatchObject({ done: true });
  expect(await site.rowOf("two")).toMatchObject({ attempts: 0 });
});

test("a failure counts no longer once another worker has the item, or an operator discarded it; a success does", async () => {
  const { db } = site.connection;
  await site.add("slow");
  const first = await claimOne();
  await site.makeDue();
  const second = await claimOne();
  expect(await failItem(db, taskQueue, first, { error: "late", isFinal: false })).toBe(
    "superseded",
  );
  expect(await site.rowOf("slow")).toMatchObject({ attempts: 2, error: null });
  await discardItem(db, taskQueue, ["slow"]);
  expect(await failItem(db, taskQueue, second, { error: "late", isFinal: false })).toBe(
    "superseded",
  );
  await finishItem(db, taskQueue, first);
  expect(await site.rowOf("slow")).toMatchObject({ done: true, error: null });
});

test("operators see what failed and why, have it tried now, and discard it", async () => {
  const { db } = site.connection;
  await site.add("bad", "new", "worse");
  const worker = site.open(fails, { atOnce: 1, endings: [] });
  await site.connection.sql`update tasks set due_at = now() + interval '1 hour' where id = 'new'`;
  await site.connection.sql`update tasks set attempts = 2 where id = 'worse'`;
  await worker.idle();
  const { rows, ...counts } = await queryQueue(db, taskQueue);
  expect(counts).toMatchObject({ waiting: 2, givenUp: 1, oldestAt: expect.any(String) });
  expect(rows).toMatchObject([
    {
      id: "bad",
      attempts: 1,
      gaveUpAt: null,
      nextAttemptAt: expect.any(String),
      error: "not today",
    },
    { id: "worse", attempts: 3, gaveUpAt: expect.any(String), nextAttemptAt: null },
  ]);
  expect(await retryItem(db, taskQueue, ["bad"])).toEqual({ id: "bad" });
  expect(await site.rowOf("bad")).toMatchObject({ attempts: 0, wait: expect.any(Number) });
  expect((await claimOne()).id).toBe("bad");
  await discardItem(db, taskQueue, ["new"]);
  expect(await site.rowOf("new")).toMatchObject({ givenUp: true });
  for (const change of [retryItem, discardItem]) {
    const refused = await change(db, taskQueue, ["new"]).catch((thrown: unknown) => thrown);
    expect(refused).toMatchObject({ code: "not_found", message: "No such task waits." });
  }
});

test("the figures of a queue count what waits, and say for how long the first has been due", async () => {
  const { db, sql } = site.connection;
  expect(await measureQueue(db, taskQueue)).toMatchObject({ waiting: 0, overdueMs: 0 });
  await site.add("due", "later", "done");
  await sql`update tasks set due_at = now() - interval '1 hour' where id = 'due'`;
  await sql`update tasks set due_at = now() + interval '1 hour' where id = 'later'`;
  await sql`update tasks set due_at = now() - interval '1 day', done_at = now() where id = 'done'`;
  const { waiting, overdueMs } = await measureQueue(db, taskQueue);
  expect(waiting).toBe(2);
  expect(overdueMs).toBeGreaterThanOrEqual(3_600_000);
  expect(overdueMs).toBeLessThan(2 * 3_600_000);
});
