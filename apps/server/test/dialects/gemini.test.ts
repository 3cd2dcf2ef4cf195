// A model whose provider uses Gemini's language, with the official OpenAI package and with callers of the
// other protocols.
import { describe, expect, test } from "bun:test";
import type { Script } from "@turnpike/testing";
import OpenAI from "openai";
import {
  at,
  billCheap,
  contentOf,
  expectFault,
  findSchemaProblems,
  postChat,
  providerKey,
  readEvents,
  readJson,
  readMoney,
  scripted,
  startTestServer,
  usdNumber,
  useServer,
} from "../harness/index.ts";
import { awaitRequest } from "../money/read-requests.ts";
import { geminiCatalog } from "./gemini-catalog.ts";

const { server, account } = await useServer(startTestServer({ catalog: geminiCatalog }));

const model = "google/scripted";
const client = new OpenAI({ apiKey: account.key, baseURL: server.baseUrl, maxRetries: 0 });
const ask = (script: Script) => [scripted(script)];
const weather = {
  type: "function" as const,
  function: {
    name: "get_weather",
    parameters: { type: "object", properties: { city: { type: "string" } } },
  },
};
const calls = [
  { name: "get_weather", arguments: '{"city":"Oslo"}' },
  { name: "get_weather", arguments: '{"city":"Rome"}' },
];

