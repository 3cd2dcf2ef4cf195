// Too many concurrent requests: unknown callers who try keys, and owners whose calls would crowd out
// others'. The limits that owners set themselves are in 403-key-limits.test.ts.
import { afterAll, afterEach, expect, test } from "bun:test";
import { mintApiKey } from "@turnpike/keys";
import {
  at,
  chatBody,
  expectCleanBooks,
  expectFault,
  openAccount,
  postChat,
  startTestServer,
} from "../harness/index.ts";

const server = await startTestServer({
  environment: {
    TRUSTED_PROXIES: "127.0.0.1",
    CALLS_PER_ACCOUNT_MAX: "3",
    CALLS_PER_KEY_MAX: "2",
  },
});
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

const account = await openAccount(server);
const tooFast = { status: 429, type: "requests", code: "rate_limit_exceeded" };

test("an address gets 401 for sixty invalid keys a minute, then has to wait; a valid key does not", async () => {
  const from = (address: string, key: string | undefined) =>
    fetch(`${server.baseUrl}/models`, {
      headers: { "x-forwarded-for": address, ...(key && { authorization: `Bearer ${key}` }) },
    });
  const wrong = account.key.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  const answers = await Promise.all(
    Array.from({ length: 80 }, (_, n) => from("198.51.100.7", n % 2 === 0 ? wrong : undefined)),
  );
  const statuses = answers.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  // A slow machine regains one a second during this.
  const refused = statuses.filter((status) => status === 401).length;
  expect(refused).toBeGreaterThanOrEqual(60);
  expect(refused).toBeLessThan(75);
  const late = answers.find(({ status }) => status === 429);
  expect(Number(late?.headers.get("retry-after"))).toBeGreaterThan(0);
  const error = late && (await expectFault(late, tooFast));
  expect(at(error, "metadata.limit_source")).toBe("address");
  expect((await from("198.51.100.7", account.key)).status).toBe(200);
  expect((await from("198.51.100.8", wrong)).status).toBe(401);
});

test("with six live instances each refuses ten invalid keys of an address, then it has to wait", async () => {
  const { heartbeat } = server.services;
  const { share } = heartbeat;
  Object.assign(heartbeat, { share: () => ({ instances: 6, rank: 0 }) });
  try {
    const headers = { "x-forwarded-for": "198.51.100.9" };
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => fetch(`${server.baseUrl}/models`, { headers })),
    );
    const refused = answers.filter(({ status }) => status === 401).length;
    // A slow machine regains one in six seconds during this.
    expect(refused).toBeGreaterThanOrEqual(10);
    expect(refused).toBeLessThan(20);
  } finally {
    Object.assign(heartbeat, { share });
  }
});

test("beyond its concurrent calls a key is told to wait, and so is an account over all its keys", async () => {
  const slow = chatBody({ deltas: 2, ending: "stall" }, { stream: true, max_tokens: 10 });
  const leaving = new AbortController();
  // An answer that nothing refers to is garbage-collected, which closes the connection.
  const answers: Response[] = [];
  const open = async (key: string) => {
    const answer = await postChat(server, key, slow, { signal: leaving.signal });
    answers.push(answer);
    return answer;
  };
  const { key: second } = await mintApiKey(server.owner.db, {
    accountId: account.id,
    createdBy: account.personId,
    name: "second",
  });
  for (const key of [account.key, account.key]) expect((await open(key)).status).toBe(200);
  const ofKey = await expectFault(await open(account.key), tooFast);
  expect(ofKey).toMatchObject({ metadata: { limit_source: "key_limit" } });
  expect((await open(second)).status).toBe(200);
  const ofAccount = await expectFault(await open(second), tooFast);
  expect(ofAccount).toMatchObject({ metadata: { limit_source: "account_limit" } });
  const { key: neighbor } = await openAccount(server);
  const body = chatBody({ deltas: 1 });
  expect((await postChat(server, neighbor, body)).status).toBe(200);
  expect(answers).toHaveLength(5);
  leaving.abort();
});
