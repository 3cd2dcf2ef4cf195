// Chat completions over a provider with Anthropic's API: clients cannot tell the difference.
import { describe, expect, test } from "bun:test";
import OpenAI from "openai";
import {
  asObject,
  at,
  type JsonObject,
  readLastCharge,
  scriptText,
  startTestServer,
  testModels,
  usdNumber,
  useServer,
} from "../harness/index.ts";

const { server, account } = await useServer(startTestServer());

const model = testModels.anthropic;

const lastCharge = () => readLastCharge(server, account);

describe("a caller of chat completions", () => {
  const client = new OpenAI({ apiKey: account.key, baseURL: server.baseUrl, maxRetries: 0 });
  const messages = (script: object): OpenAI.ChatCompletionMessageParam[] => [
    { role: "system", content: "Be brief." },
    { role: "user", content: scriptText(script) },
  ];

  test("a whole completion, with its bill", async () => {
    const script = { deltas: 3, cachedTokens: 4, cacheWriteTokens: 3 };
    const marks = { cache_control: { type: "ephemeral" } };
    const asked = { model, messages: messages(script), ...marks };
    const completion = await client.chat.completions.create(asked);
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

  test("images and schemas are translated into Anthropic's format", async () => {
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
        json_schema: { name: "s", schema: { type: "object", properties: {} } },
      },
    });
    const sent = server.upstream.requests.at(-1)?.parsed;
    expect(at(sent, "messages.0.content.0.source")).toEqual({
      type: "base64",
      media_type: "image/png",
      data: "AA==",
    });
    expect(at(sent, "output_config.format.schema")).toEqual({
      type: "object",
      properties: {},
      required: [],
      additionalProperties: false,
    });
  });

  test("an answer in JSON can be parsed, whole and streamed, whatever the model puts around it", async () => {
    const asked = {
      model,
      messages: messages({ text: '```json\n{"city": "Paris"}\n```' }),
      response_format: { type: "json_object" as const },
    };
    const whole = await client.chat.completions.create(asked);
    expect(JSON.parse(whole.choices[0]?.message.content ?? "")).toEqual({ city: "Paris" });
    const sent = server.upstream.requests.at(-1)?.parsed;
    expect(at(sent, "system.1.text")).toContain("JSON object");
    let streamed = "";
    for await (const chunk of await client.chat.completions.create({ ...asked, stream: true })) {
      streamed += chunk.choices[0]?.delta.content ?? "";
    }
    expect(JSON.parse(streamed)).toEqual({ city: "Paris" });
  });

  test("fields without an equivalent at Anthropic are refused by name, before anything is called", async () => {
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
