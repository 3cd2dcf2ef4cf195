// What of `/trpc` is compressed: reads of our own pages, by what the browser takes, and never what another site can ask
// for or a change answers.
import { expect, test } from "bun:test";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { startTestServer, useServer } from "../harness/index.ts";

const { server, account } = await useServer(startTestServer());

const ours = { "sec-fetch-site": "same-origin", "accept-encoding": "gzip, deflate, br, zstd" };
const list = "models.list?input={}";

async function ask(headers: Record<string, string>, path = list, init: RequestInit = {}) {
  const url = `${server.url}/trpc/${path}`;
  const answer = await fetch(url, { ...init, headers, decompress: false });
  const body = new Uint8Array(await answer.arrayBuffer());
  return { answer, body, encoding: answer.headers.get("content-encoding") };
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

test("a long read is compressed by the best encoding that the browser takes, to the same text", async () => {
  const plain = await ask({ ...ours, "accept-encoding": "identity" });
  expect(plain.encoding).toBeNull();
  expect(plain.body.length).toBeGreaterThan(1_024);
  const best = await ask(ours);
  expect(best.encoding).toBe("zstd");
  expect(text(zstdDecompressSync(best.body))).toBe(text(plain.body));
  expect(best.body.length).toBeLessThan(plain.body.length / 2);
  for (const accepted of ["gzip, deflate", "gzip, zstd;q=0"]) {
    const older = await ask({ ...ours, "accept-encoding": accepted });
    expect(older.encoding).toBe("gzip");
    expect(text(gunzipSync(older.body))).toBe(text(plain.body));
  }
  for (const { answer } of [plain, best]) {
    expect(answer.headers.get("vary")).toContain("Accept-Encoding");
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.get("cache-control")).toBe("no-store");
  }
});

test("a short read is sent as it is", async () => {
  const { encoding, body } = await ask(ours, "auth.me?input={}");
  expect([encoding, body.length < 1_024]).toEqual([null, true]);
});

test("what another site can ask for has its own length", async () => {
  for (const site of ["cross-site", "same-site", "none"]) {
    expect([site, (await ask({ ...ours, "sec-fetch-site": site })).encoding]).toEqual([site, null]);
  }
  const { "accept-encoding": accepted } = ours;
  expect((await ask({ "accept-encoding": accepted })).encoding).toBeNull();
});

test("what is posted is never compressed: changes answer with new secrets", async () => {
  const headers = { ...ours, "content-type": "application/json" };
  const { answer, body, encoding } = await ask(headers, "models.list", {
    method: "POST",
    body: "{}",
  });
  expect([answer.status, encoding, body.length > 1_024]).toEqual([200, null, true]);
});

test("answers of /v1 are not compressed here", async () => {
  const headers = { ...ours, authorization: `Bearer ${account.key}` };
  const answer = await fetch(`${server.url}/v1/models`, { headers, decompress: false });
  expect(answer.headers.get("content-encoding")).toBeNull();
  expect((await answer.text()).length).toBeGreaterThan(1_024);
});
