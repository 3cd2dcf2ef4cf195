// kill -9 at named points in a request's life. At each of them the next process finds the books
// right: complete answers are billed once, and everything else is released.
import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import { type FailpointName, failpoints } from "@turnpike/base";
import { mintApiKey } from "@turnpike/keys";
import { type SpawnedServer, spawnServer } from "@turnpike/testing";
import { serverTimes } from "../../src/server-times.ts";
import {
  awaitReaped,
  declareSilent,
  expectCleanBooks,
  openAccount,
  openTestSite,
  patientTimes,
  readMoney,
  recallHeld,
  scripted,
  type TestAccount,
  type TestSite,
} from "../harness/index.ts";
import { askChat, type Received } from "./ask-chat.ts";
import { oddCatalog, oddModel, priceOf } from "./odd-prices.ts";
import { findRequest, type RequestRow, readRequests } from "./read-requests.ts";

setDefaultTimeout(180_000);

let site: TestSite;
let account: TestAccount;
/** Closes the leases of those that were killed. It is not asked anything, so it charges nothing. */
let heir: SpawnedServer;
let running: SpawnedServer[] = [];

beforeAll(async () => {
  site = await openTestSite({ catalog: oddCatalog });
  heir = await spawnServer(site.environment, { times: patientTimes });
});
afterEach(async () => {
  await Promise.all(running.map((server) => server.kill()));
  running = [];
  await expectCleanBooks(site);
});
afterAll(async () => {
  await heir.kill();
  await site.close();
});

async function start(failpoint?: string): Promise<SpawnedServer> {
  const options =
    failpoint === undefined ? { times: patientTimes } : { times: patientTimes, failpoint };
  const server = await spawnServer(site.environment, options);
  running.push(server);
  return server;
}

const deltas = 20;

type AskOptions = {
  readonly stream?: boolean;
  readonly gate?: boolean;
  /** Default: the account's own. */
  readonly key?: string;
  readonly onText?: (text: string) => void;
};

/** A whole answer or a stream of twenty tokens. */
function ask(server: SpawnedServer, name: string, options: AskOptions = {}): Promise<Received> {
  const { stream = true, gate = false, key = account.key, onText } = options;
  const messages = [scripted({ tag: name, deltas, paceMs: 4, gate })];
  const body = { model: oddModel, messages, stream };
  return askChat(server, { key, name, body, ...(onText && { onText }) });
}

function costOf({ promptTokens: prompt, completionTokens: completion }: RequestRow): bigint {
  return priceOf({ prompt, completion });
}

/** The account paid for exactly these requests, each with a transaction that charged it once. */
async function expectPaid(rows: readonly RequestRow[]): Promise<void> {
  const paid = rows.reduce((sum, row) => sum + row.chargedNanos, 0n);
  const { balanceNanos } = await readMoney(site, account.id);
  expect<bigint>(balanceNanos).toBe(10_000_000_000n - paid);
  for (const row of rows) {
    const settled = row.state === "settled";
    expect(row.chargedNanos).toBe(settled ? costOf(row) : 0n);
    expect(row.completionTokens).toBe(settled ? deltas : 0);
  }
}

/** Charged, or not recorded: a call is written once, when it has ended. */
type Fate = "settled" | "none";

/** Each point, and the states the request may be in once everything has settled. */
const instants: readonly { at: FailpointName; nth: number; fates: readonly Fate[] }[] = [
  { at: "hold-sent", nth: 2, fates: ["none"] },
  { at: "hold-committed", nth: 2, fates: ["none"] },
  { at: "before-upstream", nth: 2, fates: ["none"] },
  { at: "first-byte", nth: 2, fates: ["none"] },
  // The number of reads in which the tokens arrive depends on the machine; there is at least one.
  { at: "mid-stream", nth: 1, fates: ["none"] },
  { at: "before-settle", nth: 2, fates: ["none"] },
  { at: "settle-sent", nth: 2, fates: ["none", "settled"] },
  { at: "settle-committed", nth: 2, fates: ["settled"] },
  { at: "after-done", nth: 1, fates: ["settled"] },
];

