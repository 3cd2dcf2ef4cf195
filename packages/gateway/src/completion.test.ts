// Moments of a call's end that no HTTP test can hit: a charge that fails permanently, a client that left
// without a signal, and the times that a row records.
import { expect, spyOn, test } from "bun:test";
import { Fault } from "@turnpike/base";
import type { Charge, Charged } from "@turnpike/ledger";
import { toNanos, zeroNanos } from "@turnpike/terms";
import { createCompletion, startOf } from "./completion.fixture.ts";
import { Completion } from "./completion.ts";
import { RouteHealth } from "./routing/route-health.ts";

test("a charge that fails permanently leaves nothing in flight and nothing held", async () => {
  const lost = new Fault("overloaded", "The books are full.");
  const { completion, metrics } = createCompletion({ charge: () => Promise.reject(lost) });
  metrics.requestStarted();
  metrics.holdPlaced(toNanos(50n));
  expect(await completion.endWithin({ outcome: "completed" })).toBeUndefined();
  const { body } = await metrics.expose();
  expect(body).toContain("turnpike_in_flight 0");
  expect(body).toContain("turnpike_held_nanos 0");
  metrics.close();
});

test("a call whose end fails before it is priced leaves its place to another one", async () => {
  const { gateway, metrics } = createCompletion({
    charge: () => Promise.reject(new Error("nothing is charged here")),
  });
  const used: number[] = [];
  const admission = { headers: {}, end: (tokens: number) => void used.push(tokens) };
  const completion = new Completion(gateway, { ...startOf(gateway), admission });
  spyOn(gateway.log, "warn").mockImplementation(() => {
    throw new Error("out of order");
  });
  const fault = new Fault("bad_gateway", "The provider failed.");
  expect(await completion.endWithin({ outcome: "upstream_failed", fault })).toBeUndefined();
  expect(used).toEqual([0]);
  metrics.close();
});

test("a key's tokens per minute include prompt and output", async () => {
  const done: Charged = { verdict: "settled", chargedNanos: zeroNanos, shortfallNanos: zeroNanos };
  const used: number[] = [];
  const { gateway, metrics } = createCompletion({ charge: () => Promise.resolve(done) });
  const admission = { headers: {}, end: (tokens: number) => void used.push(tokens) };
  const completion = new Completion(gateway, { ...startOf(gateway), admission });
  completion.reported({
    promptTokens: 30,
    completionTokens: 500,
    cachedTokens: 10,
    cacheWriteTokens: 0,
    reasoningTokens: 100,
  });
  await completion.endWithin({ outcome: "completed" });
  expect(used).toEqual([530]);
  metrics.close();
});

test("only usage beyond the context is logged, and billed up to it", () => {
  const { gateway, completion, metrics } = createCompletion({
    charge: () => Promise.reject(new Error("nothing is charged here")),
  });
  const warned = spyOn(gateway.log, "warn").mockImplementation(() => undefined);
  const { contextTokens } = completion.modelRequest.model;
  const rest = { cachedTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0, completionTokens: 1 };
  completion.reportedSoFar({ ...rest, promptTokens: contextTokens });
  expect(warned.mock.calls).toEqual([]);
  completion.reportedSoFar({ ...rest, promptTokens: contextTokens + 1 });
  expect(warned.mock.calls).toHaveLength(1);
  expect(completion.usageSoFar).toMatchObject({ promptTokens: contextTokens });
  metrics.close();
});

test("what an answer costs beyond its hold is counted", async () => {
  const done: Charged = {
    verdict: "settled",
    chargedNanos: toNanos(50n),
    shortfallNanos: toNanos(7n),
  };
  const { completion, metrics } = createCompletion({ charge: () => Promise.resolve(done) });
  await completion.endWithin({ outcome: "completed" });
  const { body } = await metrics.expose();
  expect(body).toContain("turnpike_shortfall_nanos_total 7\n");
  metrics.close();
});

test("that no cached token is audio is kept with the call, because an unknown number costs less", async () => {
  const charges: Charge[] = [];
  const { completion, metrics } = createCompletion({
    charge(charge) {
      charges.push(charge);
      return Promise.reject(new Error("not settled"));
    },
  });
  completion.reported({
    promptTokens: 30,
    completionTokens: 5,
    cachedTokens: 10,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    audioPromptTokens: 20,
    cachedAudioPromptTokens: 0,
  });
  expect(await completion.endWithin({ outcome: "completed" })).toBeUndefined();
  expect(charges[0]?.hold.request.facts.usageDetails).toEqual({
    audioPromptTokens: 20,
    cachedAudioPromptTokens: 0,
  });
  metrics.close();
});

