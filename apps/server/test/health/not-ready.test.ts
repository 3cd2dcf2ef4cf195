// When an instance tells load balancers to send no more traffic: while it drains, when its
// heartbeat has lapsed, when its database is unreachable. `/livez` stays ok all the time.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type SpawnedServer, spawnServer, startTcpProxy, type TcpProxy } from "@turnpike/testing";
import {
  chatBody,
  expectCleanBooks,
  openAccount,
  openTestSite,
  postChat,
  type TestSite,
} from "../harness/index.ts";

setDefaultTimeout(180_000);

let site: TestSite;
let proxy: TcpProxy;
let throughProxy: Readonly<Record<string, string>>;

beforeAll(async () => {
  site = await openTestSite();
  const target = new URL(site.database.url);
  proxy = await startTcpProxy({ host: target.hostname, port: Number(target.port) });
  target.port = String(proxy.port);
  throughProxy = { DATABASE_URL: target.href, DATABASE_DIRECT_URL: site.database.url };
});
afterAll(async () => {
  // A process that considers the killed ones dead releases what they had reserved.
  const reaper = await spawnServer(site.environment, {
    times: { heartbeatMs: 200, heartbeatLapseMs: 1_000, silentMs: 1_300, reapEveryMs: 200 },
  });
  await expectCleanBooks(site);
  await reaper.kill("SIGKILL");
  await proxy.close();
  await site.close();
});

async function ask(server: SpawnedServer, path: string): Promise<[number, string]> {
  const response = await fetch(`${server.url}${path}`);
  return [response.status, (await response.text()).trim()];
}

/** Resolves once `/readyz` says this; on a busy machine the database may seem unreachable before. */
async function awaitReadiness(server: SpawnedServer, status: number, word: RegExp): Promise<void> {
  for (;;) {
    const answer = await ask(server, "/readyz");
    if (answer[0] === status && word.test(answer[1])) return;
    await Bun.sleep(20);
  }
}

test("a draining process reports it, and serves requests until its notice is over", async () => {
  const server = await spawnServer({ ...site.environment, DRAIN_NOTICE_MS: "600000" });
  const account = await openAccount(site);
  await awaitReadiness(server, 200, /^ok/);
  const exit = server.kill("SIGTERM");
  await awaitReadiness(server, 503, /^draining$/);
  expect(await ask(server, "/livez")).toEqual([200, expect.stringMatching(/^ok\n/)]);
  const answer = await postChat(server, account.key, chatBody({ deltas: 2 }));
  expect(answer.status).toBe(200);
  await answer.text();
  await server.kill("SIGKILL");
  await exit;
});

test("after its notice a process accepts no more connections and exits", async () => {
  const server = await spawnServer(site.environment);
  expect(await server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(server.output()).toContain('"msg":"drained"');
});

test("an instance whose heartbeat has lapsed is not ready until the next heartbeat", async () => {
  const server = await spawnServer(
    { ...site.environment, ...throughProxy },
    { times: { heartbeatMs: 100, heartbeatLapseMs: 1_000 } },
  );
  try {
    proxy.refuse();
    proxy.cut();
    await awaitReadiness(server, 503, /^heartbeat lapsed/);
    expect(await ask(server, "/livez")).toEqual([200, expect.stringMatching(/^ok\n/)]);
    await proxy.accept();
    await awaitReadiness(server, 200, /^ok/);
  } finally {
    await server.kill("SIGKILL");
  }
});

test("an instance whose database is unreachable is not ready, long before its heartbeat lapses", async () => {
  const server = await spawnServer(
    { ...site.environment, ...throughProxy },
    { times: { heartbeatLapseMs: 600_000, silentMs: 900_000 } },
  );
  try {
    proxy.refuse();
    proxy.cut();
    await awaitReadiness(server, 503, /^(?!heartbeat|draining).*(?:database|connection)/i);
  } finally {
    await server.kill("SIGKILL");
    await proxy.accept();
  }
});
