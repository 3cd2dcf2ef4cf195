// Upstreams that cannot be reached, or whose connection dies: another route answers, or the caller gets a
// 502 within its deadline and pays nothing. Rows FU1 to FU6, FU23 and FU24 of the faults a gateway must
// survive.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { gatewayLimits } from "@turnpike/gateway";
import { startScriptedUpstream, startTcpProxy } from "@turnpike/testing";
import {
  expectCleanBooks,
  expectFault,
  type JsonObject,
  openAccount,
  readMoney,
} from "../harness/index.ts";
import { startBlackhole } from "./drop-connections.ts";
import {
  askRouted,
  type RoutedServer,
  readGeneration,
  routed,
  scriptAll,
  startRoutedServer,
} from "./start-routed-server.ts";

const badGateway = { status: 502, type: "upstream_error", code: "bad_gateway" };
const timeout = { status: 504, type: "timeout_error", code: "upstream_timeout" };
const quickly = { connectMs: 600, firstByteMs: 1_500 };
const limits = {
  stream: { ...gatewayLimits.stream, ...quickly },
  whole: { ...gatewayLimits.whole, ...quickly },
};

let server: RoutedServer | undefined;
const closing: (() => unknown)[] = [];

async function open(baseUrlOfA?: string): Promise<RoutedServer> {
  server = await startRoutedServer({
    limits,
    times: { retryJitterMs: 5 },
    ...(baseUrlOfA !== undefined && { baseUrlOfA }),
  });
  scriptAll(server);
  return server;
}

beforeEach(() => {
  server = undefined;
});
afterEach(async () => {
  if (server !== undefined) await expectCleanBooks(server);
  await server?.close();
  for (const close of closing.splice(0)) await close();
});

/** As the only route it fails at no cost; with others, the next one answers. */
async function expectFailover(opened: RoutedServer, fault: typeof badGateway): Promise<void> {
  const account = await openAccount(opened);
  const before = await readMoney(opened, account.id);
  const waysOf = (fields: JsonObject, check: (answer: Response) => Promise<unknown>) =>
    Promise.all(
      [false, true].map(async (stream) =>
        check(await askRouted(opened, account, { ...fields, stream })),
      ),
    );
  await waysOf({ model: routed.a }, (alone) => expectFault(alone, fault));
  expect(await readMoney(opened, account.id)).toEqual(before);
  await waysOf({}, async (answered) => {
    expect(answered.status).toBe(200);
    await answered.text();
    expect(await readGeneration(opened, account, answered)).toMatchObject({
      provider_name: "b",
      attempts: [{ provider: "a", status: 0, error: fault.code }, { provider: "b" }],
    });
  });
}

test("FU1: a refused connection", async () => {
  await expectFailover(await open("http://127.0.0.1:1/v1"), badGateway);
});

test("FU2: a name that does not resolve; for a second, other routes come first", async () => {
  const opened = await open("http://upstream.invalid/v1");
  const account = await openAccount(opened);
  await expectFault(await askRouted(opened, account, { model: routed.a }), badGateway);
  const answered = await askRouted(opened, account);
  expect(answered.status).toBe(200);
  await answered.text();
  expect(await readGeneration(opened, account, answered)).toMatchObject({
    attempts: [{ provider: "a", status: 0, error: "bad_gateway" }, { provider: "b" }],
  });
  const health = opened.services.gateway.routeHealth.find("a", "up");
  expect(health.isPaused(0)).toBe(true);
  expect(health.isPaused(performance.now() + 1_000)).toBe(false);
});

test("FU3: TLS to a plain port; certificates are in their own file", async () => {
  const opened = await open();
  const plain = opened.upstreams.b.baseUrl.replace("http:", "https:");
  await opened.close();
  server = undefined;
  await expectFailover(await open(plain), badGateway);
});

test("FU4: an address that drops connections, by the connect deadline", async () => {
  const blackhole = await startBlackhole();
  closing.push(blackhole.close);
  await expectFailover(await open(blackhole.baseUrl), badGateway);
});

