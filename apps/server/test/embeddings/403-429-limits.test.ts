// The rules of a key and of its account apply to embeddings as to chats: a refused
// call reaches no upstream and costs nothing.
import { afterAll, afterEach, expect, test } from "bun:test";
import { type KeyLimits, noLimits } from "@turnpike/keys";
import { toNanos } from "@turnpike/terms";
import {
  expectCleanBooks,
  expectFault,
  openAccount,
  startTestServer,
  type TestAccount,
  testModels,
} from "../harness/index.ts";
import { embeddingsBody, postEmbeddings } from "./ask-embeddings.fixture.ts";

const server = await startTestServer();
afterAll(() => server.close());
afterEach(() => expectCleanBooks(server));

const open = (limits: Partial<KeyLimits>) =>
  openAccount(server, { limits: { ...noLimits, ...limits } });
const forbidden = { status: 403, type: "permission_error", code: "permission_denied" };
const tooFast = { status: 429, type: "requests", code: "rate_limit_exceeded" };

/** Expects the fault, and that no upstream was called. */
async function expectRefused(
  { key }: Pick<TestAccount, "key">,
  fault: Parameters<typeof expectFault>[1],
  body = embeddingsBody("refused"),
): Promise<void> {
  const before = server.upstream.requests.length;
  await expectFault(await postEmbeddings(server, key, body), fault);
  expect(server.upstream.requests.length).toBe(before);
}

test("a model outside the key's list is 403, one inside is served", async () => {
  const account = await open({ allowedModels: [testModels.floats] });
  await expectRefused(account, forbidden);
  const allowed = embeddingsBody("served", { model: testModels.floats });
  expect((await postEmbeddings(server, account.key, allowed)).status).toBe(200);
});

test("requests per minute are counted: with a limit of one, the second is 429", async () => {
  const account = await open({ requestsPerMinute: 1 });
  expect((await postEmbeddings(server, account.key, embeddingsBody("first"))).status).toBe(200);
  await expectRefused(account, tooFast);
});

test("concurrent requests are counted: with a limit of one, the second is 429 until the first has ended", async () => {
  const account = await open({ concurrency: 1 });
  const tag = "concurrent-embeddings";
  const gated = embeddingsBody(`hello #script ${JSON.stringify({ tag, gate: true })}`);
  const first = postEmbeddings(server, account.key, gated);
  await server.upstream.waitFor((request) => request.tag === tag);
  await expectRefused(account, tooFast);
  server.upstream.open(tag);
  const answered = await first;
  expect(answered.status).toBe(200);
  await answered.text();
  expect((await postEmbeddings(server, account.key, embeddingsBody("next"))).status).toBe(200);
});

test("a key's spend limit is 402 with its period, and the money below it is spent", async () => {
  // 20 nano-dollars per token: the limit covers a short text, not a long one.
  const account = await open({ spendLimitNanos: { day: toNanos(1_000n) } });
  const noMoney = { status: 402, type: "insufficient_quota", code: "insufficient_quota" };
  const before = server.upstream.requests.length;
  const long = embeddingsBody("a text of several words ".repeat(20));
  const refused = await postEmbeddings(server, account.key, long);
  const { metadata } = await expectFault(refused, noMoney);
  expect(metadata).toMatchObject({ limit_source: "key_limit", period: "day" });
  expect(server.upstream.requests.length).toBe(before);
  expect((await postEmbeddings(server, account.key, embeddingsBody("short"))).status).toBe(200);
});
