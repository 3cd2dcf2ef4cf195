// The attempts of one call after its first has failed.
import { afterAll, expect, spyOn, test } from "bun:test";
import { type AccountId, Fault, newId } from "@turnpike/base";
import { streamLimits } from "@turnpike/providers";
import { createCompletion, startOf } from "../completion.fixture.ts";
import { Completion } from "../completion.ts";
import type { Gateway } from "../gateway.ts";
import { Failover } from "./fail-over.ts";
import { openRoute } from "./open-route.ts";

const realNow = performance.now.bind(performance);
let aheadMs = 0;
const now = spyOn(performance, "now").mockImplementation(() => realNow() + aheadMs);
afterAll(() => now.mockRestore());

test("all attempts of a call share the time of one, the first among them", async () => {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch() {
      // The upstream never answers, and the time of the call passes.
      aheadMs += 100_000;
      return new Promise<Response>(() => undefined);
    },
  });
  const opened = createCompletion({
    charge: () => Promise.reject(new Error("nothing is charged")),
  });
  const { completion } = opened;
  const { modelRequest, route, call, upstream } = completion;
  const never = Number.POSITIVE_INFINITY;
  const stream = { ...streamLimits, connectMs: never, firstByteMs: never, interChunkMs: never };
  const gateway: Gateway = {
    ...opened.gateway,
    limits: { ...opened.gateway.limits, stream: { ...stream, totalMs: 100_000 } },
  };
  upstream.begin(gateway.routeHealth.of(route), call.principal.accountId);
  aheadMs += 60_000;
  const failed = { provider: "test", model: "model", status: 503, firstByteMs: null };
  upstream.record({ ...failed, error: "upstream_overloaded" }, 60_000);
  upstream.leaveRoute();
  const provider = { ...route.provider, id: "other", baseUrl: `${server.url}v1` };
  const plan = { modelRequest, routes: [route, { ...route, provider }], fallbacks: [] } as const;
  const first = new Fault("upstream_overloaded", "The upstream provider is overloaded.");
  const last = new Failover(gateway, completion, plan).recover(first);
  const { message } = await last.catch((thrown) => thrown);
  const [, seconds] = /did not finish its answer within ([\d.]+) s/.exec(message) ?? [];
  expect(Number(seconds)).toBeLessThanOrEqual(40);
  expect(upstream.attempts).toHaveLength(2);
  await server.stop(true);
  opened.metrics.close();
});

/** A call at an upstream that answers when it is told to, with another route left. */
function openSilentCall(
  stream: boolean,
  prepare: (gateway: Gateway, modelId: string) => void = () => undefined,
) {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<Response>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch() {
      asked.resolve();
      return answer.promise;
    },
  });
  const { gateway, metrics } = createCompletion({
    charge: () => Promise.reject(new Error("nothing is charged")),
  });
  const start = startOf(gateway, stream);
  prepare(gateway, start.modelRequest.model.id);
  const { modelRequest, route: other } = start;
  const provider = { ...other.provider, id: "silent", baseUrl: `${server.url}v1` };
  const route = { ...other, provider };
  const completion = new Completion(gateway, { ...start, route });
  const health = gateway.routeHealth.of(route);
  const plan = { modelRequest, routes: [route, other], fallbacks: [] } as const;
  return {
    completion,
    gateway,
    other,
    health,
    asked: asked.promise,
    answer,
    opening: openRoute(gateway, completion, plan),
    async close() {
      await server.stop(true);
      metrics.close();
    },
  };
}

const wholeAnswer = {
  id: "chatcmpl-1",
  choices: [{ index: 0, message: { role: "assistant", content: "a" }, finish_reason: "stop" }],
};

test.each([
  [true, 25],
  [false, 30],
])(
  "stream %p: a silent route is given up after %i s, and counts as failed",
  async (stream, seconds) => {
    const { opening, asked, health, completion, close } = openSilentCall(stream);
    const failed = spyOn(health, "failed");
    await asked;
    aheadMs += seconds * 1_000;
    const { code, message } = await opening.catch((thrown) => thrown);
    expect([code, message]).toEqual([
      "upstream_timeout",
      `The upstream provider did not begin its answer within ${seconds} s.`,
    ]);
    expect(failed).toHaveBeenCalledTimes(1);
    expect(completion.upstream.state).toBe("refused");
    await close();
  },
);

test("a whole answer is waited for twice as long as the longest of its model in the last hour", async () => {
  const { opening, asked, gateway, completion, close } = openSilentCall(
    false,
    ({ routeHealth }, id) => routeHealth.wholeWaits.note(id, 70_000, performance.now()),
  );
  await asked;
  aheadMs += 140_000;
  const { message } = await opening.catch((thrown) => thrown);
  expect(message).toBe("The upstream provider did not begin its answer within 140 s.");
  const { id } = completion.modelRequest.model;
  expect(gateway.routeHealth.wholeWaits.of(id, performance.now() + 3_500_000)).toBe(0);
  await close();
});

test("a silent route is not given up for one that asked for a pause", async () => {
  const { opening, asked, answer, gateway, other, completion, close } = openSilentCall(true);
  await asked;
  gateway.routeHealth.of(other).pause(600_000, performance.now());
  const considered = Promise.withResolvers<void>();
  const { isPaused } = gateway.routeHealth.of(other);
  spyOn(gateway.routeHealth.of(other), "isPaused").mockImplementation((nowMs) => {
    considered.resolve();
    return isPaused.call(gateway.routeHealth.of(other), nowMs);
  });
  aheadMs += 60_000;
  await considered.promise;
  expect(completion.upstream.attempts).toEqual([]);
  answer.resolve(new Response("", { status: 503 }));
  expect((await opening.catch((thrown) => thrown)).code).toBe("upstream_overloaded");
  await close();
});

test("a whole answer is waited for after that time from a route that answers others", async () => {
  const { opening, asked, answer, health, completion, close } = openSilentCall(false);
  await asked;
  aheadMs += 1;
  health.succeeded(newId<AccountId>(), performance.now(), undefined);
  const considered = Promise.withResolvers<void>();
  const { hasAnsweredSince } = health;
  spyOn(health, "hasAnsweredSince").mockImplementation((thenMs) => {
    considered.resolve();
    return hasAnsweredSince.call(health, thenMs);
  });
  aheadMs += 60_000;
  await considered.promise;
  answer.resolve(Response.json(wholeAnswer));
  expect((await opening).kind).toBe("whole");
  expect(completion.upstream.attempts).toMatchObject([{ provider: "silent", status: 200 }]);
  await close();
});
