// Authentication: without a known, valid and active key every call is refused, and the refusal never
// repeats what was presented.
import { afterAll, afterEach, expect, test } from "bun:test";
import { mintApiKey, noLimits, revokeApiKey, suspendAccount } from "@turnpike/keys";
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

const account = await openAccount(server);
const body = chatBody({ deltas: 1 });
const post = (headers: Record<string, string>) => postChat(server, undefined, body, { headers });
const noKey = { status: 401, code: null };
const wrongKey = { status: 401, code: "invalid_api_key" };

test.each<[string, Record<string, string>]>([
  ["no header", {}],
  ["an empty bearer", { authorization: "Bearer " }],
  ["another scheme", { authorization: `Basic ${btoa("user:pass")}` }],
])("%s: no key was given", async (_, headers) => {
  const response = await post(headers);
  await expectFault(response, noKey);
  expect(response.headers.get("www-authenticate")).toBe("Bearer");
  expect(response.headers.get("x-should-retry")).toBe("false");
});

const unknownKey = account.key.replace(/.$/, (last) => (last === "0" ? "1" : "0"));

test.each<[string, string]>([
  ["an OpenAI key", "sk-proj-abcdefghijklmnopqrstuvwxyz"],
  ["a key with one character changed", unknownKey],
  ["a truncated key", account.key.slice(0, -1)],
  ["10,000 characters", "x".repeat(10_000)],
])("%s is not one of our keys, and is not repeated", async (_, key) => {
  const response = await postChat(server, key, body);
  const error = await expectFault(response, wrongKey);
  expect(JSON.stringify(error)).not.toContain(key.slice(0, 30));
});

test("a revoked key is refused", async () => {
  const { key, keyId } = await openAccount(server);
  expect((await postChat(server, key, body)).status).toBe(200);
  await revokeApiKey(server.owner.db, keyId);
  await expect(waitFor401(key)).resolves.toBe(401);
  await expectFault(await postChat(server, key, body), wrongKey);
});

/** Revocation may take a second, and longer on a busy machine. */
async function waitFor401(key: string): Promise<number> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const { status } = await getPath(server, key, "/models");
    if (status === 401 || performance.now() > deadline) return status;
    await Bun.sleep(5);
  }
}

test("an expired key says that it expired", async () => {
  const minted = await mintApiKey(server.owner.db, {
    accountId: account.id,
    createdBy: account.personId,
    name: "old",
    limits: { ...noLimits, expiresAt: new Date(Date.now() - 1_000) },
  });
  await expectFault(await postChat(server, minted.key, body), { status: 401, code: "key_expired" });
});

test("a suspended account is refused by 403", async () => {
  const suspended = await openAccount(server);
  await suspendAccount(server.owner.db, suspended.id);
  await expectFault(await postChat(server, suspended.key, body), {
    status: 403,
    type: "permission_error",
    code: "account_suspended",
  });
});

test("a key that may not use a model gets 403", async () => {
  const limits = { ...noLimits, allowedModels: [testModels.vision] };
  const { key } = await openAccount(server, { limits });
  const response = await postChat(server, key, body);
  const expected = { status: 403, type: "permission_error", code: "permission_denied" };
  expect((await expectFault(response, expected)).message).toContain(testModels.cheap);
  expect((await postChat(server, key, { ...body, model: testModels.vision })).status).toBe(200);
});

test.each<[string, (key: string) => Record<string, string>]>([
  ["authorization in any case", (key) => ({ authorization: `bEARER ${key}` })],
  ["x-api-key, as Anthropic's SDK sends it", (key) => ({ "x-api-key": key })],
  ["api-key, as Azure's client sends it", (key) => ({ "api-key": key })],
  ["both, as Continue sends them", (key) => ({ authorization: `Bearer ${key}`, "x-api-key": key })],
])("%s is accepted", async (_, headers) => {
  const response = await post(headers(account.key));
  expect(response.status).toBe(200);
  await response.text();
});

test.each(["/models", "/models/test/cheap", "/credits", "/key", "/generation?id=gen-1"])(
  "GET %s needs a key as well",
  async (path) => {
    await expectFault(await getPath(server, undefined, path), noKey);
    await expectFault(await getPath(server, unknownKey, path), wrongKey);
  },
);

test("the key is checked before the body is read, so an unknown caller's mistakes are not explained", async () => {
  await expectFault(await postChat(server, undefined, "{broken"), noKey);
});