test("FU5: an upstream that accepts and is silent, by the deadline of the first byte", async () => {
  const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  closing.push(() => silent.stop(true));
  await expectFailover(await open(`http://127.0.0.1:${silent.port}/v1`), timeout);
});

test("FU6: bytes instead of a status line, by the same deadline", async () => {
  const garbage = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { data: (socket) => void socket.write("\u0016\u0003 no status line\r\n\r\n") },
  });
  closing.push(() => garbage.stop(true));
  const opened = await open(`http://127.0.0.1:${garbage.port}/v1`);
  const account = await openAccount(opened);
  const alone = await askRouted(opened, account, { model: routed.a });
  expect([502, 504]).toContain(alone.status);
  const answered = await askRouted(opened, account);
  expect(answered.status).toBe(200);
  await answered.text();
  expect(await readGeneration(opened, account, answered)).toMatchObject({ provider_name: "b" });
});

/** Answers the first request of each connection, and resets the connection at the next. */
function startForgetful() {
  const answered = new WeakSet<object>();
  const connections = { opened: 0, requests: 0 };
  const body = JSON.stringify({
    id: "x",
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" }],
    usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
  });
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
  const listener = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open() {
        connections.opened += 1;
      },
      data(socket) {
        connections.requests += 1;
        if (answered.has(socket)) socket.terminate();
        else socket.write(`${head}\r\n\r\n${body}`);
        answered.add(socket);
      },
    },
  });
  closing.push(() => listener.stop(true));
  return { baseUrl: `http://127.0.0.1:${listener.port}/v1`, connections };
}

test("FU23: a dead kept-alive connection is replaced once, on the same route, and charged once", async () => {
  const forgetful = startForgetful();
  const opened = await open(forgetful.baseUrl);
  const account = await openAccount(opened);
  const first = await askRouted(opened, account, { model: routed.a });
  expect(first.status).toBe(200);
  await first.text();
  const before = await readMoney(opened, account.id);
  const second = await askRouted(opened, account, { model: routed.a });
  expect(second.status).toBe(200);
  await second.text();
  expect(forgetful.connections).toEqual({ opened: 2, requests: 3 });
  const generation = await readGeneration(opened, account, second);
  expect(generation).toMatchObject({
    attempts: [
      { provider: "a", status: 0, error: "bad_gateway" },
      { provider: "a", status: 200, error: null },
    ],
  });
  const after = await readMoney(opened, account.id);
  expect(before.balanceNanos - after.balanceNanos).toBe(3n * 100n + 400n);
});

test("FU23: a connection that dies before its first answer is not retried on its route", async () => {
  let connections = 0;
  const dead = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open() {
        connections += 1;
      },
      data: (socket) => socket.terminate(),
    },
  });
  closing.push(() => dead.stop(true));
  const opened = await open(`http://127.0.0.1:${dead.port}/v1`);
  const account = await openAccount(opened);
  await expectFault(await askRouted(opened, account, { model: routed.a }), badGateway);
  expect(connections).toBe(1);
});

test("FU24: a kept-alive connection that was dropped silently ends at the deadline of the first byte", async () => {
  const upstream = await startScriptedUpstream();
  const proxy = await startTcpProxy({ port: Number(new URL(upstream.baseUrl).port) });
  closing.push(
    () => proxy.close(),
    () => upstream.close(),
  );
  upstream.script({ deltas: 2 });
  const opened = await open(`http://127.0.0.1:${proxy.port}/v1`);
  const account = await openAccount(opened);
  const warm = await askRouted(opened, account, { model: routed.a });
  expect(warm.status).toBe(200);
  await warm.text();
  proxy.blackHole();
  const asked = askRouted(opened, account);
  await expectFault(await askRouted(opened, account, { model: routed.a }), timeout);
  const answered = await asked;
  expect(answered.status).toBe(200);
  await answered.text();
  expect(await readGeneration(opened, account, answered)).toMatchObject({ provider_name: "b" });
});
