// Requests that no client library sends, byte by byte: anything that a proxy and this server could parse
// differently is refused, in our error format if a handler is reached, and never with a 500.
import { afterAll, afterEach, expect, test } from "bun:test";
import {
  asObject,
  chatBody,
  expectCleanBooks,
  findSchemaProblems,
  openAccount,
  readMoney,
  sendRaw,
  startTestServer,
} from "../harness/index.ts";

const server = await startTestServer();
const account = await openAccount(server);
const untouched = await readMoney(server, account.id);
afterEach(async () => {
  expect(await readMoney(server, account.id)).toEqual(untouched);
  expect(server.upstream.requests).toHaveLength(0);
  await expectCleanBooks(server);
});
afterAll(() => server.close());

const body = JSON.stringify(chatBody({ deltas: 1 }));
const authorization = `Authorization: Bearer ${account.key}`;
const host = `Host: 127.0.0.1:${server.port}`;
const length = `Content-Length: ${Buffer.byteLength(body)}`;

/** A POST to the chat route with these header lines instead of the usual ones. */
function send(lines: readonly string[]) {
  const head = [
    "POST /v1/chat/completions HTTP/1.1",
    ...lines,
    "Content-Type: application/json",
    "Connection: close",
  ];
  return sendRaw(server.port, `${head.join("\r\n")}\r\n\r\n${body}`);
}

test.each<[string, readonly string[]]>([
  ["a Host of x/#@evil", ["Host: x/#@evil", authorization, length]],
  ["a Host with a space", ["Host: a b", authorization, length]],
  ["a Host that is not an address", ["Host: 999.1.1.1", authorization, length]],
  ["a Host that is not a name", ["Host: xn--", authorization, length]],
  ["two Host headers", [host, "Host: evil.example", authorization, length]],
  ["two Authorization headers", [host, authorization, "Authorization: Bearer other", length]],
  ["the same Authorization twice", [host, authorization, authorization, length]],
  ["two x-api-key headers", [host, `x-api-key: ${account.key}`, "x-api-key: other", length]],
])("FC13: %s is 400 in our format", async (_, lines) => {
  const answer = await send(lines);
  expect(answer.status).toBe(400);
  const parsed: unknown = JSON.parse(answer.body);
  expect(findSchemaProblems("ErrorResponse", parsed)).toEqual([]);
  expect(asObject(parsed).error).toMatchObject({ type: "invalid_request_error", code: null });
  expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
  expect(answer.body).not.toContain(account.key);
});

test.each<[string, readonly string[]]>([
  ["no Host", [authorization, length]],
  ["a length and chunks", [host, authorization, length, "Transfer-Encoding: chunked"]],
  ["two lengths", [host, authorization, length, "Content-Length: 1"]],
  ["a negative length", [host, authorization, "Content-Length: -1"]],
  ["a bad chunk size", [host, authorization, "Transfer-Encoding: chunked"]],
  ["a folded header", [host, authorization, length, "X-Folded: a\r\n b"]],
])("FC13: %s is refused before any handler", async (_, lines) => {
  const answer = await send(lines);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
});

test.each(["/v1/models/x", "/v1/generation?id=x", "/models", "/"])(
  "an unreadable Host is refused, not reported as a bug: GET %s",
  async (path) => {
    const lines = [`GET ${path} HTTP/1.1`, "Host: 1.2.3.4.5", authorization, "Connection: close"];
    const answer = await sendRaw(server.port, `${lines.join("\r\n")}\r\n\r\n`);
    expect(answer.status).toBe(400);
  },
);

test("a body shorter than its content-length is not handled as a request", async () => {
  const { connect } = await import("node:net");
  const socket = connect(server.port, "127.0.0.1");
  const lines = ["POST /v1/chat/completions HTTP/1.1", host, authorization];
  const head = [...lines, "Content-Type: application/json", "Content-Length: 100000"];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  socket.resume();
  await new Promise((resolve) => socket.on("close", resolve));
});
