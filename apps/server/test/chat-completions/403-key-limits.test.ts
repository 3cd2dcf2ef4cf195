// The rules a key's owner sets, as clients see them: models, addresses, rates, concurrent requests,
// money per period, disabling, and a rotated secret.
import { afterAll, afterEach, expect, test } from "bun:test";
import type { Fault } from "@turnpike/base";
import {
  endPreviousSecret,
  type KeyLimits,
  noLimits,
  rotateApiKey,
  setApiKeyDisabled,
  updateApiKey,
} from "@turnpike/keys";
import { parseUsd } from "@turnpike/terms";
import {
  chatBody,
  expectCleanBooks,
  expectFault,
  getPath,
  openAccount,
  postChat,
  startTestServer,
  testModels,
} from "../harness/index.ts";

const server = await startTestServer();
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

const body = chatBody({ deltas: 1 });
const open = (limits: Partial<KeyLimits>) =>
  openAccount(server, { limits: { ...noLimits, ...limits } });
const forbidden = { status: 403, type: "permission_error", code: "permission_denied" };
const tooFast = { status: 429, type: "requests", code: "rate_limit_exceeded" };

test("a model outside the key's list is 403, one inside is served", async () => {
  const { key } = await open({ allowedModels: [testModels.expensive] });
  await expectFault(await postChat(server, key, body), forbidden);
  const allowed = chatBody({ deltas: 1 }, { model: testModels.expensive, max_tokens: 10 });
  expect((await postChat(server, key, allowed)).status).toBe(200);
});

test("an address outside the key's list is 403 on every path, even behind a header that claims otherwise", async () => {
  const { key } = await open({ allowedAddresses: ["203.0.113.0/24", "2001:db8::/32"] });
  await expectFault(await postChat(server, key, body), forbidden);
  await expectFault(await getPath(server, key, "/models"), forbidden);
  const headers = { "x-forwarded-for": "203.0.113.7" };
  await expectFault(await postChat(server, key, body, { headers }), forbidden);
  const local = await open({ allowedAddresses: ["127.0.0.0/8"] });
  expect((await postChat(server, local.key, body)).status).toBe(200);
});

test("requests per minute: x-ratelimit headers on success, then 429 that says when to retry", async () => {
  const { key } = await open({ requestsPerMinute: 2 });
  const first = await postChat(server, key, body);
  expect(first.status).toBe(200);
  expect(first.headers.get("x-ratelimit-limit-requests")).toBe("2");
  expect(first.headers.get("x-ratelimit-remaining-requests")).toBe("1");
  expect((await postChat(server, key, body)).status).toBe(200);
  const refused = await postChat(server, key, body);
  const error = await expectFault(refused, tooFast);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
  expect(refused.headers.get("x-ratelimit-remaining-requests")).toBe("0");
  expect(String(error.message)).toMatch(/Please try again in \d+s\./);
});

test("whatever happens after admission, a request reports what its key has left", async () => {
  const { key } = await open({ requestsPerMinute: 9, tokensPerMinute: 500_000 });
  const poor = await openAccount(server, {
    usd: "0",
    limits: { ...noLimits, requestsPerMinute: 9, tokensPerMinute: 500_000 },
  });
  const long = "one two ".repeat(1_000);
  const answers = {
    unpaid: await postChat(server, poor.key, body),
    overlong: await postChat(server, key, {
      model: testModels.small,
      messages: [{ role: "user", content: long }],
    }),
    broken: await postChat(server, key, chatBody({ status: 500 })),
    brokenStream: await postChat(server, key, chatBody({ status: 500 }, { stream: true })),
    refused: await postChat(server, key, chatBody({ status: 429 })),
  };
  const said = Object.entries(answers).map(([name, { status, headers }]) => [
    name,
    status,
    headers.get("x-ratelimit-limit-requests"),
    headers.get("x-ratelimit-limit-tokens"),
  ]);
  expect(said).toEqual([
    ["unpaid", 402, "9", "500000"],
    ["overlong", 400, "9", "500000"],
    ["broken", 502, "9", "500000"],
    ["brokenStream", 502, "9", "500000"],
    ["refused", 429, "9", "500000"],
  ]);
  for (const { headers } of Object.values(answers)) {
    expect(Number(headers.get("x-ratelimit-remaining-requests") ?? 9)).toBeLessThan(9);
  }
});

