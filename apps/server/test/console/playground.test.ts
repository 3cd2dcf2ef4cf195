// The playground spends with a session cookie, so it answers only same-origin pages: no other site's page,
// form or link reaches the upstream or moves money.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { AccountId } from "@turnpike/base";
import { smallImage, wavFile } from "@turnpike/testing";
import {
  at,
  chatBody,
  expectCleanBooks,
  readJson,
  readMoney,
  startTestServer,
  type TestServer,
  testModels,
  topUp,
} from "../harness/index.ts";
import { openBrowser, signUp } from "./browser.fixture.ts";

let server: TestServer;
let accountId: AccountId;
let cookie = "";

beforeAll(async () => {
  server = await startTestServer({ environment: { PUBLIC_URL: "http://console.test" } });
  const browser = openBrowser(server.url);
  const email = "ada@example.com";
  await signUp(browser, server.url, email);
  const [owned] = await server.owner.sql<{ id: AccountId }[]>`
    select account_id as id from memberships
      join persons on persons.id = memberships.person_id where email = ${email}`;
  if (owned === undefined) throw new Error("a person who signs up has an account");
  accountId = owned.id;
  await topUp(server, accountId, "10");
  cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
});
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

function ask(headers: Record<string, string>, tag: string, method = "POST") {
  const body = JSON.stringify(chatBody({ tag, deltas: 2 }));
  return fetch(`${server.url}/console/playground`, {
    method,
    headers,
    ...(method === "POST" && { body }),
  });
}

const foreign = [403, "This request did not come from our own pages."];
const json = { "content-type": "application/json" };

test("a same-origin page gets an answer, paid by the signed-in account", async () => {
  const before = await readMoney(server, accountId);
  const response = await ask({ ...json, cookie, "sec-fetch-site": "same-origin" }, "ours");
  expect(response.status).toBe(200);
  expect(at(await readJson(response), "choices.0.message.content")).toBe(" tok tok");
  expect((await readMoney(server, accountId)).balanceNanos).toBeLessThan(before.balanceNanos);
  const [row] = await server.owner.sql`
    select key_id, origin from requests where account_id = ${accountId} order by id desc limit 1`;
  expect(row).toEqual({ key_id: null, origin: "playground" });
});

function draw(path: string, headers: Record<string, string>) {
  const body = { model: testModels.imagePiece, prompt: "a lighthouse", size: "1024x1024", n: 2 };
  const init = { method: "POST", headers: { ...json, ...headers }, body: JSON.stringify(body) };
  return fetch(`${server.url}/console/playground/${path}`, init);
}

test("images cost what was said before, paid by the signed-in account", async () => {
  const ours = { cookie, "sec-fetch-site": "same-origin" };
  const estimate = await draw("estimate", ours);
  expect(at(await readJson(estimate), "max_cost_usd")).toBe("0.08");
  const before = await readMoney(server, accountId);
  const response = await draw("images", ours);
  expect(at(await readJson(response), "usage.cost")).toBe(0.08);
  const after = await readMoney(server, accountId);
  expect(before.balanceNanos - after.balanceNanos).toBe(80_000_000n);
});

test.each(["images", "estimate"])("/%s is refused to the pages of others", async (path) => {
  const before = server.upstream.requests.length;
  const response = await draw(path, { cookie, "sec-fetch-site": "cross-site" });
  expect(response.status).toBe(403);
  expect((await draw(path, { "sec-fetch-site": "same-origin" })).status).toBe(401);
  expect(server.upstream.requests.length).toBe(before);
});

function upload(path: string, headers: Record<string, string>, fields: object, file: File) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  form.append(path.startsWith("images") ? "image" : "file", file);
  return fetch(`${server.url}/console/playground/${path}`, { method: "POST", headers, body: form });
}

const ours = () => ({ cookie, "sec-fetch-site": "same-origin" });
const picture = () =>
  new File(
    [new Uint8Array(smallImage("png", { width: 64, height: 64, color: [1, 2, 3] }))],
    "a.png",
  );
const speech = () => new File([new Uint8Array(wavFile({ seconds: 2 }))], "a.wav");

test("an edited image is paid by the signed-in account", async () => {
  const before = await readMoney(server, accountId);
  const fields = { model: testModels.image, prompt: "add a boat", size: "1024x1024" };
  const response = await upload("images/edits", ours(), fields, picture());
  const cost = Number(at(await readJson(response), "usage.cost"));
  expect(cost).toBeGreaterThan(0);
  const after = await readMoney(server, accountId);
  expect(before.balanceNanos - after.balanceNanos).toBe(BigInt(Math.round(cost * 1e9)));
});

