// Moments of a stream that no HTTP test can hit: an event of the upstream that arrives while the answer
// is being ended for another reason.
import { expect, spyOn, test } from "bun:test";
import type { FailpointName } from "@turnpike/base";
import type { Charge, Charged } from "@turnpike/ledger";
import type { StreamEvent, UpstreamAnswer } from "@turnpike/providers";
import { toNanos } from "@turnpike/terms";
import { chatProtocol, type ParsedRequest, type Protocol } from "@turnpike/wire";
import { createCompletion, startOf } from "../completion.fixture.ts";
import { Completion } from "../completion.ts";
import { Relay } from "./relay.ts";
import { openBody, relayStream } from "./relay-stream.ts";

const settled: Charged = {
  verdict: "settled",
  chargedNanos: toNanos(1n),
  shortfallNanos: toNanos(0n),
};
const stream = streamOf(chatProtocol);

function streamOf<Request extends ParsedRequest>(protocol: Protocol<Request>) {
  if (protocol.stream === undefined) throw new Error("chats are streamed");
  return protocol.stream;
}

test("what arrives after an answer's end was decided is not relayed, because it is not billed", async () => {
  const charged = Promise.withResolvers<Charged>();
  const charges: Charge[] = [];
  const { gateway, completion, metrics, answers } = createCompletion({
    charge(charge) {
      charges.push(charge);
      return charged.promise;
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
  const relay = new Relay(gateway, completion, stream, answer);
  const reader = openBody(relay, false).getReader();
  const decoder = new TextDecoder();
  expect(decoder.decode((await reader.read()).value)).toContain("first");

  const rest = reader.read();
  answers.abort("drain deadline");
  second.resolve({ done: false, value: chunk("second") });
  charged.resolve(settled);
  const last = decoder.decode((await rest).value);
  expect(last).not.toContain("second");
  expect(last).toContain('"shutting_down"');
  expect((await reader.read()).done).toBe(true);
  expect(charges.map(({ hold }) => hold.request.facts.completionTokens)).toEqual([1]);
  metrics.close();
});

test("a stream that is committed before its upstream answers has its first byte when that answers", async () => {
  const { gateway, completion, metrics } = createCompletion({
    charge: async () => settled,
  });
  const passed: FailpointName[] = [];
  const times = { ...gateway.times, commitStreamMs: 0 };
  const failpoint = (name: FailpointName) => void passed.push(name);
  const opening = Promise.withResolvers<UpstreamAnswer>();
  const late = { ...gateway, times, failpoint };
  const { body } = await relayStream(late, completion, stream, opening.promise);
  expect(passed).toEqual([]);
  const batches: StreamEvent[][] = [[{ kind: "chunk", json: "{}", tokens: 1 }]];
  opening.resolve({ kind: "stream", upstreamId: undefined, events: readEach(batches) });
  expect(await new Response(body).text()).toContain("[DONE]");
  expect(passed).toEqual(["first-byte", "mid-stream", "after-done"]);
  metrics.close();
});

async function* readEach(batches: readonly StreamEvent[][]) {
  yield* batches;
  return undefined;
}

test.each([
  ["the end cannot be written", "undelivered"],
  ["the end cannot be sent", "undelivered"],
  ["nothing fails", "whole"],
] as const)("of a charged stream where %s the answer is %s", async (where, how) => {
  const { gateway, completion, metrics } = createCompletion({
    charge: async () => settled,
  });
  const broken = new Error("cannot be written");
  const open: typeof stream.open = (request, identity) => {
    const writer = stream.open(request, identity);
    if (where === "the end cannot be written") {
      spyOn(writer, "writeEnd").mockImplementation(() => {
        throw broken;
      });
    }
    return writer;
  };
  const events = readEach([[{ kind: "chunk", json: "{}", tokens: 1 }]]);
  const answer = Promise.resolve({ kind: "stream", upstreamId: undefined, events } as const);
  const relay = new Relay(gateway, completion, { ...stream, open }, answer);
  relay.start();
  let written = "";
  await relay.run({
    write(data) {
      const text = String(data);
      if (where === "the end cannot be sent" && text.includes("[DONE]")) throw broken;
      written += text;
      return text.length;
    },
    flush: () => 0,
    close: () => undefined,
  });
  expect(await relay.ended).toBe(how);
  expect(written.includes("[DONE]")).toBe(how === "whole");
  expect(written.includes('"error"')).toBe(how !== "whole");
  metrics.close();
});

test("a bug in the middle of a stream is logged with its generation, and the client is not told what it was", async () => {
  const { gateway, completion, metrics } = createCompletion({
    charge: async () => settled,
  });
  const bug = new TypeError("secret is not a function");
  async function* breakOff(): AsyncGenerator<StreamEvent[], undefined> {
    yield [{ kind: "chunk", json: "{}", tokens: 1 }];
    throw bug;
  }
  const opening = Promise.resolve({
    kind: "stream" as const,
    upstreamId: undefined,
    events: breakOff(),
  });
  const logged = spyOn(gateway.log, "error");
  const { body } = await relayStream(gateway, completion, stream, opening);
  const text = await new Response(body).text();
  expect(text).toContain('"internal_error"');
  expect(text).not.toContain("secret");
  const { generationId } = completion.call;
  expect(logged.mock.calls).toEqual([[{ err: bug, generationId }, "bug"]]);
  metrics.close();
});

test("a stream that the process ends does not wait for a client that has stopped reading", async () => {
  const { gateway, completion, metrics, answers } = createCompletion({
    charge: () => Promise.reject(new Error("not settled")),
  });
  const events = readEach([[{ kind: "chunk", json: "{}", tokens: 1 }]]);
  const answer = Promise.resolve({ kind: "stream", upstreamId: undefined, events } as const);
  const relay = new Relay(gateway, completion, stream, answer);
  relay.start();
  const written = Promise.withResolvers<void>();
  const running = relay.run({
    write() {
      written.resolve();
      return new Promise<never>(() => undefined);
    },
    flush: () => 0,
    close: () => undefined,
  });
  await written.promise;
  answers.abort("drain deadline");
  await running;
  metrics.close();
});

test("a client is sent a comment when it has received nothing for as long as that, not before", async () => {
  const { gateway, completion, metrics } = createCompletion({
    charge: () => Promise.reject(new Error("not settled")),
  });
  const never = new Promise<never>(() => undefined);
  const relay = new Relay(gateway, completion, stream, never);
  const written: unknown[] = [];
  const write = (data: unknown) => written.push(data);
  void relay.run({ write, flush: () => 0, close: () => undefined });
  const firstDueMs = relay.dueAtMs;
  while (performance.now() + gateway.times.keepAliveMs <= firstDueMs);
  relay.sendKeepAlive();
  // The comment that was just sent put the next one off.
  relay.checkDeadline(firstDueMs);
  expect(written).toEqual([stream.keepAlive]);
  expect(relay.dueAtMs).toBeGreaterThan(firstDueMs);
  relay.checkDeadline(relay.dueAtMs);
  expect(written).toEqual([stream.keepAlive, stream.keepAlive]);
  metrics.close();
});

test("streams share one listener on the signal that ends them, and remove theirs when they end", async () => {
  const { gateway, metrics, answers } = createCompletion({
    charge: async () => settled,
  });
  const added = spyOn(answers.signal, "addEventListener");
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

test.each(["is read to its end", "loses its client"])(
  "a stream that %s releases its slot",
  async (ending) => {
    const { gateway, metrics, answers } = createCompletion({
      charge: async () => settled,
    });
    const started = startOf(gateway);
    const leaving = new AbortController();
    const call = { ...started.call, signal: leaving.signal };
    const never = new Promise<never>(() => undefined);
    const relay = new Relay(gateway, new Completion(gateway, { ...started, call }), stream, never);
    let isSent = false;
    void relay.sent.then(() => {
      isSent = true;
    });
    const reader = openBody(relay, true).getReader();
    await reader.read();
    expect(isSent).toBe(false);
    if (ending === "loses its client") leaving.abort();
    else answers.abort("drain deadline");
    await relay.sent;
    metrics.close();
  },
);

test.each(["charged", "stored"] as const)(
  "a complete stream that is being %s when the server stops still gets its end",
  async (step) => {
    const { gateway, completion, metrics, answers } = createCompletion({
      async charge() {
        if (step === "charged") await waitHere();
        return settled;
      },
    });
    const waiting = Promise.withResolvers<void>();
    const continued = Promise.withResolvers<void>();
    const waitHere = () => {
      waiting.resolve();
      return continued.promise;
    };
    spyOn(completion, "persistItems").mockImplementation(async (end) => {
      if (step === "stored") await waitHere();
      return end;
    });
    const events = readEach([[{ kind: "chunk", json: "{}", tokens: 1 }]]);
    const opening = Promise.resolve({ kind: "stream", upstreamId: undefined, events } as const);
    const { body, ended } = await relayStream(gateway, completion, stream, opening);
    const text = new Response(body).text();
    await waiting.promise;
    answers.abort("drain deadline");
    // What the abort causes has run before the answer goes on.
    await new Promise(setImmediate);
    continued.resolve();
    expect(await text).toContain("[DONE]");
    expect(await text).not.toContain("shutting_down");
    expect(await ended).toBe("whole");
    metrics.close();
  },
);