describe("openai-node over Gemini", () => {
  test("a whole completion is billed by Google's counts, including thoughts and cached tokens", async () => {
    const script = { reasoning: 4, deltas: 3, cachedTokens: 5 };
    const completion = await client.chat.completions.create({ model, messages: ask(script) });
    expect(findSchemaProblems("CreateChatCompletionResponse", completion)).toEqual([]);
    expect(completion.choices[0]?.message.content).toBe(" tok tok tok");
    expect(completion.usage).toMatchObject({
      completion_tokens: 7,
      prompt_tokens_details: { cached_tokens: 5 },
      completion_tokens_details: { reasoning_tokens: 4 },
    });
    expect(at(completion, "usage.cost")).toBe(usdNumber(billCheap(completion.usage)));
    const sent = server.upstream.requests.at(-1);
    expect(sent?.path).toBe("/v1beta/models/gemini-3-flash:generateContent");
    expect(sent?.headers["x-goog-api-key"]).toBe(providerKey);
    expect(JSON.stringify(sent?.headers)).not.toContain(account.key);
  });

  test("a stream shows its thoughts, text and usage", async () => {
    const stream = await client.chat.completions.create({
      model,
      messages: ask({ reasoning: 2, deltas: 4 }),
      reasoning_effort: "low",
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = "";
    let thoughts = "";
    const finishes: unknown[] = [];
    let usage: unknown;
    for await (const chunk of stream) {
      expect(findSchemaProblems("CreateChatCompletionStreamResponse", chunk)).toEqual([]);
      text += chunk.choices[0]?.delta.content ?? "";
      thoughts += String(at(chunk, "choices.0.delta.reasoning_content") ?? "");
      if (chunk.choices[0]?.finish_reason) finishes.push(chunk.choices[0].finish_reason);
      usage = chunk.usage ?? usage;
    }
    expect([text, thoughts, finishes]).toEqual([" tok".repeat(4), " tok tok", ["stop"]]);
    expect(usage).toMatchObject({ completion_tokens: 6 });
    const sent = server.upstream.requests.at(-1);
    expect(sent?.path).toContain(":streamGenerateContent?alt=sse");
    expect(at(sent?.parsed, "generationConfig.thinkingConfig")).toEqual({
      thinkingLevel: "low",
      includeThoughts: true,
    });
  });

  test("parallel tools: their calls, results and signatures make the round trip", async () => {
    const messages = ask({ toolCalls: calls });
    const runner = client.chat.completions.stream({ model, messages, tools: [weather] });
    const { choices } = await runner.finalChatCompletion();
    const called = choices[0]?.message;
    expect(choices[0]?.finish_reason).toBe("tool_calls");
    expect(called?.tool_calls?.map((call) => at(call, "function"))).toEqual([
      expect.objectContaining(calls[0] ?? {}),
      expect.objectContaining(calls[1] ?? {}),
    ]);
    const whole = await client.chat.completions.create({ model, messages, tools: [weather] });
    const message = whole.choices[0]?.message;
    const signature = at(message, "tool_calls.0.extra_content.google.thought_signature");
    expect(signature).toBeString();
    if (message === undefined) throw new Error("no message");
    const results = (message.tool_calls ?? []).map((call, index) => ({
      role: "tool" as const,
      tool_call_id: call.id,
      content: `result ${index}`,
    }));
    const answer = await client.chat.completions.create({
      model,
      messages: [...ask({ deltas: 1 }), message, ...results],
      tools: [weather],
    });
    expect(answer.choices[0]?.message.content).toBe(" tok");
    const contents = at(server.upstream.requests.at(-1)?.parsed, "contents");
    expect(at(contents, "1.parts.0.thoughtSignature")).toBe(signature);
    expect(at(contents, "2.parts.0.functionResponse")).toEqual({
      id: results[0]?.tool_call_id,
      name: "get_weather",
      response: { output: "result 0" },
    });
    expect(at(contents, "2.parts.1.functionResponse.response")).toEqual({ output: "result 1" });
  });

  test("a caller that wants one call at a time gets the first, whole and streamed", async () => {
    const body = { model, messages: ask({ toolCalls: calls }), tools: [weather] };
    const single = { ...body, parallel_tool_calls: false };
    const whole = await client.chat.completions.create(single);
    const streamed = await client.chat.completions.stream(single).finalChatCompletion();
    for (const { choices } of [whole, streamed]) {
      expect(choices[0]?.finish_reason).toBe("tool_calls");
      expect(choices[0]?.message.tool_calls).toMatchObject([{ function: calls[0] }]);
      expect(choices[0]?.message.tool_calls).toHaveLength(1);
    }
  });

  test("several choices, a picture and a schema go with one request", async () => {
    const picture = {
      type: "image_url" as const,
      image_url: { url: "data:image/png;base64,iVBO" },
    };
    const text = { type: "text" as const, text: 'what is it? #script {"deltas":2}' };
    const schema = { type: "object", properties: { name: { type: "string" } } };
    const completion = await client.chat.completions.create({
      model,
      messages: [{ role: "user", content: [text, picture] }],
      n: 2,
      response_format: { type: "json_schema", json_schema: { name: "thing", schema } },
    });
    expect(completion.choices.map(({ message }) => message.content)).toEqual([
      " tok tok",
      " tok tok",
    ]);
    const sent = server.upstream.requests.at(-1)?.parsed;
    expect(at(sent, "generationConfig")).toMatchObject({
      candidateCount: 2,
      responseMimeType: "application/json",
      responseJsonSchema: schema,
    });
    expect(at(sent, "contents.0.parts.1.inlineData.data")).toBe("iVBO");
  });
});

describe("callers of other protocols over Gemini", () => {
  const post = (path: string, body: object) =>
    fetch(`${server.baseUrl}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${account.key}` },
      body: JSON.stringify(body),
    });

  test("messages: thinking and a tool call, whole and streamed", async () => {
    const body = {
      model,
      max_tokens: 500,
      messages: ask({ reasoning: 2, toolCalls: calls.slice(0, 1) }),
      tools: [{ name: "get_weather", input_schema: weather.function.parameters }],
      thinking: { type: "enabled", budget_tokens: 1_024 },
    };
    const message = await readJson(await post("/messages", { ...body, max_tokens: 2_000 }));
    expect(at(message, "stop_reason")).toBe("tool_use");
    const blocks = at(message, "content") as readonly unknown[];
    expect(blocks.find((block) => at(block, "type") === "thinking")).toMatchObject({
      thinking: " tok tok",
    });
    expect(blocks.find((block) => at(block, "type") === "tool_use")).toMatchObject({
      name: "get_weather",
      input: { city: "Oslo" },
    });
    const sent = server.upstream.requests.at(-1)?.parsed;
    expect(at(sent, "generationConfig.thinkingConfig.thinkingBudget")).toBe(1_024);
    const streamed = await post("/messages", { ...body, max_tokens: 2_000, stream: true });
    const text = await streamed.text();
    expect(text).toContain('"partial_json":"{\\"city\\":\\"Oslo\\"}"');
    expect(text.trimEnd().endsWith('data: {"type":"message_stop"}')).toBe(true);
  });

  test("responses: a function call is sent and its output returned", async () => {
    const tools = [{ type: "function", ...weather.function, strict: false }];
    const input = ask({ toolCalls: calls.slice(0, 1) });
    const first = await readJson(await post("/responses", { model, input, tools }));
    expect(at(first, "status")).toBe("completed");
    const output = at(first, "output") as readonly { type: string; call_id?: string }[];
    const call = output.find(({ type }) => type === "function_call");
    expect(call).toMatchObject({ name: "get_weather", arguments: '{"city":"Oslo"}' });
    const result = { type: "function_call_output", call_id: call?.call_id, output: "rain" };
    const second = await readJson(
      await post("/responses", { model, input: [...ask({ deltas: 2 }), ...output, result], tools }),
    );
    expect(at(second, "output.0.content.0.text")).toBe(" tok tok");
    const contents = at(server.upstream.requests.at(-1)?.parsed, "contents");
    expect(at(contents, "2.parts.0.functionResponse")).toMatchObject({
      name: "get_weather",
      response: { output: "rain" },
    });
  });
});

