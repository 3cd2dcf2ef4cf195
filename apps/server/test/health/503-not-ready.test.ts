// `/readyz` reports on a write that it has just made: it names whatever keeps the database from accepting
// one, and a clock with which rows would get into the wrong month.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { type SpawnedServer, spawnServer, startTcpProxy, type TcpProxy } from "@turnpike/testing";
import {
  at,
  chatBody,
  expectCleanBooks,
  expectFault,
  openAccount,
  openTestSite,
  postChat,
  type TestSite,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";

let site: TestSite;
let proxy: TcpProxy;
let server: SpawnedServer;
let key: string;
beforeAll(async () => {
  site = await openTestSite();
  key = (await openAccount(site)).key;
  const target = new URL(site.database.url);
  proxy = await startTcpProxy({ host: target.hostname, port: Number(target.port) });
  target.port = String(proxy.port);
  server = await spawnServer(
    { ...site.environment, DATABASE_URL: target.href },
    { main: join(import.meta.dir, "../start/shift-clock.ts"), times: { heartbeatMs: 300 } },
  );
});
afterEach(() => expectCleanBooks(site));
afterAll(async () => {
  await server?.kill();
  await proxy.close();
  await site.close();
});

async function readReadiness() {
  const response = await fetch(`${server.url}/readyz`);
  return { status: response.status, lines: (await response.text()).trimEnd().split("\n") };
}

/** Waits for an answer whose first line is `line`. */
function waitForLine(line: string | RegExp) {
  return eventually(`/readyz to say ${line}`, async () => {
    const answer = await readReadiness();
    return new RegExp(line).test(answer.lines[0] ?? "") && answer;
  });
}

/** What a caller gets whose call no lease covers. Which of the two depends on what noticed it first. */
async function expectRefused(): Promise<void> {
  const refused = await postChat(server, key, chatBody({ deltas: 1 }));
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(at(await refused.json(), "error.code")).toBeOneOf(["overloaded", "database_unavailable"]);
}

test("FD8: a read-only database makes the instance not ready, with the reason", async () => {
  const name = site.owner.sql(site.database.name);
  // Like a primary that became a standby: every current or new session is read-only.
  await site.owner.sql`alter database ${name} set default_transaction_read_only = on`;
  proxy.cut();
  expect((await waitForLine("^the database is read-only$")).status).toBe(503);
  await expectRefused();
  // This now applies to the owner's sessions as well.
  await site.owner.sql.begin(async (sql) => {
    await sql`set transaction read write`;
    await sql`alter database ${name} reset default_transaction_read_only`;
  });
  proxy.cut();
  expect((await waitForLine("^ok$")).status).toBe(200);
});

test("a database without disk space makes the instance not ready, with the reason", async () => {
  await site.owner.sql`
    create function refuse_for_room() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`;
  await site.owner.sql`
    create trigger no_room before insert or update on instances
    for each row execute function refuse_for_room()`;
  expect((await waitForLine("^the database's disk is full$")).status).toBe(503);
  await site.owner.sql`drop trigger no_room on instances`;
  expect((await waitForLine("^ok$")).status).toBe(200);
});

test("FD2: a database that is gone is reported as unreachable immediately", async () => {
  proxy.refuse();
  proxy.cut();
  expect((await waitForLine("^the database is unreachable")).status).toBe(503);
  await expectRefused();
  await proxy.accept();
  expect((await waitForLine("^ok$")).status).toBe(200);
});

test("a slow database is reported as slow: ready at first, then not ready", async () => {
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const locking = site.owner.sql.begin(async (sql) => {
    await sql`lock table instances in share mode`;
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  const slow = "the database did not answer a write in time";
  const seen = new Set<string>();
  const refused = await eventually("a slow database to count as not ready", async () => {
    const { status, lines } = await readReadiness();
    if (status === 200) seen.add(lines.join("\n"));
    return status === 503 && lines;
  });
  expect(refused[0]).toBe(slow);
  for (const text of seen) expect(text).not.toContain("unreachable");
  expect([...seen].some((text) => text.includes(`slow: ${slow}`))).toBe(true);
  released.resolve();
  await locking;
  expect((await waitForLine("^ok$")).status).toBe(200);
});

test("FX10: with a wrong clock nothing is admitted or recorded; once it is right, the instance recovers by itself", async () => {
  expect((await postChat(server, key, chatBody({ deltas: 1 }))).status).toBe(200);
  process.kill(server.pid, "SIGUSR2");
  const answer = await waitForLine("^the clock of this machine is 3600.0 s ahead");
  expect(answer.status).toBe(503);
  await expectFault(await postChat(server, key, chatBody({ deltas: 1 })), {
    status: 503,
    type: "server_error",
    code: "clock_wrong",
  });
  // nginx is told that nothing has begun, if it can ask another server: it repeats no call otherwise.
  const viaNginx = { headers: { "x-turnpike-other": "@turnpike_other" } };
  const redirect = async (options?: typeof viaNginx) =>
    (await postChat(server, key, chatBody({ deltas: 1 }), options)).headers.get("x-accel-redirect");
  expect([await redirect(viaNginx), await redirect()]).toEqual(["@turnpike_other", null]);
  await eventually("the log to say so", async () =>
    server.output().includes('"msg":"clock differs from the database\'s: admitting nothing"'),
  );
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).toMatch(/^turnpike_clock_offset_seconds 3(?:600|599)/m);
  process.kill(server.pid, "SIGUSR2");
  await waitForLine("^ok$");
  expect((await postChat(server, key, chatBody({ deltas: 1 }))).status).toBe(200);
  // Pending writes are completed before it ends.
  await server.kill("SIGTERM");
  const rows = await site.owner.sql`select state from requests`;
  expect(rows.map((row) => row.state)).toEqual(["settled", "settled"]);
});
