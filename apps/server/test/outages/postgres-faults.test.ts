// What can happen to PostgreSQL's processes while it is used: ended, killed, restarted, stopped, and none
// left for a new connection.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type Connection, connectDatabase, errorCodeOf } from "@turnpike/db";
import { chatBody, openAccount } from "../harness/index.ts";
import { askChat } from "../money/ask-chat.ts";
import { eventually } from "../money/read-requests.ts";
import { type OwnSite, openOwnSite } from "./open-own-site.ts";

setDefaultTimeout(120_000);

let site: OwnSite;
beforeAll(async () => {
  site = await openOwnSite();
});
afterAll(() => site?.close());

/** Backends of the server, or of one of its pools. Empty while the database recovers. */
async function listBackends(pool = "turnpike%"): Promise<readonly number[]> {
  const rows = await site.cluster.admin.sql<{ pid: number }[]>`
    select pid from pg_stat_activity where application_name like ${pool}
     order by random()`.catch(() => []);
  return rows.map(({ pid }) => pid);
}

function findBackend(pool?: string): Promise<number> {
  return eventually("a backend", async () => (await listBackends(pool))[0]);
}

async function terminate(pid: number): Promise<void> {
  await site.cluster.admin.sql`select pg_terminate_backend(${pid})`;
}

test("T4: backends that are terminated at random", () =>
  site.withstand(async (calls) => {
    for (let round = 0; round < 20; round += 1) {
      await terminate(await findBackend());
      await Bun.sleep(Math.random() * 100);
    }
    await calls.awaitAnswers();
  }));

test("T4: a backend that is killed, so that every session ends and the log is replayed", () =>
  site.withstand(async (calls) => {
    for (let round = 0; round < 5; round += 1) {
      process.kill(await findBackend("turnpike charge"), "SIGKILL");
      await calls.awaitAnswers();
    }
  }));

test.each([
  { mode: "fast", signal: "SIGINT" },
  { mode: "immediate", signal: "SIGQUIT" },
] as const)("T4, FD2, FD3: restart -m $mode, at once and after an outage", ({ signal }) =>
  site.withstand(async (calls) => {
    await site.cluster.stop(signal);
    await site.cluster.start();
    await calls.awaitAnswers();
    await site.cluster.stop(signal);
    await calls.awaitRefusal();
    await site.cluster.start();
  }),
);

test("T4: a postmaster that is stopped and accepts no connection", () =>
  site.withstand(async (calls) => {
    const postmaster = site.cluster.postmasterPid();
    const backends = await eventually("the backends", async () => {
      const pids = await listBackends();
      return pids.length > 0 && pids;
    });
    process.kill(postmaster, "SIGSTOP");
    try {
      for (const pid of backends) process.kill(pid, "SIGTERM");
      await calls.awaitRefusal();
    } finally {
      process.kill(postmaster, "SIGCONT");
    }
  }));

test.each(["turnpike acquire", "turnpike charge", "turnpike heartbeat", "turnpike"])(
  "T4: a backend of %s that is stopped, perhaps while every commit waits for it",
  (pool) =>
    site.withstand(async () => {
      const { owner, server } = site;
      // Their keys are not known yet and have no lease: every pool is needed.
      const newAccounts = await Promise.all(
        Array.from({ length: 8 }, () => openAccount({ owner })),
      );
      const pid = await findBackend(pool);
      process.kill(pid, "SIGSTOP");
      try {
        for (const { key } of newAccounts) {
          const name = `while a backend of ${pool} is stopped`;
          const { status } = await askChat(server, { key, name, body: chatBody({ deltas: 1 }) });
          expect(status).toBeOneOf([200, 503]);
        }
        await eventually("another connection", async () => {
          return (await listBackends(pool)).some((other) => other !== pid);
        });
      } finally {
        process.kill(pid, "SIGCONT");
      }
    }),
);

test("T4, FD4: every backend frozen for 2.5 s: what was being held is returned after it thaws", () =>
  site.withstand(async (calls) => {
    const pids = await eventually("the backends", async () => {
      const backends = await listBackends();
      return backends.length > 0 && backends;
    });
    for (const pid of pids) process.kill(pid, "SIGSTOP");
    try {
      await Bun.sleep(2_500);
    } finally {
      for (const pid of pids) process.kill(pid, "SIGCONT");
    }
    await calls.awaitAnswers();
  }));

test("T4: max_connections reached", () =>
  site.withstand(async (calls) => {
    const taken: Connection[] = [];
    try {
      await eventually("others to have every connection", async () => {
        const refusedWith = await takeConnection(taken);
        if (refusedWith === undefined) return false;
        expect(refusedWith).toBe("53300");
        const own = await listBackends();
        for (const pid of own) await terminate(pid);
        return own.length === 0;
      });
      await calls.awaitRefusal();
    } finally {
      await Promise.all(taken.map((connection) => connection.close()));
    }
  }));

/** Opens one more connection that stays open, or resolves with the code it was refused with. */
async function takeConnection(taken: Connection[]): Promise<string | undefined> {
  const url = site.cluster.postgres.ownerUrl;
  const connection = connectDatabase({ url, max: 1, applicationName: "test, taken" });
  try {
    await connection.sql`select 1`;
    taken.push(connection);
    return undefined;
  } catch (error) {
    await connection.close();
    return errorCodeOf(error);
  }
}
