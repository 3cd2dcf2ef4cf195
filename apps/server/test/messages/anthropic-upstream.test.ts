// A provider that speaks Anthropic's language: byte for byte for callers of /v1/messages, and for callers of
// chat completions as if it spoke theirs. Every call is charged once, each kind of token at its own price.
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import OpenAI from "openai";
import {
  asObject,
  at,
  expectCleanBooks,
  type JsonObject,
  openAccount,
  startTestServer,
  testModels,
  usdNumber,
} from "../harness/index.ts";

const server = await startTestServer();
const account = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

const model = testModels.anthropic;
const scriptText = (script: object) => `hello #script ${JSON.stringify(script)}`;

async function postMessages(body: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${server.url}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": account.key, ...headers },
    body,
  });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

const ask = (script: object, fields: object = {}) =>
  postMessages(
    JSON.stringify({
      model,
      max_tokens: 50,
      messages: [{ role: "user", content: scriptText(script) }],
      ...fields,
    }),
  );

async function lastCharge(): Promise<bigint> {
  const [row] = await server.owner.sql<{ charged: string }[]>`
    select charged_nanos::text as charged from requests
    where account_id = ${account.id} order by id desc limit 1`;
  return BigInt(row?.charged ?? -1);
}

describe("a caller of the same language", () => {
  test("its own bytes go up, but for the model", async () => {
    const text = JSON.stringify(scriptText({ deltas: 1 }));
    const raw = `{ "model":"${model}","max_tokens":  50, "messages":[{"role":"user","content":[{"type":"text","text":${text},"cache_control":{"type":"ephemeral"},"odd":1.0}]}],"brand_new":{"big":12345678901234567890} }`;
    const { status } = await postMessages(raw, {
      "anthropic-version": "2026-10-21",
      "anthropic-beta": "interleaved-thinking-2025-05-14,fast-mode-2026-02-01",
    });
    expect(status).toBe(200);
    const sent = server.upstream.requests.at(-1);
    expect(sent?.path).toBe("/v1/messages");
    expect(sent?.body).toBe(raw.replace(model, "upstream-anthropic"));
    expect(sent?.headers).toMatchObject({
      "anthropic-version": "2026-10-21",
      "anthropic-beta": "interleaved-thinking-2025-05-14",
    });
    expect(JSON.stringify(sent?.headers)).not.toContain(account.key);
  });

  test("the upstream's own events come down, but for id, model and bill", async () => {
    const script = { reasoning: 1, signature: "sig==", redacted: "xx", deltas: 2, padBytes: 3 };
    const { text } = await ask(script, { stream: true });
    const frames = text.split("\n\n").filter((frame) => frame !== "");
    const events = frames.map((frame) => {
      const [, name, json] = /^event: (\S+)\ndata: (.*)$/.exec(frame) ?? [];
      const event = asObject(JSON.parse(json ?? ""));
      expect(event.type).toBe(name);
      return event;
    });
    expect(events.map(({ type }) => type)).toEqual([
      "message_start",
      ...[
        "content_block_start",
        "content_block_delta",
        "content_block_delta",
        "content_block_stop",
      ],
      ...["content_block_start", "content_block_stop"],
      ...[
        "content_block_start",
        "content_block_delta",
        "content_block_delta",
        "content_block_stop",
      ],
      "message_delta",
      "message_stop",
    ]);
    expect(events[0]).toMatchObject({ padding: "xxx", message: { model, stop_reason: null } });
    expect(at(events[0], "message.id")).toMatch(/^msg_[0-9a-f]{32}$/);
    expect(text).toContain('"signature":"sig=="');
    expect(text).toContain('{"type":"redacted_thinking","data":"xx"}');
    const last = events.at(-2);
    expect(last).toMatchObject({ padding: "xxx", usage: { service_tier: "standard" } });
    expect(at(last, "usage.cost")).toBe(usdNumber(await lastCharge()));
  });

  test("cached and cache-written tokens are billed once, each at its own price", async () => {
    for (const stream of [false, true]) {
      const script = { deltas: 2, cachedTokens: 4, cacheWriteTokens: 3 };
      const { text } = await ask(script, { stream });
      const json = stream ? (/data: (\{"type":"message_delta".*\})/.exec(text)?.[1] ?? "") : text;
      const usage = asObject(asObject(JSON.parse(json)).usage);
      expect(usage).toMatchObject({
        cache_read_input_tokens: 4,
        cache_creation_input_tokens: 3,
        output_tokens: 2,
      });
      const input = BigInt(Number(usage.input_tokens));
      expect(await lastCharge()).toBe(input * 100n + 4n * 25n + 3n * 125n + 2n * 400n);
    }
  });

  test("which stop sequence was met is passed on", async () => {
    const { text } = await ask({ deltas: 1, stopSequence: "END" }, { stop_sequences: ["END"] });
    expect(JSON.parse(text)).toMatchObject({ stop_reason: "stop_sequence", stop_sequence: "END" });
  });

  test("a stream without usage is billed by what was delivered", async () => {
    await ask({ deltas: 8, usage: "missing" }, { stream: true });
    expect(await lastCharge()).toBeGreaterThan(0n);
  });

  test.each([
    [{ cutAfterDeltas: 2, paceMs: 20 }, "event: error"],
    [{ errorAfterDeltas: 2 }, "event: error"],
    [{ noDone: true }, "event: error"],
  ])(
    "a stream that breaks (%j) ends in an error event and is never complete",
    async (broken, end) => {
      const { text } = await ask({ deltas: 5, ...broken }, { stream: true });
      expect(text).toContain(end);
      expect(text).not.toContain("message_stop");
    },
  );

  test.each([
    [529, 529, "overloaded_error"],
    [503, 529, "overloaded_error"],
    [429, 429, "rate_limit_error"],
    [401, 502, "api_error"],
    [500, 502, "api_error"],
  ])("an upstream's %d is %d %s, with the wait of the upstream", async (theirs, ours, type) => {
    const { status, text, headers } = await ask({
      status: theirs,
      headers: { "retry-after": "7" },
    });
    expect([status, at(JSON.parse(text), "error.type")]).toEqual([ours, type]);
    expect(headers.get("retry-after")).toBe(ours === 502 ? null : "7");
  });
});

