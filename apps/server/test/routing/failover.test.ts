// A provider's failure is not its client's problem: another route answers, before the client's first byte,
// with at most two further attempts, each recorded; the client pays for the answer it received, at its
// price.
import { expect, test } from "bun:test";
import type { Script } from "@turnpike/testing";
import {
  asObject,
  at,
  contentOf,
  expectCleanBooks,
  expectFault,
  openAccount,
  readEvents,
  readMoney,
  usdNumber,
  watchRedirects,
} from "../harness/index.ts";
import {
  askRouted,
  countRequests,
  readGeneration,
  routed,
  scriptAll,
  startRoutedServer,
  useRoutedServer,
} from "./start-routed-server.ts";

const { server, account } = await useRoutedServer({ times: { retryJitterMs: 5 } });

const location = watchRedirects();

/** The bill at `times` the price of the model. */
function bill(usage: unknown, times: bigint): bigint {
  const { prompt_tokens: prompt, completion_tokens: completion } = asObject(usage);
  return times * (BigInt(Number(prompt)) * 100n + BigInt(Number(completion)) * 400n);
}

async function called(ask: () => Promise<unknown>) {
  const before = countRequests(server);
  await ask();
  const after = countRequests(server);
  return { a: after.a - before.a, b: after.b - before.b, c: after.c - before.c };
}

/** Each attempt, failed ones too, says when it began and how long it was waited for. */
function expectInOrder(generation: unknown): void {
  let endedMs = 0;
  for (let index = 0; index < 3; index += 1) {
    const startedMs = Number(at(generation, `attempts.${index}.started_ms`));
    expect(startedMs).toBeGreaterThanOrEqual(endedMs);
    endedMs = startedMs + Number(at(generation, `attempts.${index}.waited_ms`));
    expect(endedMs).toBeGreaterThan(startedMs);
  }
  expect(Number(at(generation, "latency"))).toBeGreaterThanOrEqual(endedMs);
}

const noCredit = "Your credit balance is too low to access the API.";

const failures: readonly (readonly [string, Script])[] = [
  ["FU17: a 500", { status: 500 }],
  ["FU17: a 502", { status: 502, body: "<html>down</html>" }],
  ["FU17: a 503", { status: 503, error: "Loading." }],
  ["FU17: a 529", { status: 529 }],
  ["FU14: a 429 with a long wait", { status: 429, headers: { "retry-after": "30" } }],
  [
    "FU14: a 429 with a short wait, with another route available",
    { status: 429, headers: { "retry-after": "1" } },
  ],
  ["FU15: a 401", { status: 401 }],
  ["FU15: a 403", { status: 403 }],
  ["a 400 about the operator's balance", { status: 400, error: noCredit }],
  ["a 429 about the operator's quota", { status: 429, error: { code: "insufficient_quota" } }],
  ["the same inside a 200", { error: { message: noCredit, type: "invalid_request_error" } }],
  ["a 404 about the operator's model", { status: 404, error: { code: "model_not_found" } }],
  ["a 404 that says nothing of the request", { status: 404, body: "404 page not found" }],
  ["FU18: an error inside a 200", { error: "Inside." }],
  ["FU22: a redirect by GET", { status: 302, headers: { location } }],
  ["FU22: a redirect of the whole request", { status: 307, headers: { location } }],
  ["FU8: a reset before the first token", { resetAfterDeltas: 0 }],
  ["FU11: too many headers", { garbage: "headers" }],
  ["FU13: a compressed answer", { garbage: "gzip" }],
  ["a head cut off", { cutInHead: 20 }],
];

const failuresOfBodies: typeof failures = [
  ["FU10: a bad chunk size", { garbage: "chunk-size", keepAlive: true }],
  ["FU18: an answer that is not JSON", { garbage: "json" }],
];

for (const stream of [false, true]) {
  test.each(stream ? failures : [...failures, ...failuresOfBodies])(
    `stream ${stream}: %s goes to the next route, at its price`,
    async (_, script) => {
      scriptAll(server, { a: script });
      const before = await readMoney(server, account.id);
      let response: Response | undefined;
      const counts = await called(async () => {
        response = await askRouted(server, account, {
          stream,
          ...(stream && { stream_options: { include_usage: true } }),
        });
        expect(response.status).toBe(200);
      });
      if (response === undefined) throw new Error("not asked");
      const usage = stream
        ? at((await readEvents(response)).events.at(-1), "usage")
        : at(await response.json(), "usage");
      expect(counts.b).toBe(1);
      expect(counts.c).toBe(0);
      const after = await readMoney(server, account.id);
      const costNanos = bill(usage, 2n);
      expect(before.balanceNanos - after.balanceNanos).toBe(costNanos);
      expect(at(usage, "cost")).toBe(usdNumber(costNanos));
      const generation = await readGeneration(server, account, response);
      expect(generation).toMatchObject({ provider_name: "b", total_cost: usdNumber(costNanos) });
      const providers = at(generation, "provider_responses");
      const tried = Array.isArray(providers)
        ? providers.map((one) => at(one, "provider_name"))
        : [];
      expect(tried.at(0)).toBe("a");
      expect(tried.at(-1)).toBe("b");
      expect(tried).toHaveLength(counts.a + 1);
    },
  );

  test(`stream ${stream}: at most two further attempts, and the last one is returned`, async () => {
    scriptAll(server, { a: { status: 500 }, b: { status: 502 }, c: { status: 500 } });
    const before = await readMoney(server, account.id);
    const counts = await called(async () => {
      const response = await askRouted(server, account, { stream });
      const error = await expectFault(response, {
        status: 502,
        type: "upstream_error",
        code: "bad_gateway",
      });
      expect(response.headers.get("x-should-retry")).toBe("false");
      expect(at(error, "metadata.previous_errors")).toEqual([
        { provider: "a", code: "bad_gateway", status: 500 },
        { provider: "b", code: "bad_gateway", status: 502 },
      ]);
      const generation = await readGeneration(server, account, response);
      expect(generation).toMatchObject({
        total_cost: 0,
        attempts: [{ provider: "a" }, { provider: "b" }, { provider: "c", error: "bad_gateway" }],
      });
      expectInOrder(generation);
    });
    expect(counts).toEqual({ a: 1, b: 1, c: 1 });
    expect(await readMoney(server, account.id)).toEqual(before);
  });

  test.each([
    [429, "requests", "rate_limit_exceeded", 429],
    [503, "server_error", "overloaded", 503],
    [529, "server_error", "overloaded", 503],
  ])(
    `stream ${stream}: a %i of the last route keeps its meaning and its wait`,
    async (status, type, code, shown) => {
      const busy = { status, headers: { "retry-after": "17" } };
      scriptAll(server, { a: { status: 500 }, b: { status: 500 }, c: busy });
      const response = await askRouted(server, account, { stream });
      await expectFault(response, { status: shown, type, code });
      expect(response.headers.get("retry-after")).toBe("17");
      expect(response.headers.get("x-should-retry")).toBe("true");
    },
  );

  test.each([400, 404, 422])(
    `FU16: stream ${stream}: a %i is due to the request and is not retried`,
    async (status) => {
      scriptAll(server, { a: { status, error: { message: "Not like this." } } });
      const counts = await called(async () => {
        const response = await askRouted(server, account, { stream });
        await expectFault(response, { status, code: "upstream_rejected" });
      });
      expect(counts).toEqual({ a: 1, b: 0, c: 0 });
    },
  );
}