describe("T3: killed at", () => {
  test.each([...instants])("$at, a request is billed in full or not at all", async (instant) => {
    account = await openAccount(site);
    const first = `before ${instant.at}`;
    const second = `at ${instant.at}`;
    const victim = await start(`${instant.at}:${instant.nth}`);
    expect((await ask(victim, first, { stream: false })).complete).toBe(true);
    // Another key has no lease yet, so that its hold passes through the database.
    const { key } = await mintApiKey(site.owner.db, {
      accountId: account.id,
      createdBy: account.personId,
      name: "second",
    });
    const received = await ask(victim, second, { key, gate: instant.at === "mid-stream" });
    expect(await victim.exited).toMatchObject({ signal: "SIGKILL" });

    await awaitReaped(site, victim, account.id);
    const rows = await readRequests(site);
    const ended = rows.get(second);
    const fate: string = ended?.state ?? "none";
    expect<readonly string[]>(instant.fates).toContain(fate);
    if (received.complete) expect(fate).toBe("settled");
    const before = rows.get(first);
    if (before === undefined) throw new Error("the first request has no row");
    expect(before.state).toBe("settled");
    await expectPaid(ended ? [before, ended] : [before]);
    // Whatever the upstream delivered and no account paid for was in flight when the process died.
    const sent = site.upstream.requests.filter(({ tag }) => tag === first || tag === second);
    const delivered = sent.reduce((sum, { delivered: { tokens } }) => sum + tokens, 0);
    const charged = before.completionTokens + (ended?.completionTokens ?? 0);
    const inFlight = sent.find(({ tag }) => tag === second)?.delivered.tokens ?? 0;
    expect(delivered - charged).toBe(fate === "settled" ? 0 : inFlight);
  });

  test("the moment the client reads [DONE], the request is already settled", async () => {
    account = await openAccount(site);
    const name = "read [DONE]";
    const victim = await start();
    const received = await ask(victim, name, {
      onText: (text) => {
        if (text.endsWith("data: [DONE]\n\n")) process.kill(victim.pid, "SIGKILL");
      },
    });
    expect(received.complete).toBe(true);
    expect(await victim.exited).toMatchObject({ signal: "SIGKILL" });
    const row = await findRequest(site, name);
    expect(row).toMatchObject({ state: "settled", outcome: "completed" });
    await expectPaid(row ? [row] : []);
    await awaitReaped(site, victim, account.id);
    await expectPaid(row ? [row] : []);
  });

  test("the moment the client reads a whole answer, it is already settled", async () => {
    account = await openAccount(site);
    const name = "read whole";
    const victim = await start();
    const received = await ask(victim, name, {
      stream: false,
      onText: () => process.kill(victim.pid, "SIGKILL"),
    });
    expect(received.complete).toBe(true);
    await victim.exited;
    const row = await findRequest(site, name);
    expect(row).toMatchObject({ state: "settled", outcome: "completed" });
    await awaitReaped(site, victim, account.id);
  });

  test("the start of a drain, the holds of running calls are released", async () => {
    account = await openAccount(site);
    const name = "drain started";
    const victim = await start("drain-started:1");
    const received = await ask(victim, name, {
      gate: true,
      onText: () => process.kill(victim.pid, "SIGTERM"),
    });
    expect(received.complete).toBe(false);
    expect(await victim.exited).toMatchObject({ signal: "SIGKILL" });
    await awaitReaped(site, victim, account.id);
    expect(await findRequest(site, name)).toBeUndefined();
    await expectPaid([]);
  });

  test.each([
    { at: "release-sent", when: "its idle lease returns money", signal: undefined },
    { at: "release-committed", when: "its idle lease returns money", signal: undefined },
    { at: "release-sent", when: "it leaves", signal: "SIGTERM" },
    { at: "release-committed", when: "it leaves", signal: "SIGTERM" },
  ] as const)(
    "$at, while $when, the reservation is released once",
    async ({ at, when, signal }) => {
      account = await openAccount(site);
      const name = `${at} while ${when}`;
      const victim = await start(`${at}:1`);
      expect((await ask(victim, name)).complete).toBe(true);
      if (signal === undefined) await recallHeld(site.owner);
      else process.kill(victim.pid, signal);
      expect(await victim.exited).toMatchObject({ signal: "SIGKILL" });
      await awaitReaped(site, victim, account.id);
      const row = await findRequest(site, name);
      expect(row).toMatchObject({ state: "settled" });
      await expectPaid(row ? [row] : []);
    },
  );

  test("reap-sent, the next reaper finishes what this one did not", async () => {
    account = await openAccount(site);
    const name = "left to two reapers";
    const victim = await start();
    const received = await ask(victim, name, {
      gate: true,
      onText: () => process.kill(victim.pid, "SIGKILL"),
    });
    expect(received.complete).toBe(false);
    await heir.kill();
    const reaper = await start("reap-sent:1");
    await victim.exited;
    await declareSilent(site, victim);
    expect(await reaper.exited).toMatchObject({ signal: "SIGKILL" });
    heir = await spawnServer(site.environment, { times: patientTimes });
    await awaitReaped(site, victim, account.id);
    expect(await findRequest(site, name)).toBeUndefined();
    await expectPaid([]);
  });
});