test.each(["transcriptions", "translations"])(
  "%s cost what was said before, paid by the signed-in account",
  async (path) => {
    const model = testModels.transcription;
    const estimate = await fetch(`${server.url}/console/playground/estimate`, {
      method: "POST",
      headers: { ...json, ...ours() },
      body: JSON.stringify({ model, duration_seconds: 2 }),
    });
    expect(at(await readJson(estimate), "max_cost_usd")).toBe("0.0002");
    const before = await readMoney(server, accountId);
    const response = await upload(path, ours(), { model }, speech());
    expect(at(await readJson(response), "usage.cost")).toBe(0.0002);
    const after = await readMoney(server, accountId);
    expect(before.balanceNanos - after.balanceNanos).toBe(200_000n);
  },
);

test("speech is answered as audio, with the id under which Logs have its cost", async () => {
  const before = await readMoney(server, accountId);
  const response = await fetch(`${server.url}/console/playground/speech`, {
    method: "POST",
    headers: { ...json, ...ours() },
    body: JSON.stringify({ model: testModels.speech, input: "Hello!", voice: "alloy" }),
  });
  expect(response.headers.get("content-type")).toBe("audio/mpeg");
  expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0);
  const after = await readMoney(server, accountId);
  expect(before.balanceNanos - after.balanceNanos).toBe(90_000n);
  const id = response.headers.get("x-generation-id") ?? "";
  expect(id).toStartWith("gen-");
});

test.each(["images/edits", "transcriptions", "translations"])(
  "a form for /%s is refused to the pages of others",
  async (path) => {
    const before = server.upstream.requests.length;
    const isImage = path.startsWith("images");
    const model = isImage ? testModels.image : testModels.transcription;
    const file = isImage ? picture() : speech();
    const foreignPage = { cookie, "sec-fetch-site": "cross-site" };
    const fields = { model, prompt: "a" };
    expect((await upload(path, foreignPage, fields, file)).status).toBe(403);
    const anonymous = { "sec-fetch-site": "same-origin" };
    expect((await upload(path, anonymous, fields, file)).status).toBe(401);
    expect(server.upstream.requests.length).toBe(before);
  },
);

test("a model that makes embeddings is refused, and nothing is sent upstream", async () => {
  const before = server.upstream.requests.length;
  const response = await fetch(`${server.url}/console/playground`, {
    method: "POST",
    headers: { ...json, cookie, "sec-fetch-site": "same-origin" },
    body: JSON.stringify(chatBody({}, { model: testModels.embeddings })),
  });
  const body = await readJson(response);
  expect([response.status, at(body, "error.code")]).toEqual([400, "unsupported_value"]);
  expect(at(body, "error.param")).toBe("model");
  expect(server.upstream.requests.length).toBe(before);
});

test.each([
  ["another site", { ...json, "sec-fetch-site": "cross-site" }, foreign],
  ["a sibling site", { ...json, "sec-fetch-site": "same-site" }, foreign],
  ["another origin", { ...json, origin: "http://evil.test" }, foreign],
  ["a sandboxed frame", { ...json, origin: "null" }, foreign],
  ["a client that does not say where it comes from", json, foreign],
  [
    "a form",
    { "content-type": "text/plain", "sec-fetch-site": "same-origin" },
    [415, "Send the body as application/json."],
  ],
])(
  "%s is refused with the cookie, before anything is sent upstream",
  async (name, headers, refusal) => {
    const before = await readMoney(server, accountId);
    const response = await ask({ ...headers, cookie }, name);
    expect([response.status, at(await response.json(), "error.message")]).toEqual(refusal);
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    expect(response.headers.get("access-control-expose-headers")).toBeNull();
    expect(server.upstream.requests.some((request) => request.tag === name)).toBe(false);
    expect(await readMoney(server, accountId)).toEqual(before);
  },
);

test("without a session nothing is sent upstream, and only POST is accepted", async () => {
  const ours = { ...json, "sec-fetch-site": "same-origin" };
  const unknown = await ask(ours, "unknown");
  expect(unknown.status).toBe(401);
  expect(server.upstream.requests.some((request) => request.tag === "unknown")).toBe(false);
  const read = await ask({ ...ours, cookie }, "read", "GET");
  expect(read.status).toBe(405);
  expect(read.headers.get("allow")).toBe("POST");
});
