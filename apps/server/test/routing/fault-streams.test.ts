// Answers that fail after they began: the client is notified, nothing is invented, and what was delivered
// is charged. Rows FU7, FU9, FU12 and FU19 to FU21 of the faults a gateway must survive.
import { expect, test } from "bun:test";
import { gatewayLimits } from "@turnpike/gateway";
import type { Script, UsageKind } from "@turnpike/testing";
import { at, contentOf, expectFault, readEvents, readMoney, useServer } from "../harness/index.ts";
import {
  askRouted,
  countRequests,
  readGeneration,
  routed,
  scriptAll,
  startRoutedServer,
} from "./start-routed-server.ts";

/** Not of the first byte: what is slow to begin is failed over to another route. */
const silentMs = 1_500;
const totalMs = 4_000;
const { server, account } = await useServer(
  startRoutedServer({
    limits: {
      stream: { ...gatewayLimits.stream, interChunkMs: silentMs, totalMs },
      whole: { ...gatewayLimits.whole, interChunkMs: silentMs, totalMs },
    },
    times: { keepAliveMs: 400, retryJitterMs: 5 },
  }),
);

/** Streams an answer of route a that breaks; checks that only what arrived is paid for. */
async function breakStream(script: Script) {
  scriptAll(server, { a: script });
  const before = await readMoney(server, account.id);
  const counts = countRequests(server);
  const response = await askRouted(server, account, { stream: true });
  expect(response.status).toBe(200);
  const stream = await readEvents(response);
  expect(stream.done).toBe(false);
  const finishes = stream.events.map((event) => at(event, "choices.0.finish_reason"));
  expect(finishes.filter((reason) => typeof reason === "string")).toEqual([]);
  const tokens = contentOf(stream).split(" tok").length - 1;
  expect(await readGeneration(server, account, response)).toMatchObject({
    provider_name: "a",
    native_tokens_completion: tokens,
  });
  const { balanceNanos } = await readMoney(server, account.id);
  expect(before.balanceNanos - balanceNanos).toBeGreaterThan(0n);
  expect(countRequests(server).b).toBe(counts.b);
  return { stream, error: at(stream.events.at(-1), "error.code") };
}

test("FU7: silence in the middle is filled with comments, and ends at the deadline with an error", async () => {
  const { stream, error } = await breakStream({ deltas: 9, stallAfterDeltas: 3 });
  expect(stream.comments.length).toBeGreaterThan(0);
  expect(error).toBe("upstream_timeout");
});

test("FU8: a reset in the middle is an error event, and no finish reason is invented", async () => {
  expect((await breakStream({ deltas: 9, paceMs: 40, resetAfterDeltas: 4 })).error).toBe(
    "bad_gateway",
  );
});

test("FU9: a body that ends with the connection is truncated if it has no finish", async () => {
  const script = { deltas: 9, closeDelimited: true, cutAfterDeltas: 4 };
  expect((await breakStream(script)).error).toBe("bad_gateway");
});

test("FU12: an event that never ends is cut off at a mebibyte", async () => {
  expect((await breakStream({ deltas: 3, garbage: "endless-event" })).error).toBe("bad_gateway");
});

test("FU19: a slow drip passes the deadline between two chunks, and ends at that of the whole answer", async () => {
  const { error } = await breakStream({ endless: true, ignoreLimit: true, paceMs: 300 });
  expect(error).toBe("upstream_timeout");
});

const overlong: readonly Script[] = [
  { endless: true },
  { deltas: 60 },
  { deltas: 60, usage: "missing" },
];

test.each(overlong)("FU20: a stream is cut off when its hold is used up: %j", async (script) => {
  scriptAll(server, { a: { ...script, ignoreLimit: true } });
  const response = await askRouted(server, account, { stream: true, max_tokens: 20 });
  const stream = await readEvents(response);
  expect(stream.done).toBe(false);
  expect(at(stream.events.at(-1), "error.code")).toBe("bad_gateway");
  const { native_tokens_completion: tokens } = await readGeneration(server, account, response);
  expect(tokens).toBe(20);
});

const kinds: readonly (readonly [UsageKind, string, number])[] = [
  ["missing", "counted", 3],
  ["null", "counted", 3],
  ["zero", "upstream", 0],
  ["negative", "counted", 3],
  ["huge", "upstream", 10_000],
  ["float", "counted", 3],
  ["string", "counted", 3],
];

for (const stream of [false, true]) {
  test.each(kinds)(
    `FU21: stream ${stream}: usage that is %s is %s`,
    async (usage, source, tokens) => {
      scriptAll(server, { a: { deltas: 3, usage } });
      const response = await askRouted(server, account, { stream, model: routed.a });
      expect(response.status).toBe(200);
      await response.text();
      expect(await readGeneration(server, account, response)).toMatchObject({
        usage_source: source,
        native_tokens_completion: tokens,
      });
    },
  );
}

test("FU21: the last of several usages counts", async () => {
  scriptAll(server, { a: { deltas: 3, usage: "twice" } });
  const response = await askRouted(server, account, { stream: true, model: routed.a });
  await response.text();
  const last = server.upstreams.a.requests.at(-1)?.delivered.usage;
  expect(await readGeneration(server, account, response)).toMatchObject({
    usage_source: "upstream",
    native_tokens_completion: at(last, "completion_tokens"),
  });
});

test("FU13: a compressed answer is not decompressed", async () => {
  scriptAll(server, { a: { garbage: "gzip" } });
  const response = await askRouted(server, account, { model: routed.a });
  await expectFault(response, { status: 502, type: "upstream_error", code: "bad_gateway" });
});
