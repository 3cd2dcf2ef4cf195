// The memory that request bodies take is bounded, per account and per process: small compressed bodies may expand
// to many large ones, and each is held until its call has ended.
import { afterAll, afterEach, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import type { JsonObject } from "@turnpike/base";
import {
  chatBody,
  expectCleanBooks,
  expectFault,
  openAccount,
  startTestServer,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";

const mebibyte = 1024 * 1024;
const server = await startTestServer({ environment: { BODY_MEMORY_MIB: "512" } });
const { limiter } = server.services.gateway;
afterEach(async () => {
  await eventually("no body is counted", async () => (limiter.bodyBytes === 0 ? true : undefined));
  await expectCleanBooks(server);
});
afterAll(() => server.close());

/** 19 MiB, which count as 57: an account has room for four. */
function expanding(tag: string, fields: JsonObject = {}): Uint8Array<ArrayBuffer> {
  const text = JSON.stringify(chatBody({ tag, deltas: 2, gate: true }, fields));
  return new Uint8Array(gzipSync(text.padEnd(19 * mebibyte)));
}

function post(key: string, body: Uint8Array<ArrayBuffer>): Promise<Response> {
  const headers = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "content-encoding": "gzip",
  };
  return fetch(`${server.baseUrl}/chat/completions`, { method: "POST", headers, body });
}

const isOf = (tag: string) => (request: { readonly tag?: string | undefined }) =>
  request.tag === tag;

const tooFast = { status: 429, type: "requests", code: "rate_limit_exceeded" };

test("of sixty small bodies that expand to 19 MiB an account holds as many as it has room for", async () => {
  const { key } = await openAccount(server);
  const tag = "sixty";
  const body = expanding(tag);
  const answers = Array.from({ length: 60 }, () => post(key, body));
  const refused = await Promise.any(
    answers.map(async (answer) => {
      const { status } = await answer;
      if (status === 200) throw new Error("admitted");
      return status;
    }),
  );
  expect(refused).toBeOneOf([429, 503]);
  await server.upstream.waitFor(isOf(tag));
  expect(limiter.bodyBytes).toBeLessThanOrEqual(256 * mebibyte);
  server.upstream.open(tag);
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(statuses).toContain(200);
  // Calls that have ended make room for others.
  for (const status of statuses) expect(status).toBeOneOf([200, 429, 503]);
});

test("bodies of calls that wait for their upstream count, for their account and for all of them", async () => {
  const tag = "waiting";
  const body = expanding(tag);
  const accounts = [await openAccount(server), await openAccount(server)];
  const running: Promise<Response>[] = [];
  for (const { key } of accounts) {
    for (let call = 0; call < 4; call += 1) {
      running.push(post(key, body));
      const count = running.length;
      await eventually("the call at its upstream", async () =>
        server.upstream.requests.filter(isOf(tag)).length === count ? true : undefined,
      );
      expect(limiter.bodyBytes).toBeGreaterThanOrEqual(count * 57 * mebibyte);
    }
    const fifth = await expectFault(await post(key, body), tooFast);
    expect(fifth.message).toContain("256 MiB of memory for request bodies at once");
  }
  const { key } = await openAccount(server);
  const busy = { status: 503, type: "server_error", code: "overloaded" };
  await expectFault(await post(key, body), busy);
  server.upstream.open(tag);
  for (const answer of running) expect((await answer).status).toBe(200);
});

test("the body of a stream counts until it has ended, also when its client has disconnected", async () => {
  const { key } = await openAccount(server);
  for (const leaves of [false, true]) {
    const tag = `stream ${leaves}`;
    const answer = await post(key, expanding(tag, { stream: true }));
    const reader = answer.body?.getReader();
    await reader?.read();
    expect(limiter.bodyBytes).toBeGreaterThanOrEqual(57 * mebibyte);
    if (leaves) await reader?.cancel();
    server.upstream.open(tag);
    while (!leaves && !(await reader?.read())?.done);
    await eventually("no body is counted", async () =>
      limiter.bodyBytes === 0 ? true : undefined,
    );
  }
});
