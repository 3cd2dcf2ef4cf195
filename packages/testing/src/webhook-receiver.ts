// An HTTP server that receives webhooks: it answers as it is told, and keeps what it got.

export type ReceivedWebhook = {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
};

export type WebhookReceiver = AsyncDisposable & {
  readonly url: string;
  readonly received: ReceivedWebhook[];
  /** How the next requests are answered, in order; 204 when none is left. */
  readonly answers: (() => Response | Promise<Response>)[];
  /** Resolves when this many were received. */
  readonly waitFor: (count: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

export function startWebhookReceiver(): WebhookReceiver {
  const received: ReceivedWebhook[] = [];
  const answers: WebhookReceiver["answers"] = [];
  const waiting = new Set<{ readonly count: number; readonly resolve: () => void }>();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const body = await request.text();
      const { pathname: path } = new URL(request.url);
      received.push({ path, headers: Object.fromEntries(request.headers), body });
      for (const one of waiting) if (received.length >= one.count) one.resolve();
      return (answers.shift() ?? (() => new Response(null, { status: 204 })))();
    },
  });
  const close = () => server.stop(true);
  return {
    url: `http://127.0.0.1:${server.port}/hooks`,
    received,
    answers,
    waitFor(count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.add({ count, resolve });
      if (received.length >= count) resolve();
      return promise;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
