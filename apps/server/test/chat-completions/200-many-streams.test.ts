// Streams opened at the same time are all admitted while there is memory for them. Here 2,000 run
// concurrently, and each gets its first token: Bun stalls the 257th outgoing call unless its limit was
// raised at start. A process that is asked to end ends them all in time, each with an error event and its bill.
import { afterAll, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { spawnServer } from "@turnpike/testing";
import { chatBody, expectCleanBooks, openAccount, openTestSite } from "../harness/index.ts";

const site = await openTestSite();
const server = await spawnServer({
  ...site.environment,
  DRAIN_NOTICE_MS: "0",
  DRAIN_STREAMS_MS: "500",
});
afterAll(async () => {
  await server.kill();
  await site.close();
});

const streams = 2_000;

type OpenStream = {
  readonly socket: Socket;
  /** What arrived until the connection closed. */
  readonly ended: Promise<string>;
};

/** Again where the machine is so busy that the service says so, as its clients do. */
async function openStream(key: string): Promise<OpenStream> {
  for (;;) {
    const opened = await tryStream(key);
    if (typeof opened !== "number") return opened;
    await Bun.sleep(opened);
  }
}

/**
 * On a raw socket, because the limit under test also applies to the test itself. Resolves with the milliseconds of the
 * Retry-After of a refusal.
 */
function tryStream(key: string): Promise<OpenStream | number> {
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
    const ended = Promise.withResolvers<string>();
    let received = "";
    socket.on("data", (bytes) => {
      received += bytes.toString();
      if (received.includes('" tok"')) resolve({ socket, ended: ended.promise });
      if (!received.startsWith("HTTP/1.1 503") || !received.includes("\r\n\r\n")) return;
      const [, retryAfterMs] = /\r\nretry-after-ms: (\d+)/.exec(received) ?? [];
      if (retryAfterMs === undefined) return;
      resolve(Number(retryAfterMs));
      socket.destroy();
    });
    socket.on("error", reject);
    socket.on("close", () => {
      ended.resolve(received);
      reject(new Error(`closed after: ${received}`));
    });
  });
}

test("FX1: 2,000 streams opened at the same time are all admitted, and SIGTERM ends and bills them all", async () => {
  const account = await openAccount(site, { usd: "100" });
  const opened = await Promise.all(Array.from({ length: streams }, () => openStream(account.key)));
  const running = site.upstream.requests.filter(({ ending }) => ending === undefined);
  expect(running).toHaveLength(streams);
  const exit = server.kill("SIGTERM");
  const texts = await Promise.all(opened.map(({ ended }) => ended));
  expect(texts.filter((text) => !text.includes('"shutting_down"'))).toEqual([]);
  expect(await exit).toEqual({ code: 0, signal: null });
  const rows = await site.owner.sql<{ state: string; billed: number }[]>`
    select state, count(*)::int as billed from requests
     where account_id = ${account.id} and charged_nanos > 0 group by state`;
  expect([...rows]).toEqual([{ state: "settled", billed: streams }]);
  await expectCleanBooks(site);
}, 120_000);
