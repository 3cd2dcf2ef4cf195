// Where a scripted upstream redirects to: a live address that would answer successfully, and counts
// requests.
import { afterAll, afterEach, expect } from "bun:test";

const answer = {
  id: "x",
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
};

/** For the top of a test file: the address, which no request may reach in any of its tests. */
export function watchRedirects(): string {
  let requests = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch() {
      requests += 1;
      return Response.json(answer);
    },
  });
  afterEach(() => {
    const received = requests;
    requests = 0;
    expect(received).toBe(0);
  });
  afterAll(() => server.stop(true));
  return `${server.url.origin}/v1/chat/completions`;
}