describe("a caller of chat completions", () => {
  const client = new OpenAI({ apiKey: account.key, baseURL: server.baseUrl, maxRetries: 0 });
  const messages = (script: object): OpenAI.ChatCompletionMessageParam[] => [
    { role: "system", content: "Be brief." },
    { role: "user", content: scriptText(script) },
  ];

  test("a whole completion, with its bill", async () => {
    const script = { deltas: 3, cachedTokens: 4, cacheWriteTokens: 3 };
    const completion = await client.chat.completions.create({ model, messages: messages(script) });
    expect(completion.choices[0]).toMatchObject({
      finish_reason: "stop",
      message: { content: " tok tok tok" },
    });
    const usage: JsonObject = asObject(completion.usage);
    expect(usage.prompt_tokens_details).toMatchObject({ cached_tokens: 4, cache_write_tokens: 3 });
    const fresh = BigInt(Number(usage.prompt_tokens) - 7);
    const charged = await lastCharge();
    expect(charged).toBe(fresh * 100n + 4n * 25n + 3n * 125n + 3n * 400n);
    expect(usage.cost).toBe(usdNumber(charged));
    expect(server.upstream.requests.at(-1)?.parsed).toMatchObject({
      system: [{ type: "text", text: "Be brief." }],
      max_tokens: 16_384,
    });
  });

  test("a stream with tool calls and signed reasoning, and the turn after it", async () => {
    const toolCalls = [
      { name: "a", arguments: '{"x":1}' },
      { name: "b", arguments: "" },
    ];
    const script = { reasoning: 2, signature: "sig==", toolCalls };
    const tools = ["a", "b"].map((name) => ({ type: "function" as const, function: { name } }));
    const stream = client.chat.completions.stream({
      model,
      messages: messages(script),
      tools,
      stream_options: { include_usage: true },
    });
    const details: unknown[] = [];
    const thoughts: unknown[] = [];
    stream.on("chunk", (chunk) => {
      thoughts.push(at(chunk, "choices.0.delta.reasoning_content"));
      const detail = at(chunk, "choices.0.delta.reasoning_details.0");
      if (detail !== undefined) details.push(detail);
    });
    const completion = await stream.finalChatCompletion();
    const message = completion.choices[0]?.message;
    expect(completion.choices[0]?.finish_reason).toBe("tool_calls");
    expect(message?.tool_calls?.map((call) => at(call, "function.arguments"))).toEqual([
      '{"x":1}',
      "{}",
    ]);
    expect(thoughts.join("")).toBe(" tok tok");
    expect(completion.usage?.completion_tokens).toBeGreaterThan(2);
    const results = (message?.tool_calls ?? []).map(({ id }) => ({
      role: "tool" as const,
      tool_call_id: id,
      content: "done",
    }));
    const again = {
      role: "assistant" as const,
      content: null,
      tool_calls: message?.tool_calls,
      reasoning_details: details,
    };
    await client.chat.completions.create({
      model,
      tools,
      messages: [
        ...messages({ deltas: 1 }),
        again as OpenAI.ChatCompletionAssistantMessageParam,
        ...results,
      ],
    });
    const sent = server.upstream.requests.at(-1)?.parsed;
    expect(at(sent, "messages.1.content.0")).toEqual({
      type: "thinking",
      thinking: " tok tok",
      signature: "sig==",
    });
    expect(at(sent, "messages.2.content.1")).toMatchObject({ type: "tool_result" });
  });

  test("images and schemas are written in Anthropic's way", async () => {
    await client.chat.completions.create({
      model,
      messages: [
        {
          role: "user",
          content: [
            { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } },
            { type: "text", text: scriptText({ deltas: 1 }) },
          ],
        },
      ],
      response_format: {
        type: "json_schema",
        json_schema: { name: "s", schema: { type: "object" } },
      },
    });
    const sent = server.upstream.requests.at(-1)?.parsed;
    expect(at(sent, "messages.0.content.0.source")).toEqual({
      type: "base64",
      media_type: "image/png",
      data: "AA==",
    });
    expect(at(sent, "output_config.format.schema")).toEqual({ type: "object" });
  });

  test("what Anthropic has no word for is refused by name, and nothing is called", async () => {
    const before = server.upstream.requests.length;
    const refusal = await client.chat.completions
      .create({ model, messages: messages({}), n: 2 })
      .catch((thrown: unknown) => thrown);
    expect([at(refusal, "status"), at(refusal, "param")]).toEqual([400, "n"]);
    expect(server.upstream.requests.length).toBe(before);
  });

  test("a stream that breaks ends in an error", async () => {
    const stream = await client.chat.completions.create({
      model,
      messages: messages({ deltas: 5, errorAfterDeltas: 2 }),
      stream: true,
    });
    const read = async () => {
      for await (const _ of stream);
    };
    expect(await read().catch((thrown: unknown) => at(thrown, "code"))).toBe("bad_gateway");
  });
});