test("every failpoint is one of these", () => {
  const elsewhere = ["release-sent", "release-committed", "drain-started", "reap-sent"];
  const found = [...instants.map(({ at }) => at), ...elsewhere, "webhook-sent", "line-answered"];
  expect(found.toSorted()).toEqual(failpoints.toSorted());
});

/**
 * Asks again while the server refuses because the machine is busy, as a client does: of a refused call nothing was
 * read.
 */
async function askUntilAdmitted(server: SpawnedServer, name: string, options: AskOptions) {
  for (;;) {
    const received = await ask(server, name, options);
    if (received.status !== 503) return received;
    await Bun.sleep(200);
  }
}

test("FX3: killed under load, calls with a complete answer are billed and no others", async () => {
  account = await openAccount(site);
  const victim = await start();
  const names = Array.from({ length: 60 }, (_, index) => `load ${index}`);
  // Half of them never end by themselves, so that calls are running whenever the process dies.
  const endsItself = (index: number) => index % 4 < 2;
  let answers = 0;
  const results = await Promise.all(
    names.map(async (name, index) => {
      await Bun.sleep(index * 5);
      const options = { stream: index % 2 === 0, gate: !endsItself(index) };
      const received = await askUntilAdmitted(victim, name, options);
      if (received.complete) answers += 1;
      else if (answers < 20) throw new Error(`${name} got ${received.status}: ${received.text}`);
      if (answers === 20) process.kill(victim.pid, "SIGKILL");
      return received;
    }),
  );
  await victim.exited;
  await awaitReaped(site, victim, account.id);
  const rows = await readRequests(site);
  const mine = names.flatMap((name) => rows.get(name) ?? []);
  await expectPaid(mine);
  const answered = names.filter((_, index) => results[index]?.complete);
  expect(answered.length).toBeGreaterThanOrEqual(20);
  expect(answered.length).toBeLessThanOrEqual(names.filter((_, index) => endsItself(index)).length);
  for (const name of answered) expect(rows.get(name)?.state).toBe("settled");
});

test("by default a dead process's leases are closed within 75 seconds, and a live one's never", () => {
  const { heartbeatMs, heartbeatLapseMs, silentMs, reapEveryMs } = serverTimes;
  expect(heartbeatMs + silentMs + reapEveryMs).toBeLessThanOrEqual(75_000);
  // A process stops admitting, and ends its calls, before others may consider it dead.
  expect(heartbeatLapseMs + 2 * heartbeatMs).toBeLessThan(silentMs);
});
