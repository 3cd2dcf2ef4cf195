// A body of any type but JSON is refused before it is read; gzip, deflate and zstd are read.
import { afterAll, afterEach, expect, test } from "bun:test";
import { deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import {
  chatBody,
  expectCleanBooks,
  expectFault,
  openAccount,
  postChat,
  startTestServer,
} from "../harness/index.ts";

const server = await startTestServer();
const account = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

const text = JSON.stringify(chatBody({ deltas: 1 }));
const post = (headers: Record<string, string>) => postChat(server, account.key, text, { headers });

test.each<[string, Record<string, string>]>([
  ["text/plain", { "content-type": "text/plain" }],
  ["a form", { "content-type": "application/x-www-form-urlencoded" }],
  ["multipart", { "content-type": "multipart/form-data; boundary=a" }],
  ["brotli", { "content-encoding": "br" }],
  ["two codings", { "content-encoding": "gzip, gzip" }],
])("%s is 415", async (_, headers) => {
  await expectFault(await post(headers), { status: 415, code: "unsupported_media_type" });
});

test.each(["application/json; charset=utf-8", "APPLICATION/JSON", "application/vnd.api+json"])(
  "%s is JSON",
  async (type) => {
    expect((await post({ "content-type": type })).status).toBe(200);
  },
);

test.each([
  ["gzip", "gzip", gzipSync(text)],
  ["deflate", "deflate, in zlib's format", deflateSync(text)],
  ["deflate", "deflate, at another level", deflateSync(text, { level: 1 })],
  ["deflate", "deflate, as bare data", deflateRawSync(text)],
  ["zstd", "zstd", zstdCompressSync(text)],
] as const)("%s: JSON compressed as %s is answered", async (coding, _, body) => {
  const response = await fetch(`${server.baseUrl}/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${account.key}`,
      "content-type": "application/json",
      "content-encoding": coding,
    },
    body,
  });
  expect(response.status).toBe(200);
});

test("a body without a type is read as JSON", async () => {
  const response = await fetch(`${server.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}` },
    body: new TextEncoder().encode(text),
  });
  expect(response.status).toBe(200);
});
