// The upstream of the operations' benchmark, as a separate process: one constant answer for each path, as fast as the runtime can
// send it. Models named `large` answer with 25 MB.
const megabytes = 1_000_000;
const largeBytes = 25 * megabytes;
const usage = { input_tokens: 10, output_tokens: 20, total_tokens: 30 };

const json = (body: unknown) => ({ type: "application/json", body: JSON.stringify(body) });
const image = (bytes: number) =>
  json({
    created: 1,
    data: [{ b64_json: Buffer.alloc(Math.ceil((bytes * 3) / 4), 7).toString("base64") }],
    size: "1024x1024",
    quality: "low",
    output_format: "png",
    background: "opaque",
    usage: { ...usage, output_tokens: 272 },
  });
const sound = (bytes: number) => ({ type: "audio/mpeg", body: Buffer.alloc(bytes, 7) });

type Constant = { readonly type: string; readonly body: string | Uint8Array<ArrayBuffer> };

const answers: Readonly<Record<string, Constant>> = {
  "/v1/chat/completions": json({
    id: "chatcmpl-bench",
    object: "chat.completion",
    created: 1,
    model: "bench",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: " tok".repeat(20), refusal: null },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 },
  }),
  "/v1/embeddings": json({
    object: "list",
    model: "bench",
    data: [{ object: "embedding", index: 0, embedding: Array.from({ length: 256 }, () => 0.0625) }],
    usage: { prompt_tokens: 10, total_tokens: 10 },
  }),
  "/v1/rerank": json({
    results: [
      { index: 1, relevance_score: 0.9 },
      { index: 0, relevance_score: 0.1 },
    ],
    meta: { billed_units: { search_units: 1 } },
  }),
  "/v1/images/generations": image(4_096),
  "/v1/images/generations large": image(largeBytes),
  "/v1/audio/transcriptions": json({
    text: "A lighthouse on a long grey coast.",
    usage: { type: "duration", seconds: 2 },
  }),
  "/v1/audio/speech": sound(16_384),
  "/v1/audio/speech large": sound(largeBytes),
};

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 255,
  maxRequestBodySize: 64 * megabytes,
  async fetch(request) {
    const { pathname } = new URL(request.url);
    const isForm = pathname.endsWith("/transcriptions");
    const isLarge = !isForm && (await request.text()).includes('"large"');
    if (isForm) for await (const _ of request.body ?? []);
    const answer = answers[isLarge ? `${pathname} large` : pathname];
    if (answer === undefined) return new Response("", { status: 404 });
    return new Response(answer.body, { headers: { "content-type": answer.type } });
  },
});
console.log(JSON.stringify({ msg: "listening", port: server.port }));
