// The output limit follows the money: a small account's concurrent calls share it by halves, and
// whatever the money allows is exactly what the upstream gets and the answer's header says.
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { UpstreamRequest } from "@turnpike/testing";
import {
  at,
  expectCleanBooks,
  type JsonObject,
  openAccount,
  readMoney,
  scripted,
  startTestServer,
  type TestAccount,
  type TestServer,
} from "../harness/index.ts";
import { askChat, type Received } from "./ask-chat.ts";
import { oddCatalog, oddModel, priceOf, worstCaseOf } from "./odd-prices.ts";
import { awaitRequest, eventually } from "./read-requests.ts";

setDefaultTimeout(180_000);

/** The most that the model of these tests may write, and the smallest limit of a call. */
const modelMax = 4_096;
const leastTokens = 256;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ catalog: oddCatalog });
});
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

/** The limit the upstream got; undefined without one. */
function sentLimit(sent: UpstreamRequest): unknown {
  return at(sent.parsed, "max_tokens") ?? at(sent.parsed, "max_completion_tokens");
}

function headerLimit({ headers }: Received): number | undefined {
  const text = headers.get("x-turnpike-max-tokens");
  return text === null ? undefined : Number(text);
}

async function call(account: TestAccount, name: string, script: object, fields: JsonObject = {}) {
  const messages = [scripted({ tag: name, ...script })];
  const body = { model: oddModel, messages, stream: true, ...fields };
  const received = await askChat(server, { key: account.key, name, body });
  const row = await awaitRequest(server, name);
  const sent = server.upstream.requests.find(({ tag }) => tag === name);
  if (sent === undefined) throw new Error(`${name} did not reach the upstream`);
  return { received, row, sent };
}

/** A call that stays open after its first token; `hangUp` disconnects. */
function openCall(account: TestAccount, name: string) {
  const controller = new AbortController();
  const messages = [scripted({ tag: name, deltas: 5, stallAfterDeltas: 1 })];
  const begun = Promise.withResolvers<void>();
  const asked = askChat(server, {
    key: account.key,
    name,
    body: { model: oddModel, messages, stream: true },
    signal: controller.signal,
    onText: () => begun.resolve(),
  });
  const decided = Promise.race([begun.promise, asked]);
  return { name, asked, decided, hangUp: () => controller.abort() };
}

test("calls without max_tokens each take half of what is left, one after the other", async () => {
  const account = await openAccount(server, { usd: "0.01" });
  const calls: ReturnType<typeof openCall>[] = [];
  const limits: number[] = [];
  for (let number = 1; number < 20; number += 1) {
    const before = await readMoney(server, account.id);
    const available = before.balanceNanos - before.heldNanos;
    const next = openCall(account, `half ${number}`);
    calls.push(next);
    await next.decided;
    const sent = server.upstream.requests.find(({ tag }) => tag === next.name);
    if (sent === undefined) break;
    const { heldNanos } = await readMoney(server, account.id);
    const held = heldNanos - before.heldNanos;
    const limit = Number(sentLimit(sent));
    limits.push(limit);
    expect(limit).toBeGreaterThanOrEqual(leastTokens);
    // Half of it, or, near the end, the smallest limit of a call.
    expect(held).toBeLessThanOrEqual(available);
    if (held !== available / 2n) expect(limit).toBe(leastTokens);
  }
  expect(limits.length).toBeGreaterThan(3);
  expect(limits.toSorted((a, b) => b - a)).toEqual(limits);
  for (const open of calls) open.hangUp();
  const received = await Promise.all(calls.map(({ asked }) => asked));
  const refused = received.at(-1);
  expect(refused?.status).toBe(402);
  expect(at(refused?.error, "metadata.reason")).toBe("in_flight_hold");
  expect(received.slice(0, -1).map(headerLimit)).toEqual(limits);
});

test("simultaneous calls of a small account share it, and none gets too little", async () => {
  const account = await openAccount(server, { usd: "0.01" });
  const calls = Array.from({ length: 12 }, (_, number) => openCall(account, `at once ${number}`));
  await Promise.all(calls.map(({ decided }) => decided));
  const { balanceNanos, heldNanos } = await readMoney(server, account.id);
  expect(heldNanos).toBeLessThanOrEqual(balanceNanos);
  const told = server.upstream.requests
    .filter(({ tag }) => tag?.startsWith("at once"))
    .map((sent) => Number(sentLimit(sent)));
  expect(told.length).toBeGreaterThan(2);
  expect(Math.min(...told)).toBeGreaterThanOrEqual(leastTokens);
  for (const open of calls) open.hangUp();
  const received = await Promise.all(calls.map(({ asked }) => asked));
  expect(received.filter(({ status }) => status === 402)).toHaveLength(12 - told.length);
});

test.each([
  { asked: "no max_tokens", fields: {} },
  { asked: "max_tokens beyond its money", fields: { max_tokens: 4_000 } },
  { asked: "max_completion_tokens beyond its money", fields: { max_completion_tokens: 4_000 } },
])("a call with $asked is cut at the limit its money allows", async ({ asked, fields }) => {
  const account = await openAccount(server, { usd: "0.003" });
  const { received, row, sent } = await call(account, `cut: ${asked}`, { endless: true }, fields);
  const limit = headerLimit(received);
  expect(limit).toBeGreaterThanOrEqual(leastTokens);
  expect(sentLimit(sent)).toBe(limit);
  expect(received).toMatchObject({ complete: true, tokens: Number(limit) });
  expect(row).toMatchObject({ maxTokens: Number(limit), completionTokens: Number(limit) });
  const { promptTokens: prompt, completionTokens: completion } = row;
  expect(row.chargedNanos).toBe(priceOf({ prompt, completion }));
  // What was held pays for the whole limit and not for two tokens more.
  expect(row.heldNanos).toBeGreaterThan(row.chargedNanos);
  expect(row.shortfallNanos).toBe(0n);
});

test("with enough money the caller's own limit is unchanged, and held in full", async () => {
  const account = await openAccount(server);
  const fields = { max_tokens: 300 };
  const { received, row, sent } = await call(account, "own limit", { endless: true }, fields);
  expect(headerLimit(received)).toBeUndefined();
  expect(sentLimit(sent)).toBe(300);
  expect(row).toMatchObject({ maxTokens: null, completionTokens: 300 });
  const spare = row.heldNanos - worstCaseOf(0, 300);
  expect(spare).toBeGreaterThan(0n);
});

test("with enough money and no limit of its own, a call holds the model's maximum", async () => {
  const account = await openAccount(server);
  const { received, row, sent } = await call(account, "no limit", { deltas: 3 });
  expect(headerLimit(received)).toBeUndefined();
  expect(sentLimit(sent)).toBeUndefined();
  expect(row.heldNanos).toBeGreaterThan(worstCaseOf(0, modelMax));
});

test("with less than 256 tokens' worth a call is refused, and the error says what it needs and has", async () => {
  const account = await openAccount(server, { usd: "0.0005" });
  const name = "too little";
  const body = { model: oddModel, messages: [scripted({ tag: name })] };
  const received = await askChat(server, { key: account.key, name, body });
  expect(received.status).toBe(402);
  const metadata = at(received.error, "metadata");
  expect(at(metadata, "available_usd")).toBe("0.0005");
  expect(Number(at(metadata, "needed_usd"))).toBeGreaterThan(0.0005);
  expect(at(metadata, "reason")).toBe("balance_too_low");
  const row = await eventually("the refusal's row", () => awaitRequest(server, name));
  expect(row).toMatchObject({ state: "refused", status: 402, chargedNanos: 0n, heldNanos: 0n });
});
