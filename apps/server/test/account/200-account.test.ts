// What a key may read of its account, itself and its calls: OpenRouter's shapes, amounts exact to
// the nano-dollar, readable as soon as the answer ended, and only for its own account.
import { afterAll, afterEach, expect, test } from "bun:test";
import { formatUsd, toNanos } from "@turnpike/terms";
import {
  asObject,
  at,
  billCheap,
  chatBody,
  expectCallHeaders,
  expectCleanBooks,
  expectFault,
  findSchemaProblems,
  getPath,
  openAccount,
  postChat,
  readEvents,
  readJson,
  startTestServer,
  type TestAccount,
  testModels,
  usdNumber,
} from "../harness/index.ts";
import { nanosOf } from "../money/odd-prices.ts";
import { eventually } from "../money/read-requests.ts";

const server = await startTestServer();
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

async function read(account: TestAccount, path: string, schema: "credits" | "key" | "generation") {
  const response = await getPath(server, account.key, path);
  expect(response.status).toBe(200);
  expectCallHeaders(response.headers);
  const body = await readJson(response);
  expect(findSchemaProblems(schema, body)).toEqual([]);
  return asObject(body.data);
}

async function complete(account: TestAccount, script: Parameters<typeof chatBody>[0], fields = {}) {
  const response = await postChat(server, account.key, chatBody(script, fields));
  expect(response.status).toBe(200);
  const body = await readJson(response);
  return { headers: response.headers, body, costNanos: billCheap(body.usage) };
}

test("/auth/key is /key under its earlier name", async () => {
  const account = await openAccount(server);
  expect(await read(account, "/auth/key", "key")).toEqual(await read(account, "/key", "key"));
});

test("credits show what was added, spent, and is left", async () => {
  const account = await openAccount(server, { usd: "2.5" });
  expect(await read(account, "/credits", "credits")).toEqual({
    total_credits: 2.5,
    total_usage: 0,
    held_usd: "0",
    available_usd: "2.5",
  });
  const { costNanos } = await complete(account, { deltas: 7 });
  const credits = await read(account, "/credits", "credits");
  expect(credits.total_credits).toBe(2.5);
  expect(credits.total_usage).toBe(usdNumber(costNanos));
  // What is reserved for the next calls is shown as held, and is released if none follow.
  const left = 2_500_000_000n - costNanos;
  expect(nanosOf(credits.available_usd) + nanosOf(credits.held_usd)).toBe(left);
  await eventually("the reserve to come back", async () => {
    const { available_usd: available } = await read(account, "/credits", "credits");
    return nanosOf(available) === left;
  });
});

test("money held by a running call is shown as held, and is released", async () => {
  const account = await openAccount(server);
  const fields = { max_tokens: 100, stream: true };
  const body = chatBody({ tag: "held", headGate: true }, fields);
  const controller = new AbortController();
  const running = postChat(server, account.key, body, { signal: controller.signal });
  await server.upstream.waitFor(({ tag }) => tag === "held");
  const credits = await read(account, "/credits", "credits");
  expect(Number(credits.held_usd)).toBeGreaterThanOrEqual(100 * 400e-9);
  expect(Number(credits.available_usd)).toBeCloseTo(10 - Number(credits.held_usd), 9);
  controller.abort();
  await running.catch(() => undefined);
  server.upstream.open("held");
});

test("with an open lease the account, the key and the generation agree, to the nano-dollar", async () => {
  const limits = { spendLimitNanos: { day: toNanos(1_000_000_000n) } };
  const account = await openAccount(server, { limits });
  const calls = [
    await complete(account, { deltas: 7 }),
    await complete(account, { deltas: 1_001, cachedTokens: 3 }),
  ];
  const spentNanos = calls.reduce((sum, { costNanos }) => sum + costNanos, 0n);
  // Nothing is posted yet: the two calls are in a lease that is still open.
  const leases = await server.owner.sql<{ spent: string; calls: number; open: boolean }[]>`
    select sum(spent_nanos)::text as spent, sum(calls)::int as calls,
           bool_or(closed_at is null) as open
      from leases where account_id = ${account.id}`;
  expect([...leases]).toEqual([{ spent: String(spentNanos), calls: 2, open: true }]);
  await server.services.ledger.recall(account.id);
  expect(await read(account, "/credits", "credits")).toEqual({
    total_credits: 10,
    total_usage: usdNumber(spentNanos),
    held_usd: "0",
    available_usd: formatUsd(toNanos(10_000_000_000n - spentNanos)),
  });
  expect(await read(account, "/key", "key")).toMatchObject({
    limit_remaining: usdNumber(1_000_000_000n - spentNanos),
    limits: [{ remaining_usd: formatUsd(toNanos(1_000_000_000n - spentNanos)) }],
    usage: usdNumber(spentNanos),
    usage_daily: usdNumber(spentNanos),
    usage_weekly: usdNumber(spentNanos),
    usage_monthly: usdNumber(spentNanos),
  });
  const costs = await Promise.all(
    calls.map(({ body }) => read(account, `/generation?id=${String(body.id)}`, "generation")),
  );
  expect(costs.map((generation) => generation.total_cost)).toEqual(
    calls.map(({ costNanos }) => usdNumber(costNanos)),
  );
});