test("the hold covers the most expensive route, whichever answers", async () => {
  const response = await askRouted(server, account, { max_tokens: 10 });
  await response.text();
  const { held_usd: held } = await readGeneration(server, account, response);
  // Ten tokens at 1,200 are more than everything at the price of the first route.
  expect(Number(held)).toBeGreaterThanOrEqual(0.000012);
});

test("a stream that broke after its first token is not retried, and is charged as delivered", async () => {
  const tag = "broken after its first token";
  scriptAll(server, { a: { deltas: 3, cutAfterDeltas: 3, gate: true, tag } });
  const counts = await called(async () => {
    const response = await askRouted(server, account, { stream: true });
    // Its head was sent with the first token.
    server.upstreams.a.open(tag);
    const stream = await readEvents(response);
    const tokens = contentOf(stream).split(" tok").length - 1;
    expect(tokens).toBeGreaterThan(0);
    expect(stream.done).toBe(false);
    expect(at(stream.events.at(-1), "error.code")).toBe("bad_gateway");
    expect(await readGeneration(server, account, response)).toMatchObject({
      provider_name: "a",
      native_tokens_completion: tokens,
    });
  });
  expect(counts).toEqual({ a: 1, b: 0, c: 0 });
});

test("FU14: with one route, a 429 that asks for a short wait is retried after that wait", async () => {
  const waitMs = 200;
  const askedAtMs: number[] = [];
  server.upstreams.a.script(() => {
    askedAtMs.push(performance.now());
    const busy = { status: 429, headers: { "retry-after-ms": String(waitMs) } };
    return askedAtMs.length === 1 ? busy : { deltas: 2 };
  });
  const response = await askRouted(server, account, { model: routed.a });
  expect(response.status).toBe(200);
  await response.text();
  const [first = 0, second = 0, ...others] = askedAtMs;
  expect(others).toEqual([]);
  expect(second - first).toBeGreaterThan(waitMs - 10);
  expect(await readGeneration(server, account, response)).toMatchObject({
    attempts: [
      { provider: "a", status: 429 },
      { provider: "a", status: 200 },
    ],
  });
});

test.each(["6", "3600", "-1", "soon", "Wed, 21 Oct 2015 07:28:00 GMT", undefined])(
  "FU14: with one route, there is no wait for retry-after %p",
  async (wait) => {
    const headers = wait === undefined ? {} : { "retry-after": wait };
    scriptAll(server, { a: { status: 429, headers } });
    const counts = await called(async () => {
      const response = await askRouted(server, account, { model: routed.a });
      await expectFault(response, { status: 429, type: "requests", code: "rate_limit_exceeded" });
      const seconds = Number(response.headers.get("retry-after"));
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(60);
    });
    expect(counts.a).toBe(1);
  },
);

test("with one route, a failure is returned immediately and a client may retry", async () => {
  scriptAll(server, { a: { status: 500 } });
  const counts = await called(async () => {
    const response = await askRouted(server, account, { model: routed.a });
    await expectFault(response, { status: 502, type: "upstream_error", code: "bad_gateway" });
    expect(response.headers.get("x-should-retry")).toBeNull();
  });
  expect(counts).toEqual({ a: 1, b: 0, c: 0 });
});

test("a client that disconnects between two attempts gets no second one, and pays nothing", async () => {
  const slow = await startRoutedServer({ times: { retryJitterMs: 60_000 } });
  try {
    const payer = await openAccount(slow);
    const before = await readMoney(slow, payer.id);
    scriptAll(slow, { a: { status: 500 } });
    const leaving = new AbortController();
    const asked = askRouted(slow, payer, {}, leaving.signal).catch(() => undefined);
    const first = await slow.upstreams.a.waitFor(() => true);
    await first.ended;
    leaving.abort();
    await asked;
    await expectCleanBooks(slow);
    expect(countRequests(slow)).toMatchObject({ a: 1, b: 0, c: 0 });
    expect(await readMoney(slow, payer.id)).toEqual(before);
  } finally {
    await slow.close();
  }
});