test("a client that left unnoticed before the end is detected", () => {
  const { gateway, metrics } = createCompletion({
    charge: () => Promise.reject(new Error("not settled")),
  });
  const started = startOf(gateway);
  const leaving = new AbortController();
  const call = { ...started.call, signal: leaving.signal };
  const completion = new Completion(gateway, { ...started, call });
  const fault = new Fault("bad_gateway", "The upstream broke off.");
  expect(completion.endingWhole()).toEqual({ outcome: "completed" });
  expect(completion.endingBy(fault)).toEqual({ outcome: "upstream_failed", fault });
  leaving.abort();
  expect(completion.endingWhole()).toEqual({ outcome: "client_closed" });
  expect(completion.endingBy(fault).outcome).toBe("client_closed");
  metrics.close();
});

test("the row of a call has the time of its first byte, and none if no byte came", async () => {
  const done: Charged = { verdict: "settled", chargedNanos: zeroNanos, shortfallNanos: zeroNanos };
  const charges: Charge[] = [];
  const { gateway, metrics } = createCompletion({
    charge(charge) {
      charges.push(charge);
      return Promise.resolve(done);
    },
  });
  const receivedAtMs = performance.now() - 10_000;
  const begin = () => {
    const started = startOf(gateway);
    return new Completion(gateway, { ...started, call: { ...started.call, receivedAtMs } });
  };
  const attempt = { provider: "test", model: "model", firstByteMs: 1, error: null, status: 200 };
  const answered = begin();
  const { accountId } = answered.call.principal;
  answered.upstream.begin(new RouteHealth({ provider: "test", upstreamModel: "model" }), accountId);
  answered.answered(attempt, 4_000);
  await answered.endWithin({ outcome: "completed" });
  const silent = begin();
  silent.upstream.begin(new RouteHealth({ provider: "test", upstreamModel: "model" }), accountId);
  const refusal = new Fault("bad_gateway", "The upstream broke off.");
  silent.upstream.record({ ...attempt, status: 502, error: "broke off" }, 4_000);
  silent.refused(refusal);
  await silent.endWithin({ outcome: "upstream_failed", fault: refusal });
  const [first, second] = charges.map(({ hold }) => hold.request.facts);
  expect(first?.firstByteMs).toBeGreaterThanOrEqual(10_000);
  expect(first?.overheadMs).toBe((first?.firstByteMs ?? 0) - 4_000);
  expect(second?.firstByteMs).toBeNull();
  const { body } = await metrics.expose();
  expect(body).toContain("turnpike_time_to_first_byte_seconds_count 1");
  expect(body).toContain("turnpike_gateway_overhead_seconds_count 1");
  metrics.close();
});

test("the wait for an upstream is counted while it lasts, and by the attempt once it is over", () => {
  const { completion, metrics } = createCompletion({
    charge: () => Promise.reject(new Error("not charged")),
  });
  expect(completion.upstream.waitMs).toBe(0);
  const startMs = performance.now();
  const { accountId } = completion.call.principal;
  completion.upstream.begin(
    new RouteHealth({ provider: "test", upstreamModel: "model" }),
    accountId,
  );
  while (performance.now() === startMs);
  expect(completion.upstream.waitMs).toBeGreaterThan(0);
  const attempt = { provider: "test", model: "model", firstByteMs: 1, error: null, status: 200 };
  completion.answered(attempt, 7_000);
  expect(completion.upstream.waitMs).toBe(7_000);
  metrics.close();
});

test("an answer that was not read without its usage leaves nothing counted as delivered", () => {
  const { completion, metrics } = createCompletion({
    charge: () => Promise.reject(new Error("not settled")),
  });
  completion.received({ kind: "unread", upstreamId: undefined, usage: undefined });
  expect([completion.relayedTokens, completion.relayedAudioTokens]).toEqual([0, 0]);
  metrics.close();
});

test.each([
  ["free", 0n, undefined],
  ["paid", 1_000_000n, true],
])(
  "a %s call that stops while it is still counted is charged by its price",
  async (_, rate, charged) => {
    const never = new Promise<Charged>(() => undefined);
    const { gateway, metrics } = createCompletion({ charge: () => never });
    const started = startOf(gateway);
    if (started.modelRequest.operation !== "chat") throw new Error("the fixture is a chat");
    const { model } = started.modelRequest;
    const rates = { inputNanosPerMillion: rate, outputNanosPerMillion: rate };
    const price = { ...model.price, ...rates };
    const modelRequest = { ...started.modelRequest, model: { ...model, price } };
    const completion = new Completion(gateway, { ...started, modelRequest });
    void completion.endWithin({ outcome: "completed" });
    const fault = await completion.stop(new Fault("overloaded", "Not billed in time."));
    expect(fault.details.isCharged).toBe(charged);
    metrics.close();
  },
);
