// When the money limits the length of an answer, the upstream and the caller get that limit, and the
// account never goes below zero.
import { afterAll, afterEach, expect, test } from "bun:test";
import type { AccountId } from "@turnpike/base";
import {
  at,
  chatBody,
  expectCleanBooks,
  openAccount,
  postChat,
  readEvents,
  readJson,
  readMoney,
  startTestServer,
  testModels,
} from "../harness/index.ts";

const server = await startTestServer();
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

const expensive = (script: Parameters<typeof chatBody>[0], fields = {}) =>
  chatBody(script, { model: testModels.expensive, ...fields });

test("with less money than the model could spend, the answer is as long as the money allows", async () => {
  const account = await openAccount(server, { usd: "0.10" });
  const response = await postChat(
    server,
    account.key,
    expensive({ deltas: 100_000 }, { max_tokens: 30_000 }),
  );
  expect(response.status).toBe(200);
  const limit = Number(response.headers.get("x-turnpike-max-tokens"));
  expect(limit).toBeGreaterThanOrEqual(256);
  expect(limit).toBeLessThan(0.1 / 75e-6);
  const body = await readJson(response);
  expect(at(body, "usage.completion_tokens")).toBe(limit);
  expect(at(body, "choices.0.finish_reason")).toBe("length");
  expect(at(server.upstream.requests.at(-1)?.parsed, "max_tokens")).toBe(limit);
  expect(await rowOf(account.id)).toMatchObject({ max_tokens: limit });
  const { balanceNanos } = await readMoney(server, account.id);
  expect(balanceNanos).toBeGreaterThanOrEqual(0n);
});

test("a stream reports the same limit", async () => {
  const account = await openAccount(server, { usd: "0.10" });
  const body = expensive({ deltas: 5 }, { max_tokens: 30_000, stream: true });
  const response = await postChat(server, account.key, body);
  expect(Number(response.headers.get("x-turnpike-max-tokens"))).toBeGreaterThanOrEqual(256);
  expect((await readEvents(response)).done).toBe(true);
});

test("a caller who sets no limit takes at most half, so that calls can share an account", async () => {
  const account = await openAccount(server, { usd: "0.20" });
  const half = 0.1 / 75e-6;
  const response = await postChat(server, account.key, expensive({ deltas: 1 }));
  const limit = Number(response.headers.get("x-turnpike-max-tokens"));
  expect(limit).toBeGreaterThanOrEqual(256);
  expect(limit).toBeLessThanOrEqual(half);
  await response.text();
});

test("with enough money nothing is limited or reported", async () => {
  const account = await openAccount(server, { usd: "100" });
  const response = await postChat(server, account.key, expensive({ deltas: 1 }, { max_tokens: 9 }));
  expect(response.headers.get("x-turnpike-max-tokens")).toBeNull();
  expect(at(server.upstream.requests.at(-1)?.parsed, "max_tokens")).toBe(9);
  await response.text();
  expect(await rowOf(account.id)).toMatchObject({ max_tokens: null });
});

test("hidden reasoning that the upstream counted is a separate figure of the call's row", async () => {
  const account = await openAccount(server);
  const usage = {
    prompt_tokens: 20,
    completion_tokens: 9,
    total_tokens: 29,
    prompt_tokens_details: { cached_tokens: 5 },
    completion_tokens_details: { reasoning_tokens: 6 },
  };
  await readJson(await postChat(server, account.key, chatBody({ deltas: 3, usage })));
  expect(await rowOf(account.id)).toMatchObject({
    prompt_tokens: 20,
    cached_tokens: 5,
    completion_tokens: 9,
    reasoning_tokens: 6,
  });
});

/** The one request of an account. */
async function rowOf(accountId: AccountId): Promise<unknown> {
  await expectCleanBooks(server);
  const [row] = await server.owner.sql`
    select max_tokens, prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens
      from requests where account_id = ${accountId}`;
  return row;
}

/** 20,000 bytes, and about 4,300 tokens of the model's tokenizer. */
const prose = "The ferryman counted twelve lamps, and paid for the last one himself. ".repeat(288);

test("a prompt that fits the money by its tokens is answered, although its bytes would not fit", async () => {
  const account = await openAccount(server, { usd: "0.12" });
  const messages = [{ role: "user", content: prose }];
  const body = expensive({ deltas: 1 }, { messages, max_tokens: 256 });
  expect((await postChat(server, account.key, body)).status).toBe(200);
});

test("if the tokenizer is not known, a prompt has to fit the money by its bytes", async () => {
  const account = await openAccount(server, { usd: "0.001" });
  const messages = [{ role: "user", content: prose }];
  const body = chatBody({ deltas: 1 }, { messages, max_tokens: 256, model: testModels.cheap });
  const response = await postChat(server, account.key, body);
  expect(response.status).toBe(402);
  expect(at(await readJson(response), "error.metadata.reason")).toBe("balance_too_low");
});
