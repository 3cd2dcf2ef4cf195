// The rows of docs/billing.md in which the process stops while calls continue without their clients. A
// real process each time, because only a process can drain.
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type SpawnedServer, spawnServer } from "@turnpike/testing";
import {
  expectCleanBooks,
  openAccount,
  openTestSite,
  scripted,
  type TestAccount,
  type TestSite,
} from "../harness/index.ts";
import { askChat } from "./ask-chat.ts";
import { oddCatalog, oddModel, priceOf } from "./odd-prices.ts";
import { awaitRequest, eventually } from "./read-requests.ts";

setDefaultTimeout(180_000);

let site: TestSite;
let account: TestAccount;
let server: SpawnedServer;

beforeAll(async () => {
  const environment = { DRAIN_NOTICE_MS: "0", DRAIN_STREAMS_MS: "300" };
  site = await openTestSite({ catalog: oddCatalog, environment });
  account = await openAccount(site);
});
afterEach(async () => {
  await expectCleanBooks(site);
  await server.kill();
});
afterAll(() => site.close());

/** Disconnects from a whole answer and waits until its process has noticed, as its metrics show. */
async function leaveWhole(name: string) {
  const controller = new AbortController();
  const messages = [scripted({ tag: name, gate: true, deltas: 7 })];
  const asked = askChat(server, {
    key: account.key,
    name,
    body: { model: oddModel, messages, max_tokens: 300 },
    signal: controller.signal,
  });
  const sent = await site.upstream.waitFor((request) => request.tag === name);
  controller.abort();
  await asked;
  await eventually("the call to run in the background", async () => {
    const metrics = await fetch(new URL("/metrics", server.url));
    return (await metrics.text()).includes("turnpike_background_calls 1\n");
  });
  return sent;
}

test("a call that continues without its client ends within a drain and is billed as reported", async () => {
  server = await spawnServer({ ...site.environment, DRAIN_STREAMS_MS: "20000" });
  const name = "runs on in a drain";
  const sent = await leaveWhole(name);
  const exit = server.kill("SIGTERM");
  await eventually("the drain", async () => server.output().includes('"draining"'));
  site.upstream.open(name);
  expect(await sent.ended).toBe("answered");
  expect(await exit).toEqual({ code: 0, signal: null });
  const row = await awaitRequest(site, name);
  expect(row).toMatchObject({ state: "settled", outcome: "client_closed", completionTokens: 7 });
  expect(row).toMatchObject({ usageSource: "upstream", status: 499 });
});

test("a call that continues without its client past the drain deadline is cut off and billed by the upper estimate", async () => {
  server = await spawnServer(site.environment);
  const name = "runs on past the deadline";
  const sent = await leaveWhole(name);
  expect(await server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(await sent.ended).toBe("gone");
  const row = await awaitRequest(site, name);
  expect(row).toMatchObject({ state: "settled", outcome: "client_closed", completionTokens: 300 });
  expect(row).toMatchObject({ usageSource: "estimated", errorCode: "shutting_down" });
  const { promptTokens: prompt, completionTokens: completion } = row;
  expect(row.chargedNanos).toBe(priceOf({ prompt, completion }));
});
