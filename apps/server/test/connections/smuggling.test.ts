// Requests that two parsers could read differently, each followed by another that an attacker would smuggle
// in. Each gets one refusal and a closed connection; what follows it is never answered, and nothing is
// called or charged.
import { expect, test } from "bun:test";
import {
  chatBody,
  openConnection,
  readMoney,
  startTestServer,
  useServer,
} from "../harness/index.ts";

const { server, account } = await useServer(startTestServer());
const untouched = await readMoney(server, account.id);

const body = JSON.stringify(chatBody({ deltas: 1 }));
const hexLength = body.length.toString(16);
const chunks = `${hexLength}\r\n${body}\r\n0\r\n\r\n`;
const authorization = `Authorization: Bearer ${account.key}`;
const common = ["Host: localhost", authorization, "Content-Type: application/json"];
const length = `Content-Length: ${body.length}`;
const chunked = "Transfer-Encoding: chunked";
const smuggled = `GET /v1/key HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\n\r\n`;

function head(lines: readonly string[], newline = "\r\n"): string {
  return ["POST /v1/chat/completions HTTP/1.1", ...common, ...lines, "", ""].join(newline);
}

/** Sends the bytes as they are, without asking for the connection to be closed. */
async function send(text: string) {
  const { socket, closed, waitFor } = await openConnection(server.port);
  socket.write(text, "latin1");
  const statuses = (received: string) =>
    [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => Number(match[1]));
  return { socket, closed, waitFor, statuses };
}

test.each<[string, string]>([
  ["a length and chunks", head([length, chunked]) + chunks],
  ["chunks and a length", head([chunked, length]) + chunks],
  ["a length of 0 and chunks", head(["Content-Length: 0", chunked]) + chunks],
  ["xchunked", head(["Transfer-Encoding: xchunked"]) + chunks],
  ["identity", head(["Transfer-Encoding: identity"])],
  ["chunked, identity", head([`${chunked}, identity`]) + chunks],
  ["identity, chunked", head(["Transfer-Encoding: identity, chunked"]) + chunks],
  ["gzip, chunked", head(["Transfer-Encoding: gzip, chunked"]) + chunks],
  ["chunked twice", head([chunked, chunked]) + chunks],
  ["chunked and another coding", head([chunked, "Transfer-Encoding: x"]) + chunks],
  ["a space before the colon", head(["Transfer-Encoding : chunked"]) + chunks],
  ["a vertical tab before chunked", head(["Transfer-Encoding:\x0bchunked"]) + chunks],
  ["a length with a sign", head([`Content-Length: +${body.length}`]) + body],
  ["a hexadecimal length", head(["Content-Length: 0x10"]) + body],
  ["a list of lengths", head([`${length}, ${body.length}`]) + body],
  ["two different lengths", head([length, "Content-Length: 1"]) + body],
  ["a negative length", head(["Content-Length: -1"]) + body],
  ["an empty length", head(["Content-Length: "]) + body],
  ["a length with letters", head([`${length}abc`]) + body],
  ["lines that end in LF", head([length], "\n") + body],
  ["one line that ends in LF", head([length]).replace("\r\nContent-Type", "\nContent-Type") + body],
  ["a CR in a value", head([length, "X-A: a\rb"]) + body],
  ["a folded header", head([length, "X-A: a\r\n b"]) + body],
  ["a NUL in a value", head([length, "X-A: a\0b"]) + body],
  ["a NUL in a name", head([length, "X\0A: a"]) + body],
  ["a space in a name", head([length, "X A: a"]) + body],
  ["a header without a colon", head([length, "XA"]) + body],
  ["a header without a name", head([length, ": a"]) + body],
  ["a chunk size that is not a number", `${head([chunked])}zz\r\n${body}\r\n0\r\n\r\n`],
  ["a negative chunk size", `${head([chunked])}-5\r\nabcde\r\n0\r\n\r\n`],
  ["a chunk size of 65 bits", `${head([chunked])}10000000000000005\r\nabcde\r\n0\r\n\r\n`],
  ["a chunk size with 0x", `${head([chunked])}0x${hexLength}\r\n${body}\r\n0\r\n\r\n`],
  ["a chunk size that ends in LF", `${head([chunked])}${hexLength}\n${body}\r\n0\r\n\r\n`],
  ["a chunk extension that ends in LF", `${head([chunked])}${hexLength};\n${body}\r\n0\r\n\r\n`],
  ["a chunk that is longer than its size", `${head([chunked])}${hexLength}\r\n${body}0\r\n\r\n`],
  ["chunks in HTTP/1.0", head([chunked]).replace("HTTP/1.1", "HTTP/1.0") + chunks],
  ["HTTP/1.2", head([length]).replace("HTTP/1.1", "HTTP/1.2") + body],
  ["two spaces before the path", head([length]).replace("POST /", "POST  /") + body],
])("FC13: %s is refused once, and the connection closed", async (_, text) => {
  const { closed, statuses } = await send(text + smuggled);
  const answers = statuses(await closed);
  expect(answers).toHaveLength(1);
  expect([400, 505]).toContain(answers[0] ?? 0);
  expect(server.upstream.requests).toHaveLength(0);
  expect(await readMoney(server, account.id)).toEqual(untouched);
});

test("FC13: a body that looks like a request is a body", async () => {
  const get = smuggled.replace("\r\n\r\n", `\r\nContent-Length: ${smuggled.length}\r\n\r\n`);
  const last = smuggled.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
  const { socket, closed, waitFor, statuses } = await send(get + smuggled);
  await waitFor((received) => received.includes("}"));
  socket.write(last.replace("/v1/key", "/v1/none"));
  expect(statuses(await closed)).toEqual([200, 404]);
});
