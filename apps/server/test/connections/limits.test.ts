// What a connection may ask for: sizes of the head, requests in a row, idle connections, `Expect`, methods.
// Refused requests reach no upstream and move no money.
import { describe, expect, test } from "bun:test";
import {
  asObject,
  chatBody,
  openConnection,
  postChat,
  type RawConnection,
  rawPost,
  readMoney,
  sendRaw,
  startTestServer,
  useServer,
} from "../harness/index.ts";
import { awaitRequest } from "../money/read-requests.ts";

const { server, account } = await useServer(startTestServer());

const authorization = `Authorization: Bearer ${account.key}`;
const get = (path: string, lines: readonly string[] = []) =>
  `${[`GET ${path} HTTP/1.1`, "Host: localhost", authorization, ...lines].join("\r\n")}\r\n\r\n`;
const last = "Connection: close";

describe("FC8: heads that are too large", () => {
  const many = Array.from({ length: 250 }, (_, index) => `X-Header-${index}: a`);
  test.each<[string, string]>([
    ["17 KiB in one header", get("/v1/key", [`X-Large: ${"a".repeat(17 * 1024)}`, last])],
    ["250 headers", get("/v1/key", [...many, last])],
    ["a URL of 20 KiB", get(`/v1/key?${"a".repeat(20 * 1024)}`, [last])],
  ])("%s are 431", async (_, text) => {
    expect((await sendRaw(server.port, text)).status).toBe(431);
  });

  test("a head of 12 KiB with 100 headers is served", async () => {
    const lines = many.slice(0, 100).map((line) => line.padEnd(120, "a"));
    expect((await sendRaw(server.port, get("/v1/key", [...lines, last]))).status).toBe(200);
  });
});

/** The number of answers with this status in what was received. */
const countAnswers = (text: string, status: number) => text.split(`HTTP/1.1 ${status}`).length - 1;

test("FC11: 10,000 requests in one go on one connection are answered one after another", async () => {
  const connection = await openConnection(server.port);
  connection.socket.write(get("/livez").repeat(9_999) + get("/v1/unknown", [last]));
  const text = await connection.closed;
  expect([countAnswers(text, 200), countAnswers(text, 404)]).toEqual([9_999, 1]);
  expect(text.lastIndexOf("HTTP/1.1 200")).toBeLessThan(text.indexOf("HTTP/1.1 404"));
});

test("FC11: a request sent before the previous one is answered closes the connection", async () => {
  const before = await readMoney(server, account.id);
  const calls = server.upstream.requests.length;
  const name = "pipelined";
  const headers = { authorization: `Bearer ${account.key}`, "user-agent": name };
  const body = chatBody({ firstByteMs: 600_000 }, { stream: true });
  const { socket, closed } = await openConnection(server.port);
  socket.write(rawPost("/v1/chat/completions", headers, body).repeat(20));
  expect(await closed).toBe("");
  expect(await awaitRequest(server, name)).toMatchObject({ status: 499, chargedNanos: 0n });
  expect(server.upstream.requests.length - calls).toBeLessThanOrEqual(1);
  expect(await readMoney(server, account.id)).toEqual(before);
});

/** Both ends of a connection are in this process, which has other files open. */
function countAffordable(wanted: number): number {
  const printed = Bun.spawnSync(["sh", "-c", "ulimit -n"]).stdout.toString().trim();
  const limit = printed === "unlimited" ? Number.POSITIVE_INFINITY : Number(printed);
  const affordable = Math.min(wanted, Math.floor(limit * 0.4));
  if (affordable < wanted) console.log(`FC12 with ${affordable} connections (ulimit -n ${limit})`);
  return affordable;
}

test("FC12: 10,000 idle connections leave room for calls, and cost nothing", async () => {
  const before = await readMoney(server, account.id);
  const idle: RawConnection[] = [];
  const count = countAffordable(10_000);
  while (idle.length < count) {
    const some = Array.from({ length: Math.min(500, count - idle.length) });
    idle.push(...(await Promise.all(some.map(() => openConnection(server.port)))));
  }
  try {
    expect(await readMoney(server, account.id)).toEqual(before);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => postChat(server, account.key, chatBody({ deltas: 1 }))),
    );
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      await answer.text();
    }
    const [first] = idle;
    first?.socket.write(get("/v1/key"));
    expect(await first?.waitFor((text) => text.includes("}"))).toStartWith("HTTP/1.1 200");
  } finally {
    for (const { socket } of idle) socket.resetAndDestroy();
  }
});

test("FC14: a client that sends Expect: 100-continue is told to continue, and then answered", async () => {
  const { socket, waitFor, closed } = await openConnection(server.port);
  const body = JSON.stringify(chatBody({ deltas: 2 }));
  const lines = [
    "POST /v1/chat/completions HTTP/1.1",
    "Host: localhost",
    authorization,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "Expect: 100-continue",
    last,
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  expect(await waitFor((text) => text.includes("\r\n\r\n"))).toStartWith("HTTP/1.1 100 ");
  socket.write(body);
  const text = await closed;
  expect(text).toContain("HTTP/1.1 200 ");
  expect(text).toContain(" tok tok");
});

test.each(["TRACE", "CONNECT", "PROPFIND", "SEARCH"])(
  "FC15: %s is 405 in our format",
  async (method) => {
    const request = get("/v1/models", [last]).replace("GET", method);
    const { status, headers, body } = await sendRaw(server.port, request);
    expect(status).toBe(405);
    expect(headers.get("allow")?.split(", ")).toContain("GET");
    expect(asObject(asObject(JSON.parse(body)).error).code).toBe("method_not_supported");
  },
);
