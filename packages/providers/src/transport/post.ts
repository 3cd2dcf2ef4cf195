// The only `fetch` of the gateway: no redirects, no compression, none of the runtime's own time limits. The
// caller's signal bounds the wait.
export type PostOptions = {
  readonly headers: Headers;
  readonly body: string;
  readonly signal: AbortSignal;
  /** Opens a new connection instead of using a kept-alive one. */
  readonly freshConnection?: boolean;
};

export function post(
  url: string,
  { headers, body, signal, freshConnection }: PostOptions,
): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers,
    body,
    redirect: "error",
    decompress: false,
    // Bun's own idle timer would end the call of a thinking model; the signal decides instead.
    timeout: false,
    signal,
    ...(freshConnection === true && { keepalive: false }),
  });
}
