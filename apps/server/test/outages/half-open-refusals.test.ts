// A database whose connections no longer answer, and whose new connections do not either: nothing on the network says
// so. One call finds out by waiting; those after it are refused at once, and ask neither the database nor a provider.
import { afterAll, afterEach, expect, test } from "bun:test";
import { startTcpProxy } from "@turnpike/testing";
import {
  chatBody,
  expectCleanBooks,
  expectFault,
  openAccount,
  openTestSite,
  postChat,
  startTestServer,
  waitForSettled,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";

const site = await openTestSite();
const url = new URL(site.database.url);
const proxy = await startTcpProxy({ port: Number(url.port) });
url.port = String(proxy.port);
const server = await startTestServer({
  site,
  // No heartbeat is due during the test: a call's own failure must be what finds the outage.
  serverTimes: { heartbeatMs: 600_000, heartbeatLapseMs: 1_200_000, silentMs: 1_800_000 },
  environment: { DATABASE_URL: url.href, SETTLE_WAIT_MS: "1000" },
});
afterEach(() => expectCleanBooks(site));
afterAll(async () => {
  await server.close();
  await proxy.close();
  await site.close();
});

const unavailable = { status: 503, type: "server_error", code: "database_unavailable" };
const ask = (key: string, stream = false) =>
  postChat(server, key, chatBody({ deltas: 1 }, { stream }));

async function countShed(): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(/^turnpike_shed_calls_total\{[^}]*reason="database"[^}]*\} (\d+)/m.exec(text)?.[1]);
}

test("once one call has found it half-open, calls are refused without a statement of their own", async () => {
  const account = await openAccount(site);
  expect((await ask(account.key)).status).toBe(200);
  await waitForSettled(site);
  proxy.blackHole();
  await eventually("the outage to be noticed", async () => {
    const refused = await ask(account.key);
    return refused.status === 503 && (await refused.text()).includes("database_unavailable");
  });
  const asked = server.upstream.requests.length;
  const before = await countShed();
  // Keys that only the database knows: to refuse them with 401 it would have to be asked.
  const keys = [account.key, account.key, "sk-tp-unknown", "sk-tp-another"];
  for (const key of keys) await expectFault(await ask(key), unavailable);
  await expectFault(await ask(account.key, true), unavailable);
  // All of them on arrival.
  expect(await countShed()).toBe(before + keys.length + 1);
  expect(server.upstream.requests).toHaveLength(asked);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
  proxy.cut();
  proxy.resume();
  await eventually("an answer", async () => (await ask(account.key)).status === 200);
  await waitForSettled(site);
});
