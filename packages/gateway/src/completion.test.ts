// Moments of a call's end that no HTTP test can hit: a charge that fails for good, and an event of the
// upstream that arrives while the answer is being ended for another reason.
import { expect, spyOn, test } from "bun:test";
import {
  type AccountId,
  Fault,
  type GenerationId,
  newId,
  noFailpoint,
  type PriceId,
  toNanos,
  zeroNanos,
} from "@turnpike/base";
import { noLimits } from "@turnpike/keys";
import { type Charge, type Charged, LeaseBook } from "@turnpike/ledger";
import { defaultQuirks, noCredential, type StreamEvent } from "@turnpike/providers";
import { openLog, openMetrics } from "@turnpike/telemetry";
import { type ChatRequest, chatProtocol, openaiErrors, parseChatRequest } from "@turnpike/wire";
import { BackgroundCalls } from "./background-calls.ts";
import { Completion, type CompletionStart } from "./completion.ts";
import { type Gateway, gatewayLimits, gatewayTimes } from "./gateway.ts";
import { RateLimiter } from "./limit-rates.ts";
import { openBody, Relay } from "./relay-stream.ts";
import { RouteHealthBook } from "./route-health-book.ts";
import { LoadShedder } from "./shed-load.ts";

type Ledger = { readonly charge: (charge: Charge) => Promise<Charged> };

function open({ charge }: Ledger) {
  const answers = new AbortController();
  const metrics = openMetrics();
  const gateway: Gateway = {
    catalog: () => ({ version: "test", models: new Map() }),
    ledger: { charge, hold: () => Promise.reject(new Error("nothing is held here")) },
    refusals: { record: () => undefined },
    limiter: new RateLimiter(),
    routeHealth: new RouteHealthBook(),
    load: new LoadShedder(),
    background: new BackgroundCalls(metrics),
    metrics,
    log: openLog({ level: "silent", name: "test" }),
    times: gatewayTimes,
    limits: gatewayLimits,
    allowPrivateUpstreams: true,
    failpoint: noFailpoint,
    endSignal: () => answers.signal,
  };
  const completion = new Completion(gateway, startOf(gateway));
  return { gateway, completion, metrics, answers };
}

function startOf(gateway: Gateway): CompletionStart<ChatRequest> {
  const call = {
    generationId: newId<GenerationId>(),
    requestId: "req_test",
    userAgent: "",
    operation: "chat",
    errors: openaiErrors,
    headers: new Headers(),
    authMs: 0,
    protocol: chatProtocol,
    text: "",
    signal: new AbortController().signal,
    receivedAtMs: performance.now(),
  } as const;
  const principal = {
    accountId: newId<AccountId>(),
    keyId: null,
    limits: noLimits,
    origin: "api",
  } as const;
  const rate = 1_000_000n;
  const provider = {
    id: "test",
    kind: "openai-compatible",
    baseUrl: "http://127.0.0.1:1/v1",
    credential: noCredential,
    quirks: defaultQuirks,
    cancelledStream: "billed_as_written",
  } as const;
  const model = {
    operation: "chat",
    id: "test/model",
    name: "",
    description: "",
    created: new Date(0),
    contextTokens: 1_000,
    maxOutputTokens: 1_000,
    capabilities: [],
    reasoning: "visible",
    routes: [{ provider, upstreamModel: "model" }],
    tokenizer: "bytes",
    imageTokens: 1,
    templateTokens: 1,
    price: {
      id: newId<PriceId>(),
      since: new Date(0),
      inputNanosPerMillion: rate,
      cachedInputNanosPerMillion: rate,
      cacheWriteNanosPerMillion: rate,
      outputNanosPerMillion: rate,
    },
  } as const;
  const messages = [{ role: "user", content: "hello" }];
  const request = {
    id: call.generationId,
    accountId: principal.accountId,
    keyId: null,
    wantNanos: toNanos(50n),
    floorNanos: toNanos(50n),
    halve: false,
    exact: false,
    model: model.id,
    provider: provider.id,
    priceId: model.price.id,
    streamed: true,
    origin: "api",
    operation: "chat",
    requestId: call.requestId,
    userAgent: "",
  } as const;
  const lease = new LeaseBook().openRetired(request);
  const hold = { request, lease, grantedNanos: toNanos(50n), heldAtMs: performance.now() };
  const parsed = parseChatRequest(JSON.stringify({ model: model.id, messages, stream: true }));
  return {
    call: { ...call, principal },
    request: parsed,
    asked: { operation: "chat", model, request: parsed },
    route: model.routes[0],
    admission: gateway.limiter.admit(principal, 0),
    reservation: { hold, maxTokens: undefined, coveredTokens: 100 },
    holdMs: 0,
  };
}

test("a settlement that fails for good leaves nothing in flight and nothing held behind", async () => {
  const lost = new Fault("overloaded", "The books are full.");
  const { completion, metrics } = open({ charge: () => Promise.reject(lost) });
  metrics.requestStarted();
  metrics.holdPlaced(toNanos(50n));
  await expect(completion.end({ outcome: "completed" })).rejects.toBe(lost);
  const { body } = await metrics.expose();
  expect(body).toContain("turnpike_in_flight 0");
  expect(body).toContain("turnpike_held_nanos 0");
  metrics.close();
});

