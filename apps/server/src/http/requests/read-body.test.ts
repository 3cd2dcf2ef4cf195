// Reading bodies: on time, in pieces, too large, or endless.
import { expect, spyOn, test } from "bun:test";
import { deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { type AccountId, newId } from "@turnpike/base";
import { type BodySlot, RateLimiter } from "@turnpike/gateway";
import { noLimits } from "@turnpike/keys";
import { declaredBytes, readBody, readBytes } from "./read-body.ts";

function streamed(...parts: readonly string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
      // Left open: a client that has stopped sending.
      if (parts.at(-1)?.endsWith("}")) controller.close();
    },
  });
}

function post(body: ReadableStream<Uint8Array>): Request {
  return new Request("http://turnpike.test/", { method: "POST", body });
}

function compressed(body: Uint8Array<ArrayBuffer>, coding: string): Request {
  const headers = { "content-type": "application/json", "content-encoding": coding };
  return new Request("http://turnpike.test/", { method: "POST", headers, body });
}

test("a body that stops arriving is refused as a timeout", async () => {
  const reading = readBody(post(streamed('{"a":')), 1_000, { waitMs: 10 });
  await expect(reading).rejects.toMatchObject({
    code: "request_timeout",
    message: "The request body did not arrive within 0.01 s.",
    details: { headers: { connection: "close" } },
  });
});

test("a late body is not read any further", async () => {
  const cancelled = Promise.withResolvers<string>();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"a":')),
    cancel: () => cancelled.resolve("cancelled"),
  });
  const reading = readBody(post(body), 1_000, { waitMs: 10 });
  await expect(reading).rejects.toMatchObject({ code: "request_timeout" });
  expect(await cancelled.promise).toBe("cancelled");
});

test("a body in pieces is read completely, up to its limit and no further", async () => {
  expect(await readBody(post(streamed('{"a":', "1}")), 7)).toBe('{"a":1}');
  const reading = readBody(post(streamed('{"a":', "12}")), 7);
  await expect(reading).rejects.toMatchObject({ code: "request_too_large" });
});

test("a body announced as too large is refused with the limit", async () => {
  const body = "x".repeat(524_289);
  const headers = { "content-length": String(body.length) };
  const request = new Request("http://turnpike.test/", { method: "POST", headers, body });
  await expect(readBody(request, 524_288)).rejects.toMatchObject({
    code: "request_too_large",
    message: "The request body is larger than 512 KiB.",
  });
});

const compressors = {
  gzip: gzipSync,
  GZIP: gzipSync,
  "x-gzip": gzipSync,
  deflate: deflateSync,
  Deflate: deflateRawSync,
  zstd: zstdCompressSync,
} as const;
type Coding = keyof typeof compressors;
const bombs: readonly Coding[] = ["gzip", "deflate", "Deflate", "zstd"];
const spellings: readonly Coding[] = ["GZIP", "x-gzip"];

test.each([...bombs, ...spellings])("a body sent as %s is read decompressed", async (coding) => {
  const compress = compressors[coding];
  const text = JSON.stringify({ a: "b".repeat(1_000) });
  expect(await readBody(compressed(compress(text), coding), text.length)).toBe(text);
  const tooLong = readBody(compressed(compress(text), coding), text.length - 1);
  await expect(tooLong).rejects.toMatchObject({ code: "request_too_large" });
});

test.each(bombs)("a small body that expands to 64 MiB as %s is refused early", async (coding) => {
  const limit = 1_048_576;
  const zeros = Buffer.alloc(64 * limit);
  const bomb = compressors[coding](zeros);
  expect(bomb.byteLength).toBeLessThan(limit);
  const reading = readBody(compressed(bomb, coding), limit);
  await expect(reading).rejects.toMatchObject({
    code: "request_too_large",
    message: "The request body is larger than 1 MiB.",
  });
});

test("a body that does not match its coding is refused with the name of the coding", async () => {
  const reading = readBody(compressed(Buffer.from("{}"), "gzip"), 100);
  await expect(reading).rejects.toMatchObject({
    code: "invalid_json",
    message: "The body of your request is not valid gzip.",
  });
});

test("signed bodies are not decompressed: the signature covers the bytes that were sent", async () => {
  const reading = readBytes(compressed(gzipSync("{}"), "gzip"), 100);
  await expect(reading).rejects.toMatchObject({ code: "unsupported_media_type" });
});

test("signed bodies are JSON, like all others", async () => {
  const read = (type: string) => {
    const headers = { "content-type": type };
    const signed = new Request("http://turnpike.test/", { method: "POST", headers, body: "{}" });
    return readBytes(signed, 100);
  };
  expect(new TextDecoder().decode(await read("application/json"))).toBe("{}");
  await expect(read("text/plain")).rejects.toMatchObject({ code: "unsupported_media_type" });
});