describe("what goes wrong", () => {
  test("a field without a counterpart in Gemini is refused before anything is called or charged", async () => {
    const before = await readMoney(server, account.id);
    const count = server.upstream.requests.length;
    const response = await postChat(server, account.key, {
      model,
      messages: ask({}),
      logit_bias: { 50256: -100 },
    });
    await expectFault(response, {
      status: 400,
      code: "unsupported_parameter",
      param: "logit_bias",
    });
    expect(server.upstream.requests).toHaveLength(count);
    expect(await readMoney(server, account.id)).toEqual(before);
  });

  test("Google's quota error keeps its meaning and the wait it asks for", async () => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "17s" }];
    const error = { code: 429, message: "Quota.", status: "RESOURCE_EXHAUSTED", details };
    const response = await postChat(server, account.key, {
      model,
      messages: ask({ status: 429, error }),
    });
    expect(response.headers.get("retry-after")).toBe("17");
    await expectFault(response, { status: 429, type: "requests", code: "rate_limit_exceeded" });
  });

  test("a blocked prompt is an empty answer with its reason, billed as reported", async () => {
    const blocked = {
      promptFeedback: { blockReason: "SAFETY" },
      usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 },
    };
    const script = {
      status: 200,
      body: JSON.stringify(blocked),
      headers: { "content-type": "application/json" },
    };
    const body = await readJson(
      await postChat(server, account.key, { model, messages: ask(script) }),
    );
    expect(at(body, "choices.0.finish_reason")).toBe("content_filter");
    expect(at(body, "choices.0.message.content")).toBeNull();
    expect(at(body, "usage.prompt_tokens")).toBe(9);
    expect(at(body, "usage.cost")).toBe(usdNumber(900n));
  });

  test("a stream cut off before its finish ends in an error, and what arrived is paid for", async () => {
    const script = { deltas: 30, paceMs: 5, cutAfterDeltas: 12 };
    const headers = { "user-agent": "cut-off" };
    const body = { model, messages: ask(script), stream: true };
    const read = await readEvents(await postChat(server, account.key, body, { headers }));
    expect(read.done).toBe(false);
    expect(at(read.events.at(-1), "error.code")).toBe("bad_gateway");
    const delivered = contentOf(read).length / " tok".length;
    expect(delivered).toBeGreaterThan(0);
    const row = await awaitRequest(server, "cut-off");
    expect(row).toMatchObject({ outcome: "upstream_failed", usageSource: "counted" });
    expect(row.completionTokens).toBe(delivered);
  });
});
