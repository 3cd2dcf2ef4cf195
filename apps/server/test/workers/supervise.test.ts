// The parent of several workers: signals reach all of them, one that ends is replaced, and none
// outlives the parent, however that ends.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type SpawnedServer, spawnServer } from "@turnpike/testing";
import { joinOutput } from "../../src/join-output.ts";
import { replacementDelay } from "../../src/supervise-workers.ts";
import {
  at,
  chatBody,
  expectCleanBooks,
  openAccount,
  openTestSite,
  readEvents,
  type TestSite,
} from "../harness/index.ts";
import {
  countInstances,
  isRunning,
  readLog,
  readMetrics,
  readMetricsOfBoth,
  readWorkerPids,
  until,
} from "./watch-workers.ts";

let site: TestSite;
let server: SpawnedServer;
let key: string;
let workerPids: readonly number[] = [];

beforeAll(async () => {
  site = await openTestSite({ environment: { WORKERS: "2" } });
  key = (await openAccount(site)).key;
});
afterEach(async () => {
  await server.kill();
  await until(() => ![...readWorkerPids(server).values()].some(isRunning));
  await expectCleanBooks(site);
});
afterAll(() => site.close());

async function start(): Promise<void> {
  server = await spawnServer(site.environment);
  workerPids = [...readWorkerPids(server).values()];
}

function openStream(script: object): Promise<Response> {
  return fetch(`${server.baseUrl}/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      connection: "close",
      "content-type": "application/json",
    },
    body: JSON.stringify(chatBody({ tag: "stream", ...script }, { stream: true })),
  });
}

function runningRequests(text: string): number {
  return Number(/^turnpike_in_flight(?:\{[^}]*\})? (\d+)/m.exec(text)?.[1]);
}

/** Opens streams until each of the two workers has one. */
async function openStreamOnBoth(script: object): Promise<readonly Response[]> {
  const streams: Response[] = [];
  for (let idle = 2; idle > 0; ) {
    streams.push(await openStream(script));
    const texts = [...(await readMetricsOfBoth(server)).values()];
    idle = texts.filter((text) => runningRequests(text) === 0).length;
  }
  return streams;
}

const untilBothDrain = () =>
  until(() => readLog(server).filter(({ msg }) => msg === "draining").length === 2);

/** Once both have stopped to listen. */
const untilRefused = () =>
  until(() =>
    readMetrics(server).then(
      () => false,
      () => true,
    ),
  );

test("SIGTERM to the parent lets the answers of both workers end, and leaves nothing", async () => {
  await start();
  const before = await countInstances(site);
  const tag = "open when the signal comes";
  const streams = await openStreamOnBoth({ tag, deltas: 3, gate: true });
  const exit = server.kill("SIGTERM");
  await untilBothDrain();
  site.upstream.open(tag);
  for (const stream of streams) expect((await readEvents(stream)).done).toBe(true);
  expect(await exit).toEqual({ code: 0, signal: null });
  expect(workerPids.filter(isRunning)).toEqual([]);
  expect(await countInstances(site)).toEqual({ live: 0, ended: Number(before.ended) + 2 });
  const drained = readLog(server).filter(({ msg }) => msg === "drained");
  expect(drained.map(({ worker }) => worker).toSorted()).toEqual([1, 2]);
});

test("FX2: a second SIGTERM ends the answers of both immediately", async () => {
  await start();
  const streams = await openStreamOnBoth({ endless: true, paceMs: 10 });
  const exit = server.kill("SIGTERM");
  await untilBothDrain();
  process.kill(server.pid, "SIGTERM");
  for (const stream of streams) {
    const { events, done } = await readEvents(stream);
    expect(at(events.at(-1), "error.code")).toBe("shutting_down");
    expect(done).toBe(false);
  }
  expect(await exit).toEqual({ code: 0, signal: null });
});

test("a signal to every process of the group is one signal, not a second one", async () => {
  await start();
  const tag = "open when the signals come";
  const streams = await openStreamOnBoth({ tag, deltas: 3, gate: true });
  for (const pid of [...workerPids, server.pid]) process.kill(pid, "SIGTERM");
  await untilBothDrain();
  // What the parent passes on arrives after the signal that each got itself, if not before.
  await untilRefused();
  site.upstream.open(tag);
  for (const stream of streams) expect((await readEvents(stream)).done).toBe(true);
  expect(await server.exited).toEqual({ code: 0, signal: null });
});

test("SIGHUP to the parent reloads the catalog of both", async () => {
  await start();
  const file = String(site.environment.CATALOG_FILE);
  const text = readFileSync(file, "utf8");
  appendFileSync(file, "# another version\n");
  const logged = readLog(server).length;
  try {
    process.kill(server.pid, "SIGHUP");
    const reloaded = () =>
      new Set(
        readLog(server)
          .slice(logged)
          .filter(({ msg }) => String(msg).startsWith("catalog"))
          .map(({ worker }) => worker),
      );
    await until(() => reloaded().has(1) && reloaded().has(2));
  } finally {
    writeFileSync(file, text);
  }
  // Without a parent nothing reads the last lines of the workers' logs; the workers still end.
  expect(await server.kill("SIGKILL")).toEqual({ code: null, signal: "SIGKILL" });
  await until(() => !workerPids.some(isRunning));
});

test("a worker that is killed is replaced while the other one answers", async () => {
  await start();
  const killed = Number(readWorkerPids(server).get(1));
  process.kill(killed, "SIGKILL");
  await until(() => !isRunning(killed));
  // A connection that was waiting for the killed worker may break; new ones reach the other.
  await until(() =>
    readMetrics(server).then(
      ({ worker }) => worker > 0,
      () => false,
    ),
  );
  await until(() => readWorkerPids(server).get(1) !== killed);
  expect([...(await readMetricsOfBoth(server)).keys()].toSorted()).toEqual([1, 2]);
  expect(readLog(server).map(({ msg }) => msg)).toContain("a worker ended: starting another");
  expect(await server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
});

test("a parent whose log is no longer read still replaces a worker, and its exit is a success", async () => {
  const program = join(import.meta.dir, "../../src/main.ts");
  const parent = Bun.spawn([process.execPath, program], {
    env: { PATH: process.env.PATH, PORT: "0", ...site.environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  try {
    let printed = "";
    for await (const chunk of parent.stdout) {
      printed += Buffer.from(chunk).toString();
      if (printed.includes("all workers are listening")) break;
    }
    const port = /"port":(\d+)[^\n]*"all workers are listening"/.exec(printed)?.[1];
    const first = readWorkerPids({ output: () => printed }).get(1);
    process.kill(Number(first), "SIGKILL");
    const url = `http://127.0.0.1:${port}`;
    await until(() => readMetricsOfBoth({ url }).then(Boolean, () => false));
    parent.kill("SIGTERM");
    expect(await parent.exited).toBe(0);
  } finally {
    parent.kill("SIGKILL");
  }
});

