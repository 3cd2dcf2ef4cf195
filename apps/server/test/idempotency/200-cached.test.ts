// The response cache: opt-in per request, exact, per key, free, shared by the instances, and short-lived.
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { parseGenerationId } from "@turnpike/base";
import { noLimits } from "@turnpike/keys";
import { queryLogs } from "@turnpike/reports";
import {
  at,
  chatBody,
  expectCleanBooks,
  expectFault,
  getPath,
  type JsonObject,
  openAccount,
  readJson,
  readMoney,
  startTestServer,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";

const server = await startTestServer();
const twin = await startTestServer({ site: server });
const account = await openAccount(server);
const other = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(async () => {
  await twin.close();
  await server.close();
});

type Sent = {
  readonly on?: { readonly baseUrl: string };
  readonly secret?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

const on = { "x-openrouter-cache": "true" };

function send(
  body: JsonObject,
  { on: place = server, secret = account.key, headers = on }: Sent = {},
) {
  return fetch(`${place.baseUrl}/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${secret}`,
      "content-type": "application/json",
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

let bodies = 0;
const newBody = (fields: JsonObject = {}) => {
  bodies += 1;
  return chatBody({ deltas: 4 }, { user: `u${bodies}`, ...fields });
};
const statusOf = ({ headers }: Response) => headers.get("x-openrouter-cache-status");
async function countKept(): Promise<number> {
  const [row] = await server.owner.sql`select count(*)::int as kept from stored_answers`;
  return Number(row?.kept);
}
/** The content of an answer without its id, time and usage. */
const said = (text: string) =>
  text.replaceAll(/chatcmpl-[0-9a-f]{32}|"created":\d+|"usage":\{.*\}/g, "");
const asked = () => server.upstream.requests.length;
const balance = async () => (await readMoney(server, account.id)).balanceNanos;

describe.each([
  ["a whole answer", {}],
  ["a stream", { stream: true, stream_options: { include_usage: true } }],
])("%s", (_, fields) => {
  test("is returned again, free, from either instance, with its age and its source", async () => {
    const body = newBody(fields);
    const keptBefore = await countKept();
    const first = await send(body);
    expect(statusOf(first)).toBe("MISS");
    expect(first.headers.get("x-openrouter-cache-ttl")).toBe("300");
    const text = said(await first.text());
    expect(text).toContain("tok");
    // A stream is kept after its last byte.
    await eventually("the answer to be kept", async () => (await countKept()) === keptBefore + 1);
    const before = { asked: asked(), balance: await balance() };
    for (const place of [server, twin]) {
      const again = await send(body, { on: place });
      expect(statusOf(again)).toBe("HIT");
      expect(Number(again.headers.get("x-openrouter-cache-age"))).toBeGreaterThanOrEqual(0);
      expect(again.headers.get("x-openrouter-cache-ttl")).toBe("300");
      const source = again.headers.get("x-openrouter-cache-source-id");
      expect(source).toBe(first.headers.get("x-generation-id"));
      expect(again.headers.get("content-type")).toBe(first.headers.get("content-type"));
      expect(said(await again.text())).toBe(text);
    }
    expect({ asked: asked(), balance: await balance() }).toEqual(before);
  });
});

describe.each([
  ["a whole answer", {}],
  ["a stream", { stream: true }],
])("a hit of %s", (_, fields) => {
  test("is in Logs and in /v1/generation: free, complete, and with the call that was charged", async () => {
    const body = newBody(fields);
    const keptBefore = await countKept();
    const first = await send(body);
    await first.text();
    await eventually("the answer to be kept", async () => (await countKept()) === keptBefore + 1);
    const source = first.headers.get("x-generation-id");
    const hit = await send(body);
    expect(statusOf(hit)).toBe("HIT");
    const id = hit.headers.get("x-generation-id") ?? "";
    expect(id).not.toBe(source);
    const generation = await eventually("the row of the hit", async () => {
      const answer = await getPath(server, account.key, `/generation?id=${id}`);
      return answer.status === 200 && at(await readJson(answer), "data");
    });
    expect(generation).toMatchObject({
      id,
      model: body.model,
      outcome: "completed",
      state: "released",
      streamed: "stream" in fields,
      total_cost: 0,
      native_tokens_prompt: 0,
      usage_source: "none",
      request_id: hit.headers.get("x-request-id"),
      response_cache_source_id: source,
    });
    const { rows } = await queryLogs(server.owner.db, { accountId: account.id, limit: 2 });
    const [shown, charged] = rows;
    expect(shown).toMatchObject({ status: 200, chargedNanos: 0n, cachedFrom: charged?.id });
    expect(charged).toMatchObject({ cachedFrom: null });
    expect(shown?.id).toBe(parseGenerationId(id));
  });
});

test("a hit counts in the request rate of its key and reports what is left of it; beyond that it is refused", async () => {
  const limited = await openAccount(server, { limits: { ...noLimits, requestsPerMinute: 2 } });
  const body = newBody();
  const place = { secret: limited.key };
  expect(statusOf(await send(body, place))).toBe("MISS");
  const hit = await send(body, place);
  expect(statusOf(hit)).toBe("HIT");
  expect(hit.headers.get("x-ratelimit-limit-requests")).toBe("2");
  const refused = await send(body, place);
  await expectFault(refused, { status: 429, type: "requests", code: "rate_limit_exceeded" });
  expect(refused.headers.get("retry-after")).not.toBeNull();
});

test("a hit that was answered does not count as a call that still runs", async () => {
  const limited = await openAccount(server, { limits: { ...noLimits, concurrency: 1 } });
  const body = newBody();
  for (const expected of ["MISS", "HIT", "HIT"]) {
    const answer = await send(body, { secret: limited.key });
    await answer.text();
    expect([answer.status, statusOf(answer)]).toEqual([200, expected]);
  }
});

test("a hit of a model that its key may no longer use is refused", async () => {
  const narrowed = await openAccount(server);
  const body = newBody();
  const place = { secret: narrowed.key };
  expect(statusOf(await send(body, place))).toBe("MISS");
  expect(statusOf(await send(body, place))).toBe("HIT");
  await server.owner.sql`
    insert into guardrails (account_id, kind, subject_id, allowed_models)
    values (${narrowed.id}, 'key', ${narrowed.keyId}, array['test/other'])`;
  await eventually("the key to be read again", async () => {
    const answer = await send(body, place);
    await answer.text();
    return answer.status === 403;
  });
});

test("nothing is kept or looked up unless requested", async () => {
  const body = newBody();
  for (const headers of [{}, { "x-openrouter-cache": "false" }]) {
    const before = asked();
    expect(statusOf(await send(body, { headers }))).toBeNull();
    expect(asked()).toBe(before + 1);
  }
  expect(statusOf(await send(body))).toBe("MISS");
  expect(statusOf(await send(body, { headers: {} }))).toBeNull();
});

test("another key and the smallest difference in the request are misses", async () => {
  const body = newBody();
  await send(body);
  expect(statusOf(await send(body, { secret: other.key }))).toBe("MISS");
  expect(statusOf(await send({ ...body, temperature: 0 }))).toBe("MISS");
  expect(statusOf(await send(body))).toBe("HIT");
});

test("clear calls the upstream again and keeps the new answer", async () => {
  const body = newBody();
  const first = await send(body);
  const cleared = await send(body, { headers: { ...on, "x-openrouter-cache-clear": "true" } });
  expect(statusOf(cleared)).toBe("MISS");
  const source = (await send(body)).headers.get("x-openrouter-cache-source-id");
  expect(source).toBe(cleared.headers.get("x-generation-id"));
  expect(source).not.toBe(first.headers.get("x-generation-id"));
});

test("an answer is kept as long as its caller chose", async () => {
  const body = newBody();
  await send(body, { headers: { ...on, "x-openrouter-cache-ttl": "86400" } });
  const hit = await send(body);
  expect(hit.headers.get("x-openrouter-cache-ttl")).toBe("86400");
  await server.owner.sql`update stored_answers set expires_at = now()`;
  expect(statusOf(await send(body))).toBe("MISS");
});

test("refusals and streams that broke are not kept", async () => {
  for (const script of [{ status: 500 }, { deltas: 5, errorAfterDeltas: 2 }]) {
    const body = chatBody(script, { user: `broken ${asked()}`, stream: true });
    await (await send(body)).text();
    const before = asked();
    expect(statusOf(await send(body))).not.toBe("HIT");
    expect(asked()).toBeGreaterThan(before);
  }
});

test("under an Idempotency-Key a repetition is answered as one, and another key gets the cached answer", async () => {
  const body = newBody();
  const once = { ...on, "idempotency-key": "a" };
  expect(statusOf(await send(body, { headers: once }))).toBe("MISS");
  expect((await send(body, { headers: once })).headers.get("idempotent-replayed")).toBe("true");
  const next = await send(body, { headers: { ...on, "idempotency-key": "b" } });
  expect([statusOf(next), next.headers.get("idempotent-replayed")]).toEqual(["HIT", null]);
});

test("a stream under a key is repeated from its own record, even after the cache was cleared", async () => {
  const body = newBody({ stream: true });
  const headers = { ...on, "x-openrouter-cache-clear": "true", "idempotency-key": "streamed" };
  const first = await (await send(body, { headers })).text();
  const before = asked();
  const again = await send(body, { headers });
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(await again.text()).toBe(first);
  expect(asked()).toBe(before);
});

test("an answer that was cut to a ceiling is not kept, and headers that change an answer make another request", async () => {
  const body = newBody({ max_tokens: 16_000 });
  const cut = { ...on, "x-max-cost": "0.0005" };
  expect(statusOf(await send(body, { headers: cut }))).toBe("MISS");
  expect(statusOf(await send(body, { headers: cut }))).toBe("MISS");
  expect(statusOf(await send(body))).toBe("MISS");
  expect(statusOf(await send(body, { headers: { ...on, "anthropic-beta": "a" } }))).toBe("MISS");
  expect(statusOf(await send(body))).toBe("HIT");
});

test.each([
  ["x-openrouter-cache", { "x-openrouter-cache": "yes" }],
  ["x-openrouter-cache-ttl", { ...on, "x-openrouter-cache-ttl": "0" }],
  ["x-openrouter-cache-ttl", { ...on, "x-openrouter-cache-ttl": "86401" }],
  ["x-openrouter-cache-ttl", { ...on, "x-openrouter-cache-ttl": "1.5" }],
  ["x-openrouter-cache-clear", { ...on, "x-openrouter-cache-clear": "now" }],
])("an invalid value of %s is refused by name", async (param, headers) => {
  const answer = await send(newBody(), { headers });
  await expectFault(answer, { status: 400, code: "invalid_value", param });
});