test("JSON is read under each of its media types, and nothing else is", async () => {
  const codeFor = async (headers: Record<string, string>) => {
    const request = new Request("http://turnpike.test/", { method: "POST", headers, body: "{}" });
    return readBody(request, 100).catch((fault: { code: string }) => fault.code);
  };
  for (const type of ["application/json", "application/json; charset=utf-8", "application/a+json"])
    expect(await codeFor({ "content-type": type })).toBe("{}");
  for (const type of ["text/plain", "application/jsonl", "multipart/form-data"])
    expect(await codeFor({ "content-type": type })).toBe("unsupported_media_type");
  const json = { "content-type": "application/json" };
  expect(await codeFor({ ...json, "content-encoding": "identity" })).toBe("{}");
  expect(await codeFor({ ...json, "content-encoding": "br" })).toBe("unsupported_media_type");
});

/** Half of the memory for bodies of a process; a byte of text counts three times. */
const accountBytes = 513 * 1024 * 1024;

/** In an account whose other bodies leave room for so many bytes. */
function slotWithRoom(bytes: number, accountId = newId<AccountId>()): BodySlot {
  const limiter = new RateLimiter({ bodyMebibytes: 2 * 513 });
  const caller = { accountId, keyId: null, limits: noLimits };
  limiter.reserveSlot(caller, accountBytes / 3 - bytes);
  return limiter.reserveSlot(caller, 0);
}

test("a body counts as large as it is declared, before it is read", () => {
  const requestWith = (headers: Record<string, string>) =>
    new Request("http://turnpike.test/", { method: "POST", headers, body: "{}" });
  expect(declaredBytes(requestWith({ "content-length": "7" }), 100)).toBe(7);
  expect(declaredBytes(requestWith({ "content-length": "101" }), 100)).toBe(100);
  expect(declaredBytes(requestWith({}), 100)).toBe(0);
});

test("a body of undeclared length counts as it grows, and is read no further than its account has room", async () => {
  const parts = ['{"a":', "1}"];
  expect(await readBody(post(streamed(...parts)), 100, { slot: slotWithRoom(7) })).toBe(
    parts.join(""),
  );
  const reading = readBody(post(streamed(...parts)), 100, { slot: slotWithRoom(6) });
  await expect(reading).rejects.toMatchObject({ code: "rate_limit_exceeded" });
});

test("a compressed body counts as large as it became", async () => {
  const text = JSON.stringify("b".repeat(998));
  const read = (room: number) =>
    readBody(compressed(zstdCompressSync(text), "zstd"), 20_000, { slot: slotWithRoom(room) });
  expect(await read(1_000)).toBe(text);
  await expect(read(999)).rejects.toMatchObject({ code: "rate_limit_exceeded" });
});

test.each(bombs)(
  "a body sent as %s is counted while it is expanded, and no further than its account has room",
  async (coding) => {
    const zeros = Buffer.alloc(16 * 1024 * 1024);
    const body = compressors[coding](zeros);
    const slot = slotWithRoom(1024 * 1024);
    const counted = spyOn(slot, "resize");
    const reading = readBody(compressed(body, coding), zeros.length, { slot });
    await expect(reading).rejects.toMatchObject({ code: "rate_limit_exceeded" });
    const sizes = counted.mock.calls.map(([bytes]) => bytes);
    expect(sizes.length).toBeGreaterThan(1);
    expect(Math.max(...sizes)).toBeLessThan(2 * 1024 * 1024);
  },
);

test("text with wide characters counts two bytes for each character", async () => {
  const body = new TextEncoder().encode(JSON.stringify(`\u20ac${"b".repeat(997)}`));
  const read = (room: number) => {
    const request = new Request("http://turnpike.test/", { method: "POST", body });
    return readBody(request, 2_000, { slot: slotWithRoom(room) });
  };
  expect(await read(2_000)).toHaveLength(1_000);
  await expect(read(1_999)).rejects.toMatchObject({ code: "rate_limit_exceeded" });
});

test("accounts take turns at expanding their bodies", async () => {
  const body = gzipSync(JSON.stringify("b".repeat(1_000_000)));
  const room = 2_000_000;
  const ended: AccountId[] = [];
  const read = async (accountId: AccountId) => {
    await readBody(compressed(body, "gzip"), room, { slot: slotWithRoom(room, accountId) });
    ended.push(accountId);
  };
  const [flood, other] = [newId<AccountId>(), newId<AccountId>()];
  const flooding = Array.from({ length: 60 }, () => read(flood));
  await Promise.all([...flooding, read(other)]);
  expect(ended.indexOf(other)).toBeLessThan(30);
});