test("workers whose parent is killed end their answers, bill them and exit", async () => {
  await start();
  const before = await countInstances(site);
  const tag = "open when the parent is killed";
  const streams = await openStreamOnBoth({ tag, deltas: 3, gate: true });
  // Its end is not awaited: the workers have its stderr.
  process.kill(server.pid, "SIGKILL");
  await untilRefused();
  site.upstream.open(tag);
  for (const stream of streams) expect((await readEvents(stream)).done).toBe(true);
  await until(() => !workerPids.some(isRunning));
  expect((await countInstances(site)).ended).toBe(Number(before.ended) + 2);
});

test("replacements wait longer each time, and stop if none serves after ten in a minute", () => {
  const delays = [0, 1, 2, 3, 6, 7, 20].map((count) =>
    replacementDelay(Array(count).fill(1_000), 1_000, true),
  );
  expect(delays).toEqual([0, 100, 200, 400, 3_200, 5_000, 5_000]);
  expect(replacementDelay(Array(9).fill(1_000), 1_000, false)).toBe(5_000);
  expect(replacementDelay(Array(10).fill(1_000), 1_000, false)).toBeUndefined();
  expect(replacementDelay(Array(10).fill(1_000), 61_000, false)).toBe(0);
});

test("lines of several workers are written whole, in whatever pieces they arrive", async () => {
  const written: string[] = [];
  const output = joinOutput(async (bytes) => {
    await Promise.resolve();
    written.push(Buffer.from(bytes).toString());
  });
  const pieces = (...texts: readonly string[]) =>
    new ReadableStream<Uint8Array>({
      async start(controller) {
        for (const text of texts) {
          await Promise.resolve();
          controller.enqueue(Buffer.from(text));
        }
        controller.close();
      },
    });
  await Promise.all([
    output.copyFrom(pieces("one ", "two\nthr", "ee\ncut")),
    output.copyFrom(pieces("a", "b", "c\n")),
  ]);
  output.write("parent\n");
  await output.written();
  const lines = written.join("").split("\n");
  expect(lines.toSorted()).toEqual(["", "abc", "cut", "one two", "parent", "three"]);
});
