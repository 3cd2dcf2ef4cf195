// The upstream of the benchmarks: one constant answer, whole or streamed, as fast as the runtime can send
// it, so that the gateway is measured and not the upstream.

export type FixedAnswer = {
  /** Tokens of a whole answer, and deltas of a streamed one. Default 20. */
  deltas?: number;
  /** Wait between deltas. Default 0: the stream is sent in one piece. */
  paceMs?: number;
  promptTokens?: number;
};

export type FixedUpstream = { url: string; baseUrl: string; close(): Promise<void> };

/** Serves `POST /v1/chat/completions` with the same answer for every client. */
export function startFixedUpstream(answer: FixedAnswer = {}): FixedUpstream {
  const { deltas = 20, paceMs = 0, promptTokens = 10 } = answer;
  const whole = wholeBody(deltas, promptTokens);
  const events = streamEvents(deltas, promptTokens).map((event) => new TextEncoder().encode(event));
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 255,
    routes: {
      "/v1/chat/completions": {
        POST: async (request) => {
          // The gateway may send the members in any order; only the flag matters here.
          const streamed = /"stream"\s*:\s*true/.test(await request.text());
          return streamed
            ? new Response(pacedStream(events, paceMs), { headers: streamHeaders })
            : new Response(whole, { headers: { "content-type": "application/json" } });
        },
      },
    },
  });
  const url = `http://127.0.0.1:${server.port}`;
  return { url, baseUrl: `${url}/v1`, close: () => server.stop(true) };
}

const streamHeaders = { "content-type": "text/event-stream", "cache-control": "no-cache" };
const identity = { id: "chatcmpl-fixed", created: 1_700_000_000, model: "fixed" };

function usageOf(promptTokens: number, deltas: number) {
  const total = promptTokens + deltas;
  return { prompt_tokens: promptTokens, completion_tokens: deltas, total_tokens: total };
}

function wholeBody(deltas: number, promptTokens: number): string {
  const message = { role: "assistant", content: " tok".repeat(deltas), refusal: null };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: "stop" }];
  const usage = usageOf(promptTokens, deltas);
  return JSON.stringify({ ...identity, object: "chat.completion", choices, usage });
}

function streamEvents(deltas: number, promptTokens: number): readonly string[] {
  const event = (choices: readonly unknown[], usage: unknown) =>
    `data: ${JSON.stringify({ ...identity, object: "chat.completion.chunk", choices, usage })}\n\n`;
  const choice = (delta: unknown, finish: string | null) => [
    { index: 0, delta, logprobs: null, finish_reason: finish },
  ];
  return [
    event(choice({ role: "assistant", content: "" }, null), null),
    ...Array.from({ length: deltas }, () => event(choice({ content: " tok" }, null), null)),
    event(choice({}, "stop"), null),
    `${event([], usageOf(promptTokens, deltas))}data: [DONE]\n\n`,
  ];
}

function pacedStream(
  events: readonly Uint8Array<ArrayBuffer>[],
  paceMs: number,
): ReadableStream | Uint8Array<ArrayBuffer> {
  if (paceMs === 0) return Buffer.concat(events);
  let next = 0;
  return new ReadableStream({
    async pull(controller) {
      if (next > 0) await Bun.sleep(paceMs);
      const event = events[next];
      next += 1;
      if (event) controller.enqueue(event);
      else controller.close();
    },
  });
}