test("what comes after an answer's end was decided is not relayed, for it is not billed", async () => {
  const settled = Promise.withResolvers<Charged>();
  const asked: Charge[] = [];
  const { gateway, completion, metrics, answers } = open({
    charge(charge) {
      asked.push(charge);
      return settled.promise;
    },
  });
  const attempt = { provider: "test", model: "model", firstByteMs: 1, error: null };
  completion.answered({ ...attempt, status: 200 }, 1);
  const chunk = (text: string): StreamEvent[] => [
    { kind: "chunk", json: JSON.stringify({ text }), tokens: 1 },
  ];
  const second = Promise.withResolvers<IteratorResult<StreamEvent[]>>();
  const reads = [Promise.resolve({ done: false, value: chunk("first") }), second.promise];
  const events: AsyncIterableIterator<StreamEvent[]> = {
    next: () => reads.shift() ?? Promise.reject(new Error("read too often")),
    [Symbol.asyncIterator]: () => events,
  };
  const answer = Promise.resolve({ kind: "stream", upstreamId: undefined, events } as const);
  const { stream } = chatProtocol;
  if (stream === undefined) throw new Error("chats are streamed");
  const relay = new Relay(gateway, completion, stream, answer);
  const reader = openBody(relay, false).getReader();
  const decoder = new TextDecoder();
  expect(decoder.decode((await reader.read()).value)).toContain("first");

  const rest = reader.read();
  answers.abort("drain deadline");
  second.resolve({ done: false, value: chunk("second") });
  settled.resolve({ verdict: "settled", chargedNanos: toNanos(1n), shortfallNanos: toNanos(0n) });
  const last = decoder.decode((await rest).value);
  expect(last).not.toContain("second");
  expect(last).toContain('"shutting_down"');
  expect((await reader.read()).done).toBe(true);
  expect(asked.map(({ facts }) => facts.completionTokens)).toEqual([1]);
  metrics.close();
});

test("a key's tokens per minute pay for what was read and what was written", async () => {
  const done: Charged = { verdict: "settled", chargedNanos: zeroNanos, shortfallNanos: zeroNanos };
  const used: number[] = [];
  const { gateway, metrics } = open({ charge: () => Promise.resolve(done) });
  const admission = { headers: {}, end: (tokens: number) => void used.push(tokens) };
  const completion = new Completion(gateway, { ...startOf(gateway), admission });
  completion.reported({
    promptTokens: 30,
    completionTokens: 500,
    cachedTokens: 10,
    cacheWriteTokens: 0,
    reasoningTokens: 100,
  });
  await completion.end({ outcome: "completed" });
  expect(used).toEqual([530]);
  metrics.close();
});

test("a client that left without a word by the end of the answer is seen to have left", () => {
  const { gateway, metrics } = open({ charge: () => Promise.reject(new Error("not settled")) });
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

test("the row of a call has the time of its first byte, and none where no byte came", async () => {
  const done: Charged = { verdict: "settled", chargedNanos: zeroNanos, shortfallNanos: zeroNanos };
  const asked: Charge[] = [];
  const { gateway, metrics } = open({
    charge(charge) {
      asked.push(charge);
      return Promise.resolve(done);
    },
  });
  const started = startOf(gateway);
  const receivedAtMs = performance.now() - 10_000;
  const begin = () =>
    new Completion(gateway, { ...started, call: { ...started.call, receivedAtMs } });
  const attempt = { provider: "test", model: "model", firstByteMs: 1, error: null, status: 200 };
  const answered = begin();
  answered.upstream.asked();
  answered.answered(attempt, 4_000);
  await answered.end({ outcome: "completed" });
  const silent = begin();
  silent.upstream.asked();
  const refusal = new Fault("bad_gateway", "The upstream broke off.");
  silent.upstream.record({ ...attempt, status: 502, error: "broke off" }, 4_000);
  silent.refused(refusal);
  await silent.end({ outcome: "upstream_failed", fault: refusal });
  const [first, second] = asked.map(({ facts }) => facts);
  expect(first?.firstByteMs).toBeGreaterThanOrEqual(10_000);
  expect(first?.overheadMs).toBe((first?.firstByteMs ?? 0) - 4_000);
  expect(second?.firstByteMs).toBeNull();
  const { body } = await metrics.expose();
  expect(body).toContain("turnpike_time_to_first_byte_seconds_count 1");
  expect(body).toContain("turnpike_gateway_overhead_seconds_count 1");
  metrics.close();
});

test("the wait for an upstream is counted while it lasts, and by the attempt once it is over", () => {
  const { completion, metrics } = open({
    charge: () => Promise.reject(new Error("not charged")),
  });
  expect(completion.upstream.waitMs).toBe(0);
  const startMs = performance.now();
  completion.upstream.asked();
  while (performance.now() === startMs);
  expect(completion.upstream.waitMs).toBeGreaterThan(0);
  const attempt = { provider: "test", model: "model", firstByteMs: 1, error: null, status: 200 };
  completion.answered(attempt, 7_000);
  expect(completion.upstream.waitMs).toBe(7_000);
  metrics.close();
});

test("streams share one listener on the signal that ends them, and remove theirs when they end", async () => {
  const { gateway, metrics, answers } = open({
    charge: async () => ({
      verdict: "settled",
      chargedNanos: toNanos(1n),
      shortfallNanos: toNanos(0n),
    }),
  });
  const added = spyOn(answers.signal, "addEventListener");
  const { stream } = chatProtocol;
  if (stream === undefined) throw new Error("chats are streamed");
  const never = new Promise<never>(() => undefined);
  const readers = [1, 2, 3].map(() => {
    const relay = new Relay(gateway, new Completion(gateway, startOf(gateway)), stream, never);
    return openBody(relay, true).getReader();
  });
  expect(added.mock.calls.length).toBe(1);
  answers.abort("drain deadline");
  for (const reader of readers) {
    let text = "";
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      text += new TextDecoder().decode(read.value);
    }
    expect(text).toContain('"shutting_down"');
  }
  metrics.close();
});
