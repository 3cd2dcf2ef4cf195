// The only calls of `fetch` in the gateway: no redirects, no compression, none of the runtime's own time limits. The
// caller's signal bounds the wait.

/** With `freshConnection` it opens a new connection instead of using a kept-alive one. */
export function post(
  url: string,
  headers: Headers,
  body: string | ReadableStream<Uint8Array>,
  signal: AbortSignal,
  freshConnection = false,
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
    keepalive: !freshConnection,
  });
}

/** For a check of an operator: no call of a customer is made with it. */
export function get(url: string, headers: Headers, signal: AbortSignal): Promise<Response> {
  return fetch(url, { headers, redirect: "error", decompress: false, signal });
}
