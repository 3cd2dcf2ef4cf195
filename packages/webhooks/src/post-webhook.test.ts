// Where messages may go, and how little a receiver can do to the sender: real sockets on loopback, and names that
// resolve as a test says.

import { afterAll, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { startWebhookReceiver } from "@turnpike/testing";
import { checkWebhookUrl } from "./find-target.ts";
import { postWebhook } from "./post-webhook.ts";

const headers = { "webhook-id": "evt_0" } as const;
const body = "{}";
const open = { allowPrivate: true };
const servers: Server[] = [];

afterAll(() => {
  for (const server of servers) server.close();
});

/** A raw server, because no HTTP server would answer like that. */
async function listen(answer: (socket: Socket) => void): Promise<{ url: string; port: number }> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => answer(socket));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/`, port };
}

async function reasonOf(task: Promise<unknown>): Promise<string> {
  try {
    await task;
    return "none";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const strict = (addresses: readonly string[] = ["93.184.215.14"]) => ({
  allowPrivate: false,
  lookup: async () => addresses,
});

test.each([
  ["http://hooks.example/", "The URL must begin with https://."],
  ["ftp://hooks.example/", "Write a URL such as https://example.com/webhooks."],
  ["no url", "Write a URL such as https://example.com/webhooks."],
  ["https://user:password@hooks.example/", "The URL must have no user name"],
  ["https://hooks.example/#part", "The URL must have no user name"],
  ["https://localhost/", "localhost is not on the public internet."],
  ["https://127.0.0.1/", "127.0.0.1 is not on the public internet."],
  ["https://127.1/", "127.0.0.1 is not on the public internet."],
  ["https://0x7f000001/", "127.0.0.1 is not on the public internet."],
  ["https://2130706433/", "127.0.0.1 is not on the public internet."],
  ["https://10.1.2.3/", "10.1.2.3 is not on the public internet."],
  ["https://169.254.169.254/latest", "169.254.169.254 is not on the public internet."],
  ["https://[::1]/", "[::1] is not on the public internet."],
  ["https://[::ffff:10.0.0.1]/", "[::ffff:a00:1] is not on the public internet."],
  ["https://[fd00::1]/", "[fd00::1] is not on the public internet."],
  ["https://redis/", "redis is not on the public internet."],
  ["https://db.internal/", "db.internal is not on the public internet."],
])("an endpoint at %s is refused when it is saved", async (url, reason) => {
  expect(await reasonOf(checkWebhookUrl(url, strict()))).toContain(reason);
});

test.each([
  [["10.0.0.1"]],
  [["93.184.215.14", "127.0.0.1"]],
  [["::1"]],
  [["::ffff:192.168.0.1"]],
  [["169.254.169.254"]],
])(
  "a name with the addresses %p is refused when it is saved and when it is sent to",
  async (addresses) => {
    const rules = strict(addresses);
    const reason = await reasonOf(checkWebhookUrl("https://hooks.example/", rules));
    expect(reason).toContain("which is not a public address");
    const outcome = await postWebhook(rules, { url: "https://hooks.example/", headers, body });
    expect(outcome).toMatchObject({ status: null, error: reason });
  },
);

test("a name without an address is refused", async () => {
  const rules = { allowPrivate: false, lookup: () => Promise.reject(new Error("ENOTFOUND")) };
  const reason = await reasonOf(checkWebhookUrl("https://hooks.example/", rules));
  expect(reason).toBe("hooks.example has no address in the domain name system.");
});

test("a name is resolved once, and the connection goes to the address that was checked", async () => {
  await using receiver = startWebhookReceiver();
  const asked: string[] = [];
  const lookup = async (host: string) => {
    asked.push(host);
    // The second answer is what an attacker's server would give after the check.
    return asked.length === 1 ? ["127.0.0.1"] : ["192.0.2.1"];
  };
  const { port } = new URL(receiver.url);
  const url = `http://rebinding.example:${port}/hooks`;
  const outcome = await postWebhook({ allowPrivate: true, lookup }, { url, headers, body });
  expect(outcome).toMatchObject({ status: 204, error: null });
  expect(asked).toEqual(["rebinding.example"]);
  expect(receiver.received[0]?.headers.host).toBe(`rebinding.example:${port}`);
});

test("a redirect is not followed", async () => {
  await using elsewhere = startWebhookReceiver();
  await using receiver = startWebhookReceiver();
  receiver.answers.push(() => Response.redirect(elsewhere.url, 307));
  const outcome = await postWebhook(open, { url: receiver.url, headers, body });
  expect(outcome).toMatchObject({
    status: 307,
    error: "Answered 307: redirects are not followed.",
  });
  expect(elsewhere.received).toHaveLength(0);
});

test("a receiver that never answers is given up at the deadline", async () => {
  const { url } = await listen(() => undefined);
  const outcome = await postWebhook(open, { url, headers, body, limitMs: 1_000 });
  expect(outcome).toMatchObject({ status: null, error: "There was no answer within 1 seconds." });
});

test("headers that never end are given up at the deadline", async () => {
  const closed = Promise.withResolvers<void>();
  const { url } = await listen((socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    const drip = setInterval(() => socket.write("x: y\r\n"), 20);
    socket.on("close", () => {
      clearInterval(drip);
      closed.resolve();
    });
  });
  const outcome = await postWebhook(open, { url, headers, body, limitMs: 500 });
  expect(outcome.status).toBeNull();
  expect(outcome.error).not.toBeNull();
  await closed.promise;
});

test("an endless body is read no further than its beginning, and a 2xx before it counts", async () => {
  const closed = Promise.withResolvers<number>();
  let written = 0;
  const { url } = await listen((socket) => {
    socket.write("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n");
    const piece = "x".repeat(65_536);
    const push = () => {
      while (!socket.destroyed && socket.write(piece)) written += piece.length;
    };
    socket.on("drain", push);
    socket.on("close", () => closed.resolve(written));
    push();
  });
  const outcome = await postWebhook(open, { url, headers, body, limitMs: 10_000 });
  expect(outcome).toMatchObject({ status: 200, error: null });
  expect(outcome.answer).toBe("x".repeat(1_000));
  expect(await closed.promise).toBeLessThan(50_000_000);
});

test("a body that drips is left at the deadline, and its 2xx counts", async () => {
  const { url } = await listen((socket) => {
    socket.write("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nthank you");
  });
  const outcome = await postWebhook(open, { url, headers, body, limitMs: 500 });
  expect(outcome).toMatchObject({ status: 200, answer: "thank you", error: null });
});

test.each([
  ["closes without a word", (socket: Socket) => socket.end()],
  ["resets", (socket: Socket) => socket.resetAndDestroy()],
  ["speaks no HTTP", (socket: Socket) => socket.end("SSH-2.0-OpenSSH\r\n\r\n")],
])("a receiver that %s fails in words", async (_, answer) => {
  const { url } = await listen(answer);
  const outcome = await postWebhook(open, { url, headers, body, limitMs: 5_000 });
  expect(outcome.status).toBeNull();
  expect(outcome.error).toMatch(/^[A-Z].*\.$/);
});

test("text that PostgreSQL cannot store is cleaned", async () => {
  await using receiver = startWebhookReceiver();
  receiver.answers.push(() => new Response(Uint8Array.of(0x61, 0, 0xff, 0x62), { status: 400 }));
  const outcome = await postWebhook(open, { url: receiver.url, headers, body });
  expect(outcome.answer).toBe("a\ufffdb");
});
