// Revocation takes effect whatever fails between an instance and its database: a pooler that drops
// notifications, a listening connection that is cut, an address that does not respond.

import { afterAll, afterEach, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { connect as connectSocket, createServer, type Socket } from "node:net";
import { createAccount } from "@turnpike/accounts";
import { Fault } from "@turnpike/base";
import { type Connection, connectDatabase, openListener } from "@turnpike/db";
import { createLog } from "@turnpike/telemetry";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { mintApiKey } from "../api-key/mint-api-key.ts";
import { revokeApiKey } from "../api-key/revoke-api-key.ts";
import { type ApiKeyCache, openApiKeyCache } from "../cache/api-key-cache.ts";
import { type WatchMode, type WatchTimes, watchKeyChanges } from "./watch-key-changes.ts";

const log = createLog({ level: "silent", name: "test" });
let database: TestDatabase;
let connection: Connection;
const closers: (() => Promise<void> | void)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase({ url: database.url });
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

const notificationType = "A".charCodeAt(0);

/** Passes on the messages of PostgreSQL, except notifications while `deaf` is set. */
function relayMessages(from: Socket, to: Socket, isDeaf: () => boolean): void {
  let pending = Buffer.alloc(0);
  from.on("data", (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 5) {
      const end = 1 + pending.readUInt32BE(1);
      if (pending.length < end) return;
      const message = pending.subarray(0, end);
      pending = pending.subarray(end);
      if (message[0] !== notificationType || !isDeaf()) to.write(message);
    }
  });
}

