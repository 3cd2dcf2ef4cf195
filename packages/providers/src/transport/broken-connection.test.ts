// What broken sockets do to a call: always a Fault, no hang, no token lost.
import { expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import {
  sampleCall,
  sseBytes,
  tokensOf,
  upstreamChunk,
} from "../dialects/openai/sample-call.fixture.ts";
import type { StreamEvent } from "../provider.ts";
import { streamLimits, type UpstreamLimits } from "../upstream-limits.ts";
import { callUpstream } from "./call-upstream.ts";

type Peer = { write(data: string | Uint8Array): void; end(): void; terminate(): void };

/** A server that passes every connection to `answer` once a request has begun to arrive. */
function listen(answer: (peer: Peer) => void): { baseUrl: string; stop(): void } {
  const seen = new WeakSet<object>();
  const listener = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket) {
        if (seen.has(socket)) return;
        seen.add(socket);
        answer({
          write: (data) => void socket.write(data),
          end: () => void socket.end(),
          terminate: () => socket.terminate(),
        });
      },
    },
  });
  return { baseUrl: `http://127.0.0.1:${listener.port}/v1`, stop: () => listener.stop(true) };
}

type Result = {
  readonly tokens: number;
  readonly fault: Fault | undefined;
  readonly done: boolean;
};
type RunOptions = {
  readonly limits?: Partial<UpstreamLimits>;
  readonly body?: Record<string, unknown>;
  /** Called with all events so far after each batch. */
  readonly onBatch?: (events: readonly StreamEvent[]) => void;
};

async function run(baseUrl: string, options: RunOptions): Promise<Result> {
  const events: StreamEvent[] = [];
  let fault: Fault | undefined;
  try {
    const answer = await callUpstream({
      ...sampleCall({ baseUrl, body: options.body ?? { stream: true } }),
      endSignal: new AbortController().signal,
      client: { signal: new AbortController().signal, continuesWithoutClient: () => false },
      log: {
        sent: () => undefined,
        sendsAgain: () => undefined,
        accepted: () => undefined,
        answered: () => undefined,
        failed: () => undefined,
      },
      limits: { ...streamLimits, firstByteMs: 5000, ...options.limits },
      allowPrivate: true,
    });
    if (answer.kind !== "stream") throw new Error("not a stream");
    for await (const batch of answer.events) {
      events.push(...batch);
      options.onBatch?.(events);
    }
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    fault = thrown;
  }
  return { tokens: tokensOf(events), fault, done: events.some(({ kind }) => kind === "done") };
}

async function meet(answer: (peer: Peer) => void, options: RunOptions = {}): Promise<Result> {
  const upstream = listen(answer);
  try {
    return await run(upstream.baseUrl, options);
  } finally {
    upstream.stop();
  }
}

const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n";
const chunked = `${head}transfer-encoding: chunked\r\n\r\n`;
const closeDelimited = `${head}connection: close\r\n\r\n`;
const token = sseBytes(upstreamChunk({ content: "a" }));
const finish = sseBytes(upstreamChunk({}, { finish_reason: "stop" }));

function chunk(bytes: Uint8Array): Uint8Array {
  const size = new TextEncoder().encode(`${bytes.length.toString(16)}\r\n`);
  return Buffer.concat([size, bytes, new TextEncoder().encode("\r\n")]);
}

test("a refused connection is a bad gateway", async () => {
  const upstream = listen(() => {});
  upstream.stop();
  const { fault } = await run(upstream.baseUrl, {});
  expect(fault?.code).toBe("bad_gateway");
  expect(String(fault?.details.cause)).toMatch(/connect|refused/i);
});

test("a name that does not resolve is a bad gateway", async () => {
  const { fault } = await run("http://upstream.invalid/v1", {});
  expect(fault?.code).toBe("bad_gateway");
});

test("TLS on a plain-text port is a bad gateway", async () => {
  const upstream = listen((peer) => peer.write("HTTP/1.1 400 Bad Request\r\n\r\n"));
  const secure = upstream.baseUrl.replace("http:", "https:");
  const { fault } = await run(secure, {});
  upstream.stop();
  expect(fault?.code).toBe("bad_gateway");
});

test("silence before the headers ends at the first-byte deadline", async () => {
  const { fault } = await meet(() => {}, { limits: { firstByteMs: 40 } });
  expect([fault?.code, fault?.message]).toEqual([
    "upstream_timeout",
    "The upstream provider did not begin its answer within 0.04 s.",
  ]);
});

