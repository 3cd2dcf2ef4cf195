// Clients that send or read slowly: as long as they make progress they are served to the end. A connection
// without progress is closed, and costs nothing before its request is complete. Each test takes longer
// than an idle timeout, which Bun measures in steps of four seconds, so they run concurrently.
import { afterAll, expect, test } from "bun:test";
import {
  chatBody,
  expectCleanBooks,
  openAccount,
  openConnection,
  type RawConnection,
  rawPost,
  readMoney,
  scripted,
  startTestServer,
  testModels,
} from "../harness/index.ts";

const server = await startTestServer({ idleSeconds: 8 });
const account = await openAccount(server);
afterAll(async () => {
  await expectCleanBooks(server);
  await server.close();
});

const headOf = (length: number, key = account.key) =>
  [
    "POST /v1/chat/completions HTTP/1.1",
    "Host: localhost",
    `Authorization: Bearer ${key}`,
    "Content-Type: application/json",
    `Content-Length: ${length}`,
    "Connection: close",
    "",
    "",
  ].join("\r\n");

/** Writes piece by piece with a pause after each, until all is written or the connection is closed. */
async function drip(
  { socket, closed }: RawConnection,
  pieces: Iterable<string>,
  pauseMs: number,
): Promise<void> {
  let isClosed = false;
  void closed.then(() => {
    isClosed = true;
  });
  for (const piece of pieces) {
    if (isClosed) return;
    socket.write(piece);
    await Promise.race([Bun.sleep(pauseMs), closed]);
  }
}

test.concurrent("FC5: a client that reads slowly but steadily gets its whole stream", async () => {
  const name = "slow reader";
  const body = {
    model: testModels.cheap,
    messages: [scripted({ tag: name, deltas: 3_000, padBytes: 20_000 })],
    stream: true,
  };
  const { socket, closed } = await openConnection(server.port);
  let bytes = 0;
  let tail = "";
  let burst = 0;
  socket.removeAllListeners("data").on("data", (chunk) => {
    bytes += chunk.length;
    burst += chunk.length;
    tail = (tail + chunk).slice(-100);
    if (burst < 4_000_000) return;
    burst = 0;
    socket.pause();
    setTimeout(() => socket.resume(), 1_000);
  });
  const headers = { authorization: `Bearer ${account.key}`, connection: "close" };
  socket.write(rawPost("/v1/chat/completions", headers, body));
  await closed;
  expect(tail).toContain("data: [DONE]");
  expect(bytes).toBeGreaterThan(60_000_000);
});

test.concurrent("FC6: a client that never completes its headers is closed, however steadily they drip", async () => {
  const connection = await openConnection(server.port);
  const endless = function* () {
    yield "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";
    for (;;) yield "a";
  };
  await drip(connection, endless(), 200);
  expect(await connection.closed).not.toContain("HTTP/1.1 200");
});

test.concurrent("FC7: a body that barely arrives is cut off, calls no upstream and costs nothing", async () => {
  const idle = await openAccount(server);
  const before = await readMoney(server, idle.id);
  const tag = "slow body";
  const body = JSON.stringify(chatBody({ tag, deltas: 1 })).padEnd(1_000, " ");
  const connection = await openConnection(server.port);
  connection.socket.write(headOf(body.length, idle.key));
  await drip(connection, body, 200);
  expect(await connection.closed).not.toContain("HTTP/1.1 200");
  expect(server.upstream.requests.some((request) => request.tag === tag)).toBe(false);
  expect(await readMoney(server, idle.id)).toEqual(before);
});

test.concurrent("FC7: a body that takes several idle timeouts but keeps arriving is served", async () => {
  const body = JSON.stringify(chatBody({ deltas: 1 })).padEnd(1_500_000, " ");
  const pieces = body.match(/.{1,50000}/g) ?? [];
  const connection = await openConnection(server.port);
  connection.socket.write(headOf(body.length));
  await drip(connection, pieces, 500);
  expect(await connection.closed).toStartWith("HTTP/1.1 200");
});
