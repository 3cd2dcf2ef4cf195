// The rows of docs/billing.md in which the gateway itself ends: told to stop, or killed. A real
// process each time, because only a process can die.
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { once } from "node:events";
import { connect } from "node:net";
import { type SpawnedServer, spawnServer, startTcpProxy } from "@turnpike/testing";
import {
  expectCleanBooks,
  openAccount,
  openTestSite,
  rawPost,
  readMoney,
  scripted,
  type TestAccount,
  type TestSite,
} from "../harness/index.ts";
import { askChat } from "./ask-chat.ts";
import { contextTokens, oddCatalog, oddModel, priceOf } from "./odd-prices.ts";
import { awaitRequest, eventually, findRequest } from "./read-requests.ts";

setDefaultTimeout(180_000);

/** Settings with which the death of a process is noticed within seconds, but not that of one on a busy machine. */
const quick = {
  HEARTBEAT_MS: "200",
  HEARTBEAT_LAPSE_MS: "5000",
  INSTANCE_SILENT_MS: "6500",
  REAP_EVERY_MS: "200",
  DRAIN_NOTICE_MS: "0",
  DRAIN_STREAMS_MS: "300",
};

/** For a process that no instance, including itself, may consider dead, however slow the machine is. */
const patient = { HEARTBEAT_LAPSE_MS: "120000", INSTANCE_SILENT_MS: "150000" };

let site: TestSite;
let account: TestAccount;
let server: SpawnedServer;

beforeAll(async () => {
  site = await openTestSite({ catalog: oddCatalog, environment: quick });
  account = await openAccount(site);
});
afterEach(async () => {
  // While it is alive: what its idle leases hold is returned within seconds.
  await expectCleanBooks(site);
  await server.kill();
});
afterAll(() => site.close());

/** Waits until others have closed the leases of a dead process: there is no row, and nothing is held. */
async function awaitGivenBack(name: string): Promise<void> {
  await eventually("its money to come back", async () => {
    const { heldNanos } = await readMoney(site, account.id);
    return heldNanos === 0n;
  });
  expect(await findRequest(site, name)).toBeUndefined();
}

/** A stream that never ends by itself; `begun` resolves when part of it has arrived. */
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
  server = await spawnServer({ ...site.environment, ...patient });
  const name = "drained";
  const { asked, begun } = askForEver(name);
  await begun;
  const exit = server.kill("SIGTERM");
  const received = await asked;
  expect(received).toMatchObject({ status: 200, complete: false });
  expect(received.error).toMatchObject({ code: "shutting_down", type: "server_error" });
  expect(received.error?.message).toEndWith("What was delivered is billed.");
  expect(await exit).toEqual({ code: 0, signal: null });
  // Not awaited: a process that has exited has settled everything.
  const row = await awaitRequest(site, name);
  expect(row).toMatchObject({ state: "settled", outcome: "ended_by_gateway" });
  expect(row.errorCode).toBe("shutting_down");
  expect(row.completionTokens).toBe(received.tokens);
  const { promptTokens: prompt, completionTokens: completion } = row;
  expect(row.chargedNanos).toBe(priceOf({ prompt, completion }));
});

