// Streams opened at the same time are all admitted while there is memory for them. Here 2,000 run
// concurrently, and each gets its first token: Bun stalls the 257th outgoing call unless its limit was
// raised at start.
import { afterAll, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { spawnServer } from "@turnpike/testing";
import { chatBody, expectCleanBooks, openAccount, openTestSite } from "../harness/index.ts";

const site = await openTestSite();
const server = await spawnServer(site.environment);
afterAll(async () => {
  await server.kill();
  await site.close();
});

const streams = 2_000;

/** On a raw socket, because the limit under test also applies to the test itself. Open until destroyed. */
function openStream(key: string): Promise<Socket> {
  const body = JSON.stringify(
    chatBody({ deltas: 2, stallAfterDeltas: 1 }, { stream: true, max_tokens: 10 }),
  );
  const { port, host } = new URL(server.url);
  const head = [
    "POST /v1/chat/completions HTTP/1.1",
    `Host: ${host}`,
    `Authorization: Bearer ${key}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1", () => {
      socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
    });
    let received = "";
    socket.on("data", (bytes) => {
      received += bytes.toString();
      if (received.includes('" tok"')) resolve(socket);
    });
    socket.on("error", reject);
    socket.on("close", () => reject(new Error(`closed after: ${received}`)));
  });
}

test("2,000 streams opened at the same time are all admitted, and none waits for another to end", async () => {
  const account = await openAccount(site, { usd: "100" });
  const sockets = await Promise.all(Array.from({ length: streams }, () => openStream(account.key)));
  const running = site.upstream.requests.filter(({ ending }) => ending === undefined);
  expect(running).toHaveLength(streams);
  for (const socket of sockets) socket.destroy();
  await expectCleanBooks(site);
});
