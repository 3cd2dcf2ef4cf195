// The rows of docs/billing.md in which the gateway itself ends: told to stop, or killed. A real
// process each time, because only a process can die.
import { expect, setDefaultTimeout } from "bun:test";
import { once } from "node:events";
import { connect } from "node:net";
import type { SpawnedServer } from "@turnpike/testing";
import { awaitReaped, rawPost, readMoney, scripted, type TestAccount } from "../harness/index.ts";
import { askChat } from "./ask-chat.ts";
import { contextTokens, oddModel, priceOf } from "./odd-prices.ts";
import { openExits } from "./open-exits.ts";
import { awaitRequest, findRequest } from "./read-requests.ts";

setDefaultTimeout(180_000);

const { site, testExit } = await openExits();
/** For a process that is to consider itself dead: after it was cut off, not because the machine is busy. */
const lapseMs = 5_000;
const lapsing = { heartbeatLapseMs: lapseMs };

/** Others close the leases of a dead process: there is no row, and nothing is held. */
async function expectGivenBack(dead: SpawnedServer, account: TestAccount, name: string) {
  await awaitReaped(site, dead, account.id);
  expect(await findRequest(site, name)).toBeUndefined();
}

/** A stream that never ends by itself; `begun` resolves when part of it has arrived. */
function askForEver(server: SpawnedServer, account: TestAccount, name: string) {
  const begun = Promise.withResolvers<void>();
  const messages = [scripted({ tag: name, endless: true, paceMs: 5 })];
  const asked = askChat(server, {
    key: account.key,
    name,
    body: { model: oddModel, messages, stream: true },
    onText: (text) => {
      if (text.length > 2_000) begun.resolve();
    },
  });
  return { asked, begun: begun.promise };
}

testExit(
  "at the drain deadline a stream ends with an error event and is billed for what was relayed",
  async ({ account, start }) => {
    const server = await start();
    const name = "drained";
    const { asked, begun } = askForEver(server, account, name);
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
  },
);

testExit(
  "a stream that ends before the drain deadline ends as usual",
  async ({ account, start }) => {
    const server = await start({ DRAIN_STREAMS_MS: "20000" });
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
  },
);

testExit(
  "a whole answer that is not ready at the drain deadline is refused and not billed",
  async ({ account, start }) => {
    const server = await start();
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
  },
);

testExit(
  "a process that was paused for longer than its heartbeat may lapse ends its streams and bills what was relayed",
  async ({ account, start }) => {
    const server = await start({}, lapsing);
    const name = "paused";
    const { asked, begun } = askForEver(server, account, name);
    await begun;
    process.kill(server.pid, "SIGSTOP");
    await Bun.sleep(1.5 * lapseMs);
    process.kill(server.pid, "SIGCONT");
    const received = await asked;
    expect(received).toMatchObject({ status: 200, complete: false });
    expect(received.error).toMatchObject({ code: "shutting_down" });
    const row = await awaitRequest(site, name);
    expect(row).toMatchObject({ state: "settled", outcome: "ended_by_gateway" });
    expect(row.completionTokens).toBe(received.tokens);
    const { promptTokens: prompt, completionTokens: completion } = row;
    expect(row.chargedNanos).toBe(priceOf({ prompt, completion }));
  },
);

testExit(
  "a killed process bills none of its open calls; its holds are released",
  async ({ account, start }) => {
    const server = await start();
    const before = await readMoney(site, account.id);
    const name = "killed";
    const { asked, begun } = askForEver(server, account, name);
    await begun;
    await server.kill("SIGKILL");
    expect(await asked).toMatchObject({ status: 200, complete: false, error: undefined });
    const during = await readMoney(site, account.id);
    expect(during.heldNanos).toBeGreaterThan(0n);
    await expectGivenBack(server, account, name);
    expect(await readMoney(site, account.id)).toEqual(before);
  },
);

testExit(
  "a client that does not read cannot keep a drain from billing and ending",
  async ({ account, start }) => {
    const server = await start({ SETTLE_WAIT_MS: "20000" });
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
  },
);

testExit(
  "a process cut off from the database ends its streams, and they are charged late",
  async ({ account, startBehind }) => {
    const { server, proxy } = await startBehind({ SETTLE_WAIT_MS: "500" }, lapsing);
    const name = "cut off";
    const { asked, begun } = askForEver(server, account, name);
    await begun;
    proxy.refuse();
    proxy.cut();
    const received = await asked;
    expect(received).toMatchObject({ status: 200, complete: false });
    expect(received.error).toMatchObject({ code: "shutting_down" });
    expect((await askForEver(server, account, "not admitted").asked).status).toBe(503);
    await expectGivenBack(server, account, name);

    await proxy.accept();
    const row = await awaitRequest(site, name);
    expect(row.state).toBe("late_settled");
    expect(row.completionTokens).toBe(received.tokens);
    const { promptTokens: prompt, completionTokens: completion } = row;
    expect(row.chargedNanos).toBe(priceOf({ prompt, completion }));
  },
);

testExit(
  "a late bill never exceeds the reservation, whatever usage the upstream reports",
  async ({ account, startBehind }) => {
    // Its own answers continue: this is about the bill that comes after the others gave up.
    const { server, proxy } = await startBehind({ SETTLE_WAIT_MS: "500" });
    const name = "late and expensive";
    const usage = { prompt_tokens: 50, completion_tokens: contextTokens };
    const messages = [scripted({ tag: name, deltas: 5, paceMs: 40, usage })];
    const body = { model: oddModel, messages, stream: true };
    const asked = askChat(server, { key: account.key, name, body });
    await site.upstream.waitFor((request) => request.tag === name);
    proxy.refuse();
    proxy.cut();
    expect(await asked).toMatchObject({ status: 200, tokens: 5, complete: false });
    await expectGivenBack(server, account, name);

    await proxy.accept();
    const row = await awaitRequest(site, name);
    expect(row.state).toBe("late_settled");
    expect(row.chargedNanos).toBe(row.heldNanos);
    const cost = priceOf({ prompt: 50, completion: contextTokens });
    expect(row.chargedNanos + row.shortfallNanos).toBe(cost);
  },
);

testExit(
  "a process that drains while the database is unreachable waits for it once, exits as a failure, and others close its leases",
  async ({ account, startBehind }) => {
    const waitMs = 12_000;
    const { server, proxy } = await startBehind({ SETTLE_WAIT_MS: String(waitMs) });
    const name = "left behind";
    const { asked, begun } = askForEver(server, account, name);
    await begun;
    proxy.refuse();
    proxy.cut();
    const exit = server.kill("SIGTERM");
    // Not once for every step.
    const tooLate = Bun.sleep(2 * waitMs - 2_000).then(() => "still there");
    const ended = await Promise.race([exit, tooLate]);
    expect({ ended, output: server.output() }).toMatchObject({ ended: { code: 1, signal: null } });
    await asked;
    await expectGivenBack(server, account, name);
  },
);
