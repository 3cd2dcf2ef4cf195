// Out of money: OpenAI's 402, which SDKs do not retry, with the exact amount that is needed: a
// caller who adds that much is served.
import { afterAll, afterEach, expect, test } from "bun:test";
import { parseUsd, toNanos } from "@turnpike/terms";
import {
  asObject,
  at,
  chatBody,
  expectCleanBooks,
  expectFault,
  getPath,
  openAccount,
  postChat,
  readMoney,
  startTestServer,
  testModels,
  topUp,
} from "../harness/index.ts";
import { withdraw } from "../money/set-balance.ts";

const server = await startTestServer();
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

const unpaid = { status: 402, type: "insufficient_quota", code: "insufficient_quota" };
const body = chatBody({ deltas: 1 }, { model: testModels.expensive, max_tokens: 1_000 });

test("without money the answer is 402, is not to be retried, and no upstream is called", async () => {
  const account = await openAccount(server, { usd: "0" });
  const response = await postChat(server, account.key, body);
  const error = await expectFault(response, unpaid);
  expect(response.headers.get("x-should-retry")).toBe("false");
  expect(response.headers.get("retry-after")).toBeNull();
  expect(error.metadata).toMatchObject({
    limit_source: "account_balance",
    reason: "balance_too_low",
    available_usd: "0",
  });
  expect(server.upstream.requests).toHaveLength(0);
});

test("a stream is also refused by status, not inside a 200", async () => {
  const account = await openAccount(server, { usd: "0" });
  await expectFault(await postChat(server, account.key, { ...body, stream: true }), unpaid);
});

test("needed_usd is exact: one nano-dollar less is refused, that much is served", async () => {
  const account = await openAccount(server, { usd: "0.000000001" });
  const refused = await expectFault(await postChat(server, account.key, body), unpaid);
  const needed = parseUsd(String(asObject(refused.metadata).needed_usd)) ?? toNanos(0n);
  expect(needed).toBeGreaterThan(0n);
  await topUp(server, account.id, `0.${(needed - 2n).toString().padStart(9, "0")}`);
  await expectFault(await postChat(server, account.key, body), unpaid);
  await topUp(server, account.id, "0.000000001");
  const served = await postChat(server, account.key, body);
  expect(served.status).toBe(200);
  expect(Number(served.headers.get("x-turnpike-max-tokens"))).toBeGreaterThanOrEqual(256);
  await served.text();
});

test("the message names money held by running calls as a reason to wait", async () => {
  const account = await openAccount(server, { usd: "0.08" });
  const controller = new AbortController();
  const silent = chatBody({ tag: "holds", headGate: true }, { stream: true });
  const slow = { ...body, ...silent, model: body.model };
  const running = postChat(server, account.key, slow, { signal: controller.signal });
  await server.upstream.waitFor(({ tag }) => tag === "holds");
  const response = await postChat(server, account.key, body);
  const error = await expectFault(response, unpaid);
  expect(error.metadata).toMatchObject({ reason: "in_flight_hold" });
  expect(response.headers.get("retry-after")).toBe("1");
  controller.abort();
  await running.catch(() => undefined);
  server.upstream.open("holds");
});

test("a key's own limit is distinguished from the account's money", async () => {
  const day = toNanos(1_000n);
  const account = await openAccount(server, { limits: { spendLimitNanos: { day } } });
  const error = await expectFault(await postChat(server, account.key, body), unpaid);
  expect(error.metadata).toMatchObject({
    limit_source: "key_limit",
    reason: "key_limit_reached",
    period: "day",
  });
  expect(String(at(error, "metadata.reset_at"))).toMatch(/^\d{4}-\d\d-\d\dT00:00:00.000Z$/);
});

test("an account frozen by a reversed payment gets 402, because it is a matter of money", async () => {
  const account = await openAccount(server, { usd: "1" });
  await withdraw(server, account.id, toNanos(2_000_000_000n));
  const error = await expectFault(await postChat(server, account.key, body), unpaid);
  expect(error.message).toContain("frozen");
  expect(error.metadata).toMatchObject({ reason: "frozen" });
});

test("a caller who cannot pay may still read models, credits and key", async () => {
  const account = await openAccount(server, { usd: "0" });
  for (const path of ["/models", "/credits", "/key"]) {
    expect((await getPath(server, account.key, path)).status).toBe(200);
  }
  expect((await readMoney(server, account.id)).balanceNanos).toBe(toNanos(0n));
});
