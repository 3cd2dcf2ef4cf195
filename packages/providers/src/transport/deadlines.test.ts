import { afterAll, expect, test } from "bun:test";
import { sseBytes, tokensOf, upstreamChunk } from "../dialects/openai/sample-call.fixture.ts";
import {
  type Answering,
  type CallSetting,
  drainEvents,
  faultOf,
  startSampleUpstream,
} from "./sample-upstream.fixture.ts";

const upstream = startSampleUpstream();
afterAll(() => upstream.server.stop(true));

const sse = { "content-type": "text/event-stream" };
const ending = [upstreamChunk({}, { finish_reason: "stop" }), "[DONE]"];

const whole = (answer: Answering, setting?: CallSetting) => upstream.call({}, answer, setting);
const stream = (answer: Answering, setting?: CallSetting) =>
  upstream.call({ stream: true }, answer, setting);

/** A body that sends `parts` one at a time, then stays silent, and reports when it was cancelled. */
function stalling(...parts: readonly Uint8Array[]) {
  const cancelled = Promise.withResolvers<void>();
  const queue = [...parts];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const part = queue.shift();
      if (part) controller.enqueue(part);
      else return new Promise(() => {});
    },
    cancel: () => cancelled.resolve(),
  });
  return { response: () => new Response(body, { headers: sse }), cancelled: cancelled.promise };
}

test("each deadline has its own reason and releases the upstream", async () => {
  const silent: Answering = () => new Promise(() => {});
  expect((await faultOf(whole(silent, { limits: { firstByteMs: 30 } }))).message).toContain(
    "did not begin",
  );

  const headOnly = stalling();
  const unbegun = await faultOf(stream(headOnly.response, { limits: { firstByteMs: 30 } }));
  expect([unbegun.code, unbegun.message]).toEqual([
    "upstream_timeout",
    "The upstream provider did not begin its answer within 0.03 s.",
  ]);

  const stalled = stalling(sseBytes(upstreamChunk({ content: "a" })));
  const answer = await stream(stalled.response, { limits: { interChunkMs: 30 } });
  const { events, fault } = await drainEvents(answer);
  expect([tokensOf(events), fault?.code]).toEqual([1, "upstream_timeout"]);
  expect(fault?.message).toContain("sent nothing more");
  await stalled.cancelled;
});

test("an attempt whose answer has not begun is given up as soon as its caller allows it, and no sooner", async () => {
  let asked = 0;
  const patience = {
    giveUpMs: 30,
    mayGiveUp() {
      asked += 1;
      return asked === 3;
    },
  };
  const fault = await faultOf(whole(() => new Promise(() => {}), { patience }));
  expect([fault.code, fault.message, asked]).toEqual([
    "upstream_timeout",
    "The upstream provider did not begin its answer within 0.03 s.",
    3,
  ]);
});

test("an answer that has begun is not given up: its silence is that of any answer", async () => {
  let asked = 0;
  const patience = {
    giveUpMs: 1,
    mayGiveUp() {
      asked += 1;
      return false;
    },
  };
  const stalled = stalling(sseBytes(upstreamChunk({ content: "a" })));
  const limits = { interChunkMs: 300 };
  const answer = await stream(stalled.response, { patience, limits });
  asked = 0;
  expect((await drainEvents(answer)).fault?.message).toContain("sent nothing more");
  expect(asked).toBe(0);
});

test("the whole call has a deadline, however active the upstream is", async () => {
  const lively: Answering = () =>
    new Response(
      new ReadableStream({
        async pull(controller) {
          controller.enqueue(new TextEncoder().encode(": keep-alive\n\n"));
          await Bun.sleep(2);
        },
      }),
      { headers: sse },
    );
  const fault = await faultOf(stream(lively, { limits: { totalMs: 60, interChunkMs: 5000 } }));
  expect([fault.code, fault.message]).toEqual([
    "upstream_timeout",
    "The upstream provider did not finish its answer within 0.06 s.",
  ]);
});

test("a slow reader does not count as the upstream's silence", async () => {
  const rest = Promise.withResolvers<Uint8Array>();
  const parts = [Promise.resolve(sseBytes(upstreamChunk({ content: "a" }))), rest.promise];
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const part = await parts.shift();
      if (part) controller.enqueue(part);
      else controller.close();
    },
  });
  const respond = () => new Response(body, { headers: sse });
  const answer = await stream(respond, { limits: { interChunkMs: 20 } });
  rest.resolve(sseBytes(...ending));
  // The passing of time must not change anything.
  await Bun.sleep(60);
  expect((await drainEvents(answer)).fault).toBeUndefined();
});

test("a caller who disconnects ends the call immediately, before and after the first token", async () => {
  const waiting = new AbortController();
  const silent = stream(() => new Promise(() => {}), { signal: waiting.signal });
  waiting.abort();
  expect((await faultOf(silent)).code).toBe("client_closed_request");
  const gone = faultOf(stream(() => new Response(), { signal: AbortSignal.abort() }));
  expect((await gone).code).toBe("client_closed_request");

  const reading = new AbortController();
  const stalled = stalling(sseBytes(upstreamChunk({ content: "a" })));
  const answer = await stream(stalled.response, { signal: reading.signal });
  const drained = drainEvents(answer);
  reading.abort();
  const { events, fault } = await drained;
  expect([tokensOf(events), fault?.code]).toEqual([1, "client_closed_request"]);
  await stalled.cancelled;
});

test("returning the events early releases the upstream, read or unread", async () => {
  for (const reads of [0, 1]) {
    const stalled = stalling(sseBytes(upstreamChunk({ content: "a" })));
    const answer = await stream(stalled.response);
    if (answer.kind !== "stream") throw new Error("not a stream");
    if (reads === 1) await answer.events.next();
    await answer.events.return?.();
    await stalled.cancelled;
  }
});

test("a finished stream is read to its end, so that its connection serves the next call", async () => {
  const fate = Promise.withResolvers<string>();
  const gate = Promise.withResolvers<void>();
  const parts = [sseBytes(upstreamChunk({ content: "a" }), ...ending)];
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const part = parts.shift();
      if (part) return controller.enqueue(part);
      await gate.promise;
      controller.close();
      fate.resolve("read to its end");
    },
    cancel: () => fate.resolve("cut"),
  });
  const { events } = await drainEvents(await stream(() => new Response(body, { headers: sse })));
  expect(events.at(-1)?.kind).toBe("done");
  // By the end of another call, a cut would have been noticed.
  await faultOf(stream(() => new Response(null, { status: 500 })));
  gate.resolve();
  expect(await fate.promise).toBe("read to its end");
});
