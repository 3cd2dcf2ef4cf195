// Authentication: how a key is sent, and what is said of one that is not known, without repeating it. That every
// route refuses keys that are unknown, revoked or expired is in errors/401-403-405-every-route.test.ts.
import { afterAll, afterEach, expect, test } from "bun:test";
import {
  chatBody,
  expectCleanBooks,
  expectFault,
  openAccount,
  postChat,
  startTestServer,
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
