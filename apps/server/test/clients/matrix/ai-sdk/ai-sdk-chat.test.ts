// The AI SDK with the two providers that use chat completions, `@ai-sdk/openai-compatible` and
// `@openrouter/ai-sdk-provider`, against the running server with only a base URL and a key.
import { describe, expect, test } from "bun:test";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import { embeddingOf } from "@turnpike/testing";
import { embedMany, generateText, isStepCount, Output, streamText } from "ai";
import { z } from "zod";
import {
  answerWith,
  at,
  countCalls,
  scriptText,
  startTestServer,
  testModels,
  useServer,
} from "../../../harness/index.ts";
import { testAiSdk } from "./test-ai-sdk.ts";
import { weather, weatherIn } from "./weather-tool.ts";

const { server, account } = await useServer(startTestServer());

/** Usage in streams is sent only if requested, which this provider does if it is strict. */
const openRouterOf = (apiKey: string) =>
  createOpenRouter({ apiKey, baseURL: server.baseUrl, compatibility: "strict" });
const compatibleOf = (apiKey: string) =>
  createOpenAICompatible({
    name: "turnpike",
    apiKey,
    baseURL: server.baseUrl,
    includeUsage: true,
    supportsStructuredOutputs: true,
  });

describe.each([
  ["@ai-sdk/openai-compatible", compatibleOf],
  ["@openrouter/ai-sdk-provider", openRouterOf],
])("%s", (_, connect) => {
  const model = connect(account.key)(testModels.cheap);
  testAiSdk({ server, account, connect });

  test("generateText: cached tokens", async () => {
    const prompt = scriptText({ deltas: 3, cachedTokens: 2 });
    const { usage } = await generateText({ model, prompt });
    expect(usage.inputTokenDetails.cacheReadTokens).toBe(2);
  });

  test("streamText: a complete stream with reasoning and usage", async () => {
    const stream = streamText({ model, prompt: scriptText({ reasoning: 2, deltas: 4 }) });
    let text = "";
    for await (const part of stream.textStream) text += part;
    expect(text).toBe(" tok".repeat(4));
    expect(await stream.finishReason).toBe("stop");
    expect((await stream.usage).outputTokens).toBe(6);
    expect((await stream.finalStep).reasoningText).toBe(" tok tok");
  });

  test("structured output: the schema is sent and its object parsed", async () => {
    answerWith(server, { text: '{"city":"Oslo"}' });
    const schema = z.object({ city: z.string() });
    const asked = { model, prompt: "Which city?", output: Output.object({ schema }) };
    expect((await generateText(asked)).output).toEqual({ city: "Oslo" });
    const sent = server.upstream.requests.at(-1)?.parsed;
    expect(at(sent, "response_format.type")).toBe("json_schema");
    expect(at(sent, "response_format.json_schema.schema.properties")).toHaveProperty("city");
  });

  test("embedMany: a vector for each text", async () => {
    const values = ["one text", "another text"];
    const embeddings = connect(account.key).textEmbeddingModel(testModels.embeddings);
    const answer = await embedMany({ model: embeddings, values });
    expect(answer.embeddings).toEqual(values.map((text) => embeddingOf(text, 256)));
    expect(answer.usage.tokens).toBe(5);
  });
});

describe("@openrouter/ai-sdk-provider", () => {
  const openRouter = openRouterOf(account.key);

  test("usage accounting: the cost of a call, whole and streamed", async () => {
    const model = openRouter(testModels.cheap, { usage: { include: true } });
    const costs: unknown[] = [];
    const { charges } = await countCalls(server, account, async () => {
      const whole = await generateText({ model, prompt: scriptText({ deltas: 3 }) });
      costs.push(at(whole.finalStep.providerMetadata, "openrouter.usage.cost"));
      const stream = streamText({ model, prompt: scriptText({ deltas: 4 }) });
      await stream.consumeStream();
      costs.push(at((await stream.finalStep).providerMetadata, "openrouter.usage.cost"));
    });
    expect(costs).toEqual(charges.map((nanos) => Number(nanos) / 1e9));
  });

  test("at OpenRouter's base path the provider's default settings get the usage of a stream", async () => {
    const baseURL = server.baseUrl.replace("/v1", "/api/v1");
    const plain = createOpenRouter({ apiKey: account.key, baseURL });
    const stream = streamText({
      model: plain(testModels.cheap),
      prompt: scriptText({ deltas: 4 }),
    });
    await stream.consumeStream();
    expect((await stream.usage).outputTokens).toBe(4);
    expect(at((await stream.finalStep).providerMetadata, "openrouter.usage.cost")).toBeNumber();
  });

  test("an application that names itself as to OpenRouter gets the usage of a stream", async () => {
    for (const name of [{ appName: "Ferry" }, { appUrl: "https://ferry.example" }]) {
      const plain = createOpenRouter({ apiKey: account.key, baseURL: server.baseUrl, ...name });
      const stream = streamText({
        model: plain(testModels.cheap),
        prompt: scriptText({ deltas: 4 }),
      });
      await stream.consumeStream();
      expect((await stream.usage).outputTokens).toBe(4);
    }
  });

  test("reasoning is sent back with its signature in the turn after a tool call", async () => {
    const thought = { reasoning: 2, signature: "sig==", toolCalls: [weatherIn("Oslo")] };
    answerWith(server, thought, { text: "It is clear." });
    const { text } = await generateText({
      model: openRouter(testModels.anthropic, { reasoning: { max_tokens: 1_024 } }),
      prompt: "How is the weather?",
      tools: { weather },
      stopWhen: isStepCount(3),
    });
    expect(text).toBe("It is clear.");
    expect(at(server.upstream.requests.at(-1)?.parsed, "messages.1.content.0")).toEqual({
      type: "thinking",
      thinking: " tok tok",
      signature: "sig==",
    });
  });

  test("models and provider preferences: the next model answers if the first fails", async () => {
    answerWith(server, { status: 500 }, { deltas: 1 });
    const { response, finishReason } = await generateText({
      model: openRouter(testModels.cheap, {
        models: [testModels.plain],
        provider: { allow_fallbacks: true },
      }),
      prompt: "hello",
      maxRetries: 0,
    });
    expect([response.modelId, finishReason]).toEqual([testModels.plain, "stop"]);
  });
});
