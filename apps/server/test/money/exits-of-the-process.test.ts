// The rows of docs/billing.md in which the gateway itself ends: told to stop, or killed. A real
// process each time, because only a process can die.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { type SpawnedServer, spawnServer } from "@turnpike/testing";
import {
  expectCleanBooks,
  openAccount,
  openTestSite,
  readMoney,
  scripted,
  type TestAccount,
  type TestSite,
} from "../harness/index.ts";
import { askChat } from "./ask-chat.ts";
import { oddCatalog, oddModel, priceOf } from "./odd-prices.ts";
import { awaitRequest } from "./read-requests.ts";

/** What a process is given so that its death is noticed within two seconds. */
const quick = {
  HEARTBEAT_MS: "200",
  HEARTBEAT_LAPSE_MS: "1000",
  INSTANCE_SILENT_MS: "1300",
  REAP_EVERY_MS: "200",
  DRAIN_NOTICE_MS: "0",
  DRAIN_STREAMS_MS: "300",
};

let site: TestSite;
let account: TestAccount;
let server: SpawnedServer;

beforeAll(async () => {
  site = await openTestSite({ catalog: oddCatalog, environment: quick });
  account = await openAccount(site);
});
afterEach(async () => {
  await server.kill();
  await expectCleanBooks(site);
});
afterAll(() => site.close());

/** A stream that never ends by itself; `begun` resolves when some of it has arrived. */
function askForEver(name: string, fields = {}) {
  const begun = Promise.withResolvers<void>();
  const messages = [scripted({ tag: name, endless: true, paceMs: 5 })];
  const asked = askChat(server, {
    key: account.key,
    name,
    body: { model: oddModel, messages, stream: true, ...fields },
    onText: (text) => {
      if (text.length > 2_000) begun.resolve();
    },
  });
  return { asked, begun: begun.promise };
}

test("at the drain deadline a stream ends with an error event and is billed for what was relayed", async () => {
  server = await spawnServer(site.environment);
  const name = "drained";
  const { asked, begun } = askForEver(name);
  await begun;
  const exit = server.kill("SIGTERM");
  const received = await asked;
  expect(received).toMatchObject({ status: 200, complete: false });
  expect(received.error).toMatchObject({ code: "shutting_down", type: "server_error" });
  expect(await exit).toEqual({ code: 0, signal: null });
  // Not awaited: a process that has left has settled everything.
  const row = await awaitRequest(site, name);
  expect(row).toMatchObject({ state: "settled", outcome: "ended_by_gateway" });
  expect(row.errorCode).toBe("shutting_down");
  expect(row.completionTokens).toBe(received.tokens);
  const { promptTokens: prompt, completionTokens: completion } = row;
  expect(row.chargedNanos).toBe(priceOf({ prompt, completion }));
});

test("a stream that ends before the drain deadline ends as ever", async () => {
  server = await spawnServer({ ...site.environment, DRAIN_STREAMS_MS: "20000" });
  const name = "drained in time";
  const messages = [scripted({ tag: name, deltas: 100, paceMs: 5 })];
  const asked = askChat(server, {
    key: account.key,
    name,
    body: { model: oddModel, messages, stream: true },
  });
  await site.upstream.waitFor((request) => request.tag === name);
  const exit = server.kill("SIGTERM");
  expect(await asked).toMatchObject({ complete: true, tokens: 100 });
  expect(await exit).toEqual({ code: 0, signal: null });
  const row = await awaitRequest(site, name);
  expect(row).toMatchObject({ state: "settled", outcome: "completed", completionTokens: 100 });
});

test("a whole answer still in the making at the drain deadline is refused, for nothing", async () => {
  server = await spawnServer(site.environment);
  const name = "whole at the deadline";
  const messages = [scripted({ tag: name, firstByteMs: 60_000 })];
  const body = { model: oddModel, messages };
  const asked = askChat(server, { key: account.key, name, body });
  await site.upstream.waitFor((request) => request.tag === name);
  const exit = server.kill("SIGTERM");
  const received = await asked;
  expect(received.status).toBe(503);
  expect(received.error).toMatchObject({ code: "shutting_down" });
  expect(await exit).toEqual({ code: 0, signal: null });
  const row = await awaitRequest(site, name);
  expect(row).toMatchObject({ state: "released", chargedNanos: 0n });
});

test("a killed process bills nothing of what it had open; its holds come back", async () => {
  server = await spawnServer(site.environment);
  const before = await readMoney(site, account.id);
  const name = "killed";
  const { asked, begun } = askForEver(name);
  await begun;
  await server.kill("SIGKILL");
  expect(await asked).toMatchObject({ status: 200, complete: false, error: undefined });
  const during = await readMoney(site, account.id);
  expect(during.heldNanos).toBeGreaterThan(0n);
  server = await spawnServer(site.environment);
  const row = await awaitRequest(site, name);
  expect(row).toMatchObject({ state: "expired", outcome: "expired", chargedNanos: 0n });
  expect(await readMoney(site, account.id)).toEqual(before);
});
