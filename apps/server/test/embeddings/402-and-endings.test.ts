// Embeddings are paid for like chats: no call without money, no bill for failures, and a
// client that disconnects is billed what its call cost in the end.
import { afterAll, afterEach, expect, test } from "bun:test";
import { queryLogs } from "@turnpike/reports";
import {
  at,
  expectCleanBooks,
  expectFault,
  getPath,
  openAccount,
  readJson,
  readMoney,
  startTestServer,
  usdNumber,
  waitForSettled,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import { embeddingsBody, postEmbeddings } from "./ask-embeddings.fixture.ts";

const server = await startTestServer();
afterAll(() => server.close());
afterEach(() => expectCleanBooks(server));

const scriptedInput = (script: object) => `hello #script ${JSON.stringify(script)}`;

test("402 without money, and no upstream is called", async () => {
  const poor = await openAccount(server, { usd: "0" });
  const before = server.upstream.requests.length;
  const response = await postEmbeddings(server, poor.key, embeddingsBody("x"));
  await expectFault(response, {
    status: 402,
    type: "insufficient_quota",
    code: "insufficient_quota",
  });
  expect(server.upstream.requests.length).toBe(before);
});

test("a refused call is an embeddings call in the logs and in its generation", async () => {
  const poor = await openAccount(server, { usd: "0" });
  const response = await postEmbeddings(server, poor.key, embeddingsBody("x"));
  const unread = await postEmbeddings(server, poor.key, "{");
  expect([response.status, unread.status]).toEqual([402, 400]);
  const { db } = server.services.database;
  const read = async (operation?: "chat" | "embeddings") =>
    (await queryLogs(db, { accountId: poor.id, operation, limit: 10 })).rows;
  // Refusals are written in the background.
  await eventually("both refused calls", async () => (await read()).length === 2);
  expect((await read("embeddings")).map((row) => row.status).toSorted()).toEqual([400, 402]);
  expect(await read("chat")).toEqual([]);
  const id = response.headers.get("x-generation-id");
  const { data } = await readJson(await getPath(server, poor.key, `/generation?id=${id}`));
  expect(data).toMatchObject({ api_type: "embeddings", state: "refused" });
});

test.each([
  [400, "upstream_rejected", 400],
  [429, "rate_limit_exceeded", 429],
  [503, "overloaded", 503],
  [500, "bad_gateway", 502],
] as const)("an upstream's %d is passed on and costs nothing", async (status, code, answered) => {
  const account = await openAccount(server);
  const body = embeddingsBody(scriptedInput({ status }));
  const response = await postEmbeddings(server, account.key, body);
  expect(response.status).toBe(answered);
  expect(at(await response.json(), "error.code")).toBe(code);
  expect(await readMoney(server, account.id)).toMatchObject({ balanceNanos: 10_000_000_000n });
});

test.each([
  [429, { status: 429, type: "requests", code: "rate_limit_exceeded" }],
  [503, { status: 503, type: "server_error", code: "overloaded" }],
  [529, { status: 503, type: "server_error", code: "overloaded" }],
])("a busy upstream's %d keeps the wait it asks for", async (status, fault) => {
  const account = await openAccount(server);
  const script = { status, error: "Busy.", headers: { "retry-after": "7" } };
  const response = await postEmbeddings(server, account.key, embeddingsBody(scriptedInput(script)));
  await expectFault(response, fault);
  expect(response.headers.get("retry-after")).toBe("7");
  expect(response.headers.get("x-should-retry")).toBe("true");
  expect(await readMoney(server, account.id)).toMatchObject({ balanceNanos: 10_000_000_000n });
});

test("an answer whose vectors are not numbers is an error of the upstream and costs nothing", async () => {
  const account = await openAccount(server);
  const answer = { data: [{ index: 0, embedding: ["1"] }], usage: { prompt_tokens: 5 } };
  const headers = { "content-type": "application/json" };
  const body = embeddingsBody(scriptedInput({ body: JSON.stringify(answer), headers }));
  const response = await postEmbeddings(server, account.key, body);
  await expectFault(response, { status: 502, type: "upstream_error", code: "bad_gateway" });
  expect(await readMoney(server, account.id)).toMatchObject({ balanceNanos: 10_000_000_000n });
});

test("an answer with fewer vectors than inputs is an error of the upstream and costs nothing", async () => {
  const account = await openAccount(server);
  const script = { body: '{"object":"list","data":[],"usage":{"prompt_tokens":5}}' };
  const body = embeddingsBody(
    scriptedInput({ ...script, headers: { "content-type": "application/json" } }),
  );
  const response = await postEmbeddings(server, account.key, body);
  await expectFault(response, { status: 502, type: "upstream_error", code: "bad_gateway" });
  expect(await readMoney(server, account.id)).toMatchObject({ balanceNanos: 10_000_000_000n });
});

test("a client that disconnects is billed what the upstream reports at the end", async () => {
  const account = await openAccount(server);
  const leaving = new AbortController();
  const tag = "left-embeddings";
  const body = embeddingsBody(scriptedInput({ tag, gate: true }));
  const left = postEmbeddings(server, account.key, body, leaving.signal);
  const seen = await server.upstream.waitFor((request) => request.tag === tag);
  leaving.abort();
  await left.catch(() => undefined);
  server.upstream.open(tag);
  await seen.ended;
  expect(await waitForSettled(server)).toBe(0);
  const reported = at(seen.delivered.usage, "prompt_tokens");
  expect(reported).toBeGreaterThan(5);
  const credits = await readJson(await getPath(server, account.key, "/credits"));
  expect(at(credits, "data.total_usage")).toBe(usdNumber(BigInt(Number(reported)) * 20n));
});