test("garbage in place of a status line never hangs", async () => {
  const { fault } = await meet((peer) => peer.write("lorem ipsum\r\n\r\n"), {
    limits: { firstByteMs: 40 },
  });
  expect(["upstream_timeout", "bad_gateway"]).toContain(fault?.code ?? "none");
});

test("a connection closed or reset before an answer is a bad gateway", async () => {
  for (const leave of ["end", "terminate"] as const) {
    const { fault } = await meet((peer) => peer[leave]());
    expect(fault?.code).toBe("bad_gateway");
  }
});

test("too many headers are a bad gateway", async () => {
  const many = Array.from({ length: 400 }, (_, n) => `x-${n}: y\r\n`).join("");
  const { fault } = await meet((peer) => peer.write(`${head}${many}\r\n`));
  expect(fault?.code).toBe("bad_gateway");
});

/** Sends a valid beginning, and the ending once the beginning has been read at the other end. */
function meetInTwoSteps(
  beginning: Uint8Array,
  isRead: (events: readonly StreamEvent[]) => boolean,
  ending: (peer: Peer) => void,
): Promise<Result> {
  const read = Promise.withResolvers<void>();
  const answer = async (peer: Peer) => {
    peer.write(chunked);
    peer.write(beginning);
    await read.promise;
    ending(peer);
  };
  const onBatch = (events: readonly StreamEvent[]) => {
    if (isRead(events)) read.resolve();
  };
  return meet((peer) => void answer(peer), { onBatch });
}

test("broken off in the middle, the tokens that arrived are relayed, then a fault", async () => {
  const endings: ((peer: Peer) => void)[] = [
    (peer) => peer.end(),
    (peer) => peer.terminate(),
    (peer) => peer.write("zz not a chunk size\r\n"),
    (peer) => {
      peer.write(`${(1000).toString(16)}\r\ndata: {"half`);
      peer.end();
    },
    (peer) => peer.write("0\r\n\r\n"),
  ];
  for (const ending of endings) {
    const { tokens, fault, done } = await meetInTwoSteps(
      Buffer.concat([chunk(token), chunk(token)]),
      (events) => tokensOf(events) === 2,
      ending,
    );
    expect([tokens, fault?.code, done]).toEqual([2, "bad_gateway", false]);
  }
});

test("a body that ends with its connection is complete only after a finish", async () => {
  const cut = await meet((peer) => {
    peer.write(closeDelimited);
    peer.write(token);
    peer.end();
  });
  expect([cut.tokens, cut.fault?.code, cut.done]).toEqual([1, "bad_gateway", false]);
  const complete = await meet((peer) => {
    peer.write(closeDelimited);
    peer.write(Buffer.concat([token, finish]));
    peer.end();
  });
  expect([complete.tokens, complete.fault, complete.done]).toEqual([1, undefined, true]);
});

test("a connection that breaks after the finish does no harm", async () => {
  const counts = { usage: { prompt_tokens: 1, completion_tokens: 1 } };
  const counted = sseBytes(upstreamChunk({}, { finish_reason: "stop" }, counts));
  const beginning = Buffer.concat([chunk(token), chunk(counted)]);
  for (const leave of ["end", "terminate"] as const) {
    const { fault, done } = await meetInTwoSteps(
      beginning,
      (events) => events.some(({ kind }) => kind === "usage"),
      (peer) => peer[leave](),
    );
    expect([fault, done]).toEqual([undefined, true]);
  }
});

test("one event of 50 MB is abandoned at the limit", async () => {
  const flood = "x".repeat(64 * 1024);
  let sent = 0;
  const { tokens, fault } = await meet((peer) => {
    peer.write(closeDelimited);
    peer.write(token);
    peer.write("data: ");
    const pour = setInterval(() => {
      peer.write(flood);
      sent += flood.length;
      if (sent > 50 * 1024 * 1024) clearInterval(pour);
    }, 0);
  });
  expect([tokens, fault?.code]).toEqual([1, "bad_gateway"]);
  expect(sent).toBeLessThan(50 * 1024 * 1024);
});

test("a drip of one byte at a time ends at the total deadline", async () => {
  const drip = (peer: Peer) => {
    peer.write(`${head}content-length: 100000\r\n\r\n`);
    const timer = setInterval(() => peer.write(":"), 1);
    setTimeout(() => clearInterval(timer), 500);
  };
  for (const stream of [true, false]) {
    const { fault } = await meet(drip, {
      limits: { totalMs: 60, interChunkMs: 5000 },
      body: { stream },
    });
    expect([fault?.code, fault?.message]).toEqual([
      "upstream_timeout",
      "The upstream provider did not finish its answer within 0.06 s.",
    ]);
  }
});