test("a stream that ends before the drain deadline ends as usual", async () => {
  server = await spawnServer({ ...site.environment, ...patient, DRAIN_STREAMS_MS: "20000" });
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

test("a whole answer that is not ready at the drain deadline is refused and not billed", async () => {
  server = await spawnServer({ ...site.environment, ...patient });
  const name = "whole at the deadline";
  const messages = [scripted({ tag: name, firstByteMs: 60_000 })];
  const body = { model: oddModel, messages };
  const asked = askChat(server, { key: account.key, name, body });
  await site.upstream.waitFor((request) => request.tag === name);
  const exit = server.kill("SIGTERM");
  const received = await asked;
  expect(received.status).toBe(503);
  expect(received.error).toMatchObject({ code: "shutting_down" });
  expect(received.error?.message).toEndWith("It is not billed; please try again.");
  expect(await exit).toEqual({ code: 0, signal: null });
  const row = await awaitRequest(site, name);
  expect(row).toMatchObject({ state: "released", chargedNanos: 0n });
});

test("a process that was paused for longer than its heartbeat may lapse ends its streams and bills what was relayed", async () => {
  // No other instance considers it dead meanwhile.
  const { INSTANCE_SILENT_MS } = patient;
  server = await spawnServer({ ...site.environment, INSTANCE_SILENT_MS });
  const name = "paused";
  const { asked, begun } = askForEver(name);
  await begun;
  process.kill(server.pid, "SIGSTOP");
  await Bun.sleep(1.5 * Number(quick.HEARTBEAT_LAPSE_MS));
  process.kill(server.pid, "SIGCONT");
  const received = await asked;
  expect(received).toMatchObject({ status: 200, complete: false });
  expect(received.error).toMatchObject({ code: "shutting_down" });
  const row = await awaitRequest(site, name);
  expect(row).toMatchObject({ state: "settled", outcome: "ended_by_gateway" });
  expect(row.completionTokens).toBe(received.tokens);
  const { promptTokens: prompt, completionTokens: completion } = row;
  expect(row.chargedNanos).toBe(priceOf({ prompt, completion }));
});

test("a killed process bills none of its open calls; its holds are released", async () => {
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
  await awaitGivenBack(name);
  expect(await readMoney(site, account.id)).toEqual(before);
});

test("a client that does not read cannot keep a drain from billing and ending", async () => {
  server = await spawnServer({ ...site.environment, ...patient, SETTLE_WAIT_MS: "5000" });
  const name = "does not read";
  // More than any buffer in between holds, so that the gateway has to wait for the reader.
  site.upstream.script({ tag: name, deltas: 2_000, padBytes: 10_000 });
  const messages = [{ role: "user", content: "hello" }];
  const body = { model: oddModel, messages, stream: true };
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname).pause();
  socket.on("error", () => undefined);
  const headers = { authorization: `Bearer ${account.key}`, "user-agent": name };
  socket.write(rawPost("/v1/chat/completions", headers, body));
  const sent = await site.upstream.waitFor((request) => request.tag === name);
  // The first token has arrived; the rest of the answer does not fit into any buffer.
  let received = "";
  while (!received.includes('" tok"')) received += (await once(socket.resume(), "data")).join();
  socket.pause();
  expect(await server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  socket.destroy();
  site.upstream.script(undefined);
  const row = await awaitRequest(site, name);
  expect(row).toMatchObject({ state: "settled", outcome: "ended_by_gateway" });
  expect(row.completionTokens).toBeGreaterThan(0);
  expect(row.completionTokens).toBeLessThanOrEqual(sent.delivered.tokens);
});

test("a process cut off from the database ends its streams, and they are charged late", async () => {
  const target = new URL(site.database.url);
  const proxy = await startTcpProxy({ host: target.hostname, port: Number(target.port) });
  target.port = String(proxy.port);
  const quickly = { SETTLE_WAIT_MS: "500" };
  const other = await spawnServer(site.environment);
  server = await spawnServer({ ...site.environment, ...quickly, DATABASE_URL: target.href });
  const name = "cut off";
  const { asked, begun } = askForEver(name);
  await begun;
  proxy.refuse();
  proxy.cut();
  const received = await asked;
  expect(received).toMatchObject({ status: 200, complete: false });
  expect(received.error).toMatchObject({ code: "shutting_down" });
  expect((await askForEver("not admitted").asked).status).toBe(503);
  // The other process considers it dead and releases the money.
  await awaitGivenBack(name);

  await proxy.accept();
  const row = await awaitRequest(site, name);
  expect(row.state).toBe("late_settled");
  expect(row.completionTokens).toBe(received.tokens);
  const { promptTokens: prompt, completionTokens: completion } = row;
  expect(row.chargedNanos).toBe(priceOf({ prompt, completion }));
  await other.kill();
  await server.kill();
  await proxy.close();
});

test("a late bill never exceeds the reservation, whatever usage the upstream reports", async () => {
  const target = new URL(site.database.url);
  const proxy = await startTcpProxy({ host: target.hostname, port: Number(target.port) });
  target.port = String(proxy.port);
  const other = await spawnServer(site.environment);
  server = await spawnServer({
    ...site.environment,
    // Its own answers continue: this is about the bill that comes after the others gave up.
    HEARTBEAT_LAPSE_MS: "60000",
    INSTANCE_SILENT_MS: "90000",
    SETTLE_WAIT_MS: "500",
    DATABASE_URL: target.href,
  });
  const name = "late and expensive";
  const usage = { prompt_tokens: 50, completion_tokens: contextTokens };
  const messages = [scripted({ tag: name, deltas: 5, paceMs: 40, usage })];
  const body = { model: oddModel, messages, stream: true };
  const asked = askChat(server, { key: account.key, name, body });
  await site.upstream.waitFor((request) => request.tag === name);
  proxy.refuse();
  proxy.cut();
  expect(await asked).toMatchObject({ status: 200, tokens: 5, complete: false });
  await awaitGivenBack(name);

  await proxy.accept();
  const row = await awaitRequest(site, name);
  expect(row.state).toBe("late_settled");
  expect(row.chargedNanos).toBe(row.heldNanos);
  const cost = priceOf({ prompt: 50, completion: contextTokens });
  expect(row.chargedNanos + row.shortfallNanos).toBe(cost);
  await other.kill();
  await server.kill();
  await proxy.close();
});

test("a process that drains while the database is unreachable exits, and others close its leases", async () => {
  const target = new URL(site.database.url);
  const proxy = await startTcpProxy({ host: target.hostname, port: Number(target.port) });
  target.port = String(proxy.port);
  const other = await spawnServer(site.environment);
  const cutOff = { DATABASE_URL: target.href, SETTLE_WAIT_MS: "500" };
  server = await spawnServer({ ...site.environment, ...cutOff });
  const name = "left behind";
  const { asked, begun } = askForEver(name);
  await begun;
  proxy.refuse();
  proxy.cut();
  await asked;
  expect(await server.kill("SIGTERM")).toEqual({ code: 1, signal: null });
  expect(server.output()).toContain('"uncharged":1');
  await awaitGivenBack(name);
  await other.kill();
  await proxy.close();
});

test("a process that drains while the database is unreachable waits for it once, not once for every step", async () => {
  const target = new URL(site.database.url);
  const proxy = await startTcpProxy({ host: target.hostname, port: Number(target.port) });
  target.port = String(proxy.port);
  const waitMs = 12_000;
  server = await spawnServer({
    ...site.environment,
    DATABASE_URL: target.href,
    SETTLE_WAIT_MS: String(waitMs),
    // Its streams end because it drains, not because it considers itself dead.
    ...patient,
  });
  const { asked, begun } = askForEver("waits once");
  await begun;
  proxy.refuse();
  proxy.cut();
  const exit = server.kill("SIGTERM");
  const tooLate = Bun.sleep(2 * waitMs - 2_000).then(() => "still there");
  expect(await Promise.race([exit, tooLate])).toEqual({ code: 1, signal: null });
  await asked;
  await proxy.close();
  // The next process closes what it left open.
  server = await spawnServer(site.environment);
  await awaitGivenBack("waits once");
});