/** Imitates a pooler; can drop notifications, cut connections and refuse new ones. */
async function startProxy() {
  const target = new URL(database.url);
  const state = { deaf: false, refusing: false };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    if (state.refusing) return void client.destroy();
    const upstream = connectSocket(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.pipe(upstream);
    relayMessages(upstream, client, () => state.deaf);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = new URL(database.url);
  if (typeof address === "object" && address !== null) url.port = String(address.port);
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  closers.push(() => {
    cut();
    server.close();
  });
  return { url: url.href, state, cut };
}

/** Its clock stands still: what it remembers does not expire, so only the watch can change an answer. */
async function openInstance(directUrl: string, times: Partial<WatchTimes> = {}) {
  const listener = openListener({ url: directUrl });
  const nowMs = () => 1_000;
  const apiKeyCache = await openApiKeyCache({ db: connection.db, listener, log, times, nowMs });
  closers.push(async () => {
    await apiKeyCache.close();
    await listener.close();
  });
  return apiKeyCache;
}

let people = 0;
async function newKey() {
  people += 1;
  const { accountId } = await createAccount(connection.db, { email: `w${people}@example.com` });
  return mintApiKey(connection.db, { accountId, createdBy: undefined, name: "app" });
}

async function holds(check: () => Promise<boolean> | boolean) {
  const deadline = performance.now() + 120_000;
  while (!(await check())) {
    if (performance.now() > deadline) return false;
    await Bun.sleep(10);
  }
  return true;
}

async function isRefused(apiKeyCache: ApiKeyCache, key: string): Promise<boolean> {
  try {
    await apiKeyCache.authenticate(key);
    return false;
  } catch (thrown) {
    return thrown instanceof Fault && thrown.code === "invalid_api_key";
  }
}

describe("behind a pooler that drops notifications", () => {
  test("the instance detects it at startup, polls, and notices a revocation", async () => {
    const proxy = await startProxy();
    proxy.state.deaf = true;
    const apiKeyCache = await openInstance(proxy.url);
    expect(apiKeyCache.mode()).toBe("polling");
    const { id, key } = await newKey();
    await apiKeyCache.authenticate(key);
    await revokeApiKey(connection.db, id);
    expect(await holds(() => isRefused(apiKeyCache, key))).toBe(true);
  });

  test("it polls every second unless told otherwise", async () => {
    const proxy = await startProxy();
    proxy.state.deaf = true;
    const timers = spyOn(globalThis, "setInterval");
    const waits = spyOn(globalThis, "setTimeout");
    await openInstance(proxy.url);
    const intervals = timers.mock.calls.map(([, everyMs]) => everyMs);
    const timeouts = waits.mock.calls.map(([, waitMs]) => waitMs);
    timers.mockRestore();
    waits.mockRestore();
    expect(intervals).toContain(1_000);
    expect(intervals).toContain(15_000);
    expect(timeouts).toContain(1_000);
  });

  test("a path that stops delivering later is detected, and trusted again once it delivers", async () => {
    const proxy = await startProxy();
    const apiKeyCache = await openInstance(proxy.url, { proofTimeoutMs: 200, proofIntervalMs: 50 });
    const becomes = (mode: WatchMode) => holds(() => apiKeyCache.mode() === mode);
    expect(apiKeyCache.mode()).toBe("listening");
    proxy.state.deaf = true;
    expect(await becomes("polling")).toBe(true);
    const { id, key } = await newKey();
    await apiKeyCache.authenticate(key);
    await revokeApiKey(connection.db, id);
    expect(await holds(() => isRefused(apiKeyCache, key))).toBe(true);
    proxy.state.deaf = false;
    expect(await becomes("listening")).toBe(true);
  });
});

describe("when the listening connection is lost", () => {
  test("a key revoked meanwhile is refused as soon as the connection is back", async () => {
    const proxy = await startProxy();
    const apiKeyCache = await openInstance(proxy.url);
    expect(apiKeyCache.mode()).toBe("listening");
    const { id, key } = await newKey();
    await apiKeyCache.authenticate(key);
    proxy.state.refusing = true;
    proxy.cut();
    await revokeApiKey(connection.db, id);
    expect(await isRefused(apiKeyCache, key)).toBe(false);
    proxy.state.refusing = false;
    expect(await holds(() => isRefused(apiKeyCache, key))).toBe(true);
  });

  test("an address that does not respond does not prevent the instance from starting", async () => {
    const proxy = await startProxy();
    proxy.state.refusing = true;
    const apiKeyCache = await openInstance(proxy.url, { proofIntervalMs: 50 });
    expect(apiKeyCache.mode()).toBe("polling");
    proxy.state.refusing = false;
    expect(await holds(() => apiKeyCache.mode() === "listening")).toBe(true);
  });
});

test("nothing that was read before is trusted once notifications stop arriving", async () => {
  const proxy = await startProxy();
  const listener = openListener({ url: proxy.url });
  let gaps = 0;
  const polling = Promise.withResolvers<number>();
  const telling = Object.assign(createLog({ level: "silent", name: "test" }), {
    warn: () => polling.resolve(gaps),
  });
  const watch = await watchKeyChanges({
    db: connection.db,
    listener,
    log: telling,
    times: { proofTimeoutMs: 2_000, proofIntervalMs: 50 },
    onChange: () => undefined,
    onReconnect: () => {
      gaps += 1;
    },
  });
  closers.push(async () => {
    await watch.close();
    await listener.close();
  });
  const before = gaps;
  proxy.state.deaf = true;
  expect(await polling.promise).toBe(before + 1);
});

test("closing waits for a proof that is under way", async () => {
  const listener = openListener({ url: database.url });
  closers.push(() => listener.close());
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  let proofs = 0;
  const db = new Proxy(connection.db, {
    get(target, name) {
      if (name !== "execute") return Reflect.get(target, name);
      return async (...query: Parameters<typeof target.execute>) => {
        proofs += 1;
        if (proofs === 2) {
          asked.resolve();
          await gate.promise;
        }
        return target.execute(...query);
      };
    },
  });
  const ignore = () => undefined;
  const times = { proofTimeoutMs: 5_000, proofIntervalMs: 1 };
  const watch = await watchKeyChanges({
    db,
    listener,
    log,
    times,
    onChange: ignore,
    onReconnect: ignore,
  });
  await asked.promise;
  let isClosed = false;
  const closing = watch.close().then(() => {
    isClosed = true;
  });
  await new Promise(setImmediate);
  expect(isClosed).toBe(false);
  gate.resolve();
  await closing;
});
