// The attempts of one call after its first has failed.
import { afterAll, expect, spyOn, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { streamLimits } from "@turnpike/providers";
import { openCompletion } from "../completion.fixture.ts";
import type { Gateway } from "../gateway.ts";
import { Failover } from "./fail-over.ts";

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
  const opened = openCompletion({ charge: () => Promise.reject(new Error("nothing is charged")) });
  const { completion } = opened;
  const { matched, route, call, upstream } = completion;
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
  const plan = { matched, routes: [route, { ...route, provider }], fallbacks: [] } as const;
  const first = new Fault("upstream_overloaded", "The upstream provider is overloaded.");
  const last = new Failover(gateway, completion, plan).recover(first);
  const { message } = await last.catch((thrown) => thrown);
  const [, seconds] = /did not finish its answer within ([\d.]+) s/.exec(message) ?? [];
  expect(Number(seconds)).toBeLessThanOrEqual(40);
  expect(upstream.attempts).toHaveLength(2);
  await server.stop(true);
  opened.metrics.close();
});