test("tokens per minute count what a request may use before it runs", async () => {
  const { key } = await open({ tokensPerMinute: 1_000 });
  const large = chatBody({ deltas: 1 }, { max_tokens: 900 });
  const [one, other] = await Promise.all([
    postChat(server, key, large),
    postChat(server, key, large),
  ]);
  expect([one.status, other.status].toSorted()).toEqual([200, 429]);
});

test("a prompt that is too long counts against the rates, because counting it is work", async () => {
  const { key } = await open({ requestsPerMinute: 1 });
  const content = "one two ".repeat(1_000);
  const tooLong = { model: testModels.small, messages: [{ role: "user", content }] };
  const overflow = { status: 400, code: "context_length_exceeded", param: "messages" };
  await expectFault(await postChat(server, key, tooLong), overflow);
  await expectFault(await postChat(server, key, tooLong), tooFast);
});

test("concurrent requests: the second is refused until the first has ended", async () => {
  const { key } = await open({ concurrency: 1 });
  const slow = chatBody({ deltas: 2, ending: "stall" }, { stream: true });
  const aborter = new AbortController();
  const first = await postChat(server, key, slow, { signal: aborter.signal });
  expect(first.status).toBe(200);
  await expectFault(await postChat(server, key, body), tooFast);
  aborter.abort();
  // Its slot is free once the gateway has noticed that the client disconnected.
  let status = 429;
  while (status === 429) ({ status } = await postChat(server, key, body));
  expect(status).toBe(200);
});

test("a spend limit is 402 with its period, what is needed and when it resets", async () => {
  const day = parseUsd("0.000001");
  if (day === undefined) throw new Error("not an amount");
  const { key } = await open({ spendLimitNanos: { day } });
  const response = await postChat(server, key, body);
  const error = await expectFault(response, {
    status: 402,
    type: "insufficient_quota",
    code: "insufficient_quota",
  });
  expect(response.headers.get("x-should-retry")).toBe("false");
  expect(error.metadata).toMatchObject({
    limit_source: "key_limit",
    period: "day",
    available_usd: "0.000001",
  });
  expect(JSON.stringify(error.metadata)).toMatch(/"reset_at":"\d{4}-\d\d-\d\dT00:00:00\.000Z"/);
});

test("a disabled key is refused and works again when enabled; a rotated secret replaces the old one and shortens no grace period", async () => {
  const account = await open({});
  const owner = { accountId: account.id, id: account.keyId };
  await setApiKeyDisabled(server.owner.db, owner, true);
  await untilStatus(account.key, 401);
  await setApiKeyDisabled(server.owner.db, owner, false);
  await untilStatus(account.key, 200);
  const graced = await rotateApiKey(server.owner.db, owner, 3_600);
  await untilStatus(graced.key, 200);
  await untilStatus(account.key, 200);
  for (const graceSeconds of [0, 3_600]) {
    const again = rotateApiKey(server.owner.db, owner, graceSeconds);
    expect(await again.catch((fault: Fault) => fault.code)).toBe("conflict");
  }
  await untilStatus(account.key, 200);
  await endPreviousSecret(server.owner.db, owner);
  await untilStatus(account.key, 401);
  const last = await rotateApiKey(server.owner.db, owner, 0);
  await untilStatus(last.key, 200);
  await untilStatus(graced.key, 401);
});

test("limits changed while the key is known apply to its next requests", async () => {
  const account = await open({});
  await untilStatus(account.key, 200);
  const limits = { ...noLimits, allowedAddresses: ["203.0.113.7"] };
  await updateApiKey(server.owner.db, { accountId: account.id, id: account.keyId }, { limits });
  await untilStatus(account.key, 403);
});

/** Changes of keys take effect by notification. */
async function untilStatus(key: string, wanted: number): Promise<void> {
  const statusOf = async () => (await getPath(server, key, "/models")).status;
  while ((await statusOf()) !== wanted) await Bun.sleep(5);
}
