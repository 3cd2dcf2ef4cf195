// The upstream of the benchmarks: one constant answer, whole or streamed, as fast as the runtime can send
// it, so that the gateway is measured and not the upstream.
import { chatUsage, fixedIdentity, fixedStreams } from "./fixed-streams.ts";

export type FixedAnswer = {
  /** Tokens of a whole answer, and deltas of a streamed one. Default 20. */
  deltas?: number;
  /** Wait between deltas. Default 0: the stream is sent in one piece. */
  paceMs?: number;
  promptTokens?: number;
};

export type FixedUpstream = {
  url: string;
  baseUrl: string;
  /** Ends the paced streams that are open, with the usage of their full length. */
  endStreams(): void;
  close(): Promise<void>;
};

/** Serves `POST /v1/chat/completions` with the same answer for every client, and its stream in other languages. */
export function startFixedUpstream(answer: FixedAnswer = {}): FixedUpstream {
  const { deltas = 20, paceMs = 0, promptTokens = 10 } = answer;
  const stream = { deltas, promptTokens };
  const whole = wholeBody(deltas, promptTokens);
  const streams = new Map<string, readonly Uint8Array<ArrayBuffer>[]>();
  for (const [path, eventsOf] of Object.entries(fixedStreams)) {
    streams.set(
      path,
      eventsOf(stream).map((event) => new TextEncoder().encode(event)),
    );
  }
  const pacing: Pacing = { paceMs, ended: 0 };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 255,
    async fetch(request) {
      const path = new URL(request.url).pathname;
      const events = streams.get(path);
      if (request.method !== "POST" || events === undefined)
        return new Response("", { status: 404 });
      // The gateway may send the members in any order; only the flag matters here.
      const streamed = /"stream"\s*:\s*true/.test(await request.text());
      return streamed || path !== "/v1/chat/completions"
        ? new Response(pacedStream(events, pacing), { headers: streamHeaders })
        : new Response(whole, { headers: { "content-type": "application/json" } });
    },
  });
  const url = `http://127.0.0.1:${server.port}`;
  const endStreams = () => {
    pacing.ended += 1;
  };
  return { url, baseUrl: `${url}/v1`, endStreams, close: () => server.stop(true) };
}

/** `ended` counts how often the open streams were ended: a stream began before or after. */
type Pacing = { readonly paceMs: number; ended: number };

/** The end of a chat stream: its finish reason and its usage. */
const lastEvents = 2;

const streamHeaders = { "content-type": "text/event-stream", "cache-control": "no-cache" };
function wholeBody(deltas: number, promptTokens: number): string {
  const message = { role: "assistant", content: " tok".repeat(deltas), refusal: null };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: "stop" }];
  const usage = chatUsage({ deltas, promptTokens });
  return JSON.stringify({ ...fixedIdentity, object: "chat.completion", choices, usage });
}

function pacedStream(
  events: readonly Uint8Array<ArrayBuffer>[],
  pacing: Pacing,
): ReadableStream | Uint8Array<ArrayBuffer> {
  const { paceMs, ended } = pacing;
  if (paceMs === 0) return Buffer.concat(events);
  let next = 0;
  return new ReadableStream({
    async pull(controller) {
      if (next > 0) await Bun.sleep(paceMs);
      if (pacing.ended > ended) next = Math.max(next, events.length - lastEvents);
      const event = events[next];
      next += 1;
      if (event) controller.enqueue(event);
      else controller.close();
    },
  });
}
