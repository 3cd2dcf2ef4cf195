import { expect, test } from "bun:test";
import { startFixedUpstream } from "./fixed-upstream.ts";

test("the fixed upstream gives every client the same answer, whole or streamed, paced or not", async () => {
  const instant = startFixedUpstream({ deltas: 3, promptTokens: 7 });
  const paced = startFixedUpstream({ deltas: 3, promptTokens: 7, paceMs: 1 });
  const ask = async (upstream: typeof instant, stream: boolean) => {
    const body = JSON.stringify({ stream, model: "m", messages: [] });
    const url = `${upstream.baseUrl}/chat/completions`;
    return (await fetch(url, { method: "POST", body })).text();
  };
  const whole = JSON.parse(await ask(instant, false));
  expect(whole.choices[0].message.content).toBe(" tok tok tok");
  expect(whole.usage).toEqual({ prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 });
  const streamed = await ask(instant, true);
  expect(streamed.match(/" tok"/g)).toHaveLength(3);
  expect(streamed).toEndWith('"total_tokens":10}}\n\ndata: [DONE]\n\n');
  expect(await ask(paced, true)).toBe(streamed);
  await Promise.all([instant.close(), paced.close()]);
});

test("it streams the same text and usage in every language", async () => {
  const upstream = startFixedUpstream({ deltas: 3, promptTokens: 7 });
  const streamOf = async (path: string) => {
    const body = JSON.stringify({ stream: true });
    return (await fetch(`${upstream.url}${path}`, { method: "POST", body })).text();
  };
  const messages = await streamOf("/v1/messages");
  expect(messages.match(/"text_delta","text":" tok"/g)).toHaveLength(3);
  expect(messages).toContain('"input_tokens":7');
  expect(messages).toContain('"usage":{"output_tokens":3}');
  const gemini = await streamOf("/v1beta/models/fixed:streamGenerateContent?alt=sse");
  expect(gemini.match(/"text":" tok"/g)).toHaveLength(3);
  expect(gemini).toContain('"promptTokenCount":7,"candidatesTokenCount":3');
  const responses = await streamOf("/v1/responses");
  expect(responses.match(/"delta":" tok"/g)).toHaveLength(3);
  expect(responses).toContain('"input_tokens":7');
  expect((await fetch(`${upstream.url}/v1/other`, { method: "POST" })).status).toBe(404);
  await upstream.close();
});
