// The clouds that resell models, for the tests: each checks its own credentials and addresses and
// passes the rest to the scripted upstream, whose requests still say how to answer.

/** Passes a request in a known language on to the scripted upstream. */
export type ForwardUpstream = (path: string, body: string) => Promise<Response>;

export type ServeCloud = (
  request: Request,
  body: string,
  forward: ForwardUpstream,
) => Response | Promise<Response>;

export type CloudRequest = {
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type Cloud = {
  readonly url: string;
  /** Every request it received, including refused ones. */
  readonly requests: readonly CloudRequest[];
  /** Of the scripted upstream, whose base URL ends in `/v1`. */
  connect(baseUrl: string): void;
  close(): Promise<void>;
};

/** Starts a cloud on the loopback address. */
export function startCloud(serve: ServeCloud): Cloud {
  const requests: CloudRequest[] = [];
  let upstreamUrl = "";
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 255,
    async fetch(request) {
      const body = await request.text();
      const { pathname, search } = new URL(request.url);
      requests.push({ path: pathname + search, headers: request.headers.toJSON(), body });
      return serve(request, body, async (path, sent) =>
        endEarly(
          await fetch(upstreamUrl + path, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: sent,
            signal: request.signal,
          }),
        ),
      );
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    connect: (baseUrl) => {
      upstreamUrl = baseUrl.replace(/\/v1$/, "");
    },
    close: () => server.stop(true),
  };
}

/** The same answer; if the upstream breaks off, it ends there. */
function endEarly(answer: Response): Response {
  const reader = answer.body?.getReader();
  if (reader === undefined) return answer;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (done || value === undefined) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(body, { status: answer.status, headers: answer.headers });
}