test("a running call has no record yet and has cost nothing", async () => {
  const account = await openAccount(server);
  const controller = new AbortController();
  const body = chatBody({ tag: "running", headGate: true }, { stream: true, max_tokens: 100 });
  const running = postChat(server, account.key, body, { signal: controller.signal });
  await server.upstream.waitFor(({ tag }) => tag === "running");
  expect(await read(account, "/credits", "credits")).toMatchObject({ total_usage: 0 });
  expect(await read(account, "/key", "key")).toMatchObject({ usage: 0, usage_daily: 0 });
  const rows = await server.owner.sql`select 1 from requests where account_id = ${account.id}`;
  expect(rows).toHaveLength(0);
  controller.abort();
  await running.catch(() => undefined);
  server.upstream.open("running");
});

test("a key shows its mask, its limits and what it spent, never itself", async () => {
  const spendLimitNanos = { day: toNanos(1_000_000_000n), total: toNanos(5_000_000_000n) };
  const limits = { spendLimitNanos, requestsPerMinute: 60 };
  const account = await openAccount(server, { limits });
  const { costNanos } = await complete(account, { deltas: 7 });
  const key = await read(account, "/key", "key");
  expect(key).toMatchObject({
    name: "Test",
    limit: 1,
    limit_reset: "daily",
    limit_remaining: usdNumber(1_000_000_000n - costNanos),
    usage: usdNumber(costNanos),
    usage_daily: usdNumber(costNanos),
    usage_monthly: usdNumber(costNanos),
    rate_limit: { requests: 60 },
  });
  expect(String(key.label)).toMatch(/^sk-tp-/);
  expect(JSON.stringify(key)).not.toContain(account.key);
});

test("a generation is readable by either id as soon as its answer ends", async () => {
  const account = await openAccount(server);
  const { headers, body, costNanos } = await complete(account, { deltas: 7, cachedTokens: 2 });
  const byChatId = await read(account, `/generation?id=${String(body.id)}`, "generation");
  const generationId = headers.get("x-generation-id");
  expect(await read(account, `/generation?id=${generationId}`, "generation")).toEqual(byChatId);
  expect(byChatId).toMatchObject({
    id: generationId,
    chat_id: body.id,
    request_id: headers.get("x-request-id"),
    model: testModels.cheap,
    provider_name: "scripted",
    streamed: false,
    cancelled: false,
    state: "settled",
    outcome: "completed",
    finish_reason: "stop",
    usage_source: "upstream",
    total_cost: usdNumber(costNanos),
    tokens_prompt: at(body, "usage.prompt_tokens"),
    tokens_completion: 7,
    native_tokens_cached: 2,
    upstream_id: server.upstream.requests.at(-1)?.id,
    attempts: [{ provider: "scripted", model: "upstream-cheap", status: 200, error: null }],
  });
  expect(String(byChatId.price_version)).toMatch(/^[0-9a-f-]{36}$/);
  for (const time of ["latency", "generation_time", "first_byte_ms", "overhead_ms"]) {
    expect(Number(byChatId[time])).toBeGreaterThanOrEqual(0);
  }
});

test("a stream's generation exists when [DONE] arrives", async () => {
  const account = await openAccount(server);
  const fields = { stream: true, stream_options: { include_usage: true } };
  const response = await postChat(server, account.key, chatBody({ deltas: 4 }, fields));
  const { events } = await readEvents(response);
  const id = response.headers.get("x-generation-id");
  const generation = await read(account, `/generation?id=${id}`, "generation");
  const costNanos = billCheap(asObject(events.at(-1)?.usage));
  expect(generation).toMatchObject({
    streamed: true,
    total_cost: usdNumber(costNanos),
    upstream_id: server.upstream.requests.at(-1)?.id,
  });
});

test("a failed call is recorded with its attempts and no cost", async () => {
  const account = await openAccount(server);
  const response = await postChat(server, account.key, chatBody({ status: 500 }));
  await response.text();
  const id = response.headers.get("x-generation-id");
  expect(await read(account, `/generation?id=${id}`, "generation")).toMatchObject({
    state: "released",
    total_cost: 0,
    error_code: "bad_gateway",
    attempts: [{ provider: "scripted", status: 500, error: "bad_gateway" }],
  });
});

test("a call refused after its key was known is recorded as well", async () => {
  const account = await openAccount(server);
  const response = await postChat(server, account.key, chatBody({}, { model: "test/none" }));
  await response.text();
  const id = response.headers.get("x-generation-id");
  await waitForGeneration(account, id);
  expect(await read(account, `/generation?id=${id}`, "generation")).toMatchObject({
    state: "refused",
    error_code: "model_not_found",
    total_cost: 0,
  });
});

/** Refusals are written in the background. */
async function waitForGeneration(account: TestAccount, id: string | null): Promise<void> {
  while ((await getPath(server, account.key, `/generation?id=${id}`)).status === 404) {
    await Bun.sleep(20);
  }
}

test("generations of another account do not exist", async () => {
  const [owner, other] = [await openAccount(server), await openAccount(server)];
  const { body } = await complete(owner, { deltas: 1 });
  const notFound = { status: 404, code: "generation_not_found", param: "id" };
  for (const id of [body.id, "gen-0", "nonsense", `gen-${"0".repeat(32)}`, "'; drop table x"]) {
    const path = `/generation?id=${encodeURIComponent(String(id))}`;
    await expectFault(await getPath(server, other.key, path), notFound);
  }
});

test("an id is required", async () => {
  const account = await openAccount(server);
  const missing = { status: 400, code: "missing_required_parameter", param: "id" };
  for (const path of ["/generation", "/generation?id="]) {
    await expectFault(await getPath(server, account.key, path), missing);
  }
});
