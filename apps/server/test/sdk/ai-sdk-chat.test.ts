// The AI SDK with the two providers that speak chat completions, `@ai-sdk/openai-compatible` and
// `@openrouter/ai-sdk-provider`, against the running server with nothing but a base URL and a key.
import { describe, expect, test } from "bun:test";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import { embeddingOf } from "@turnpike/testing";
import {
  APICallError,
  embedMany,
  generateText,
  isStepCount,
  Output,
  RetryError,
  streamText,
} from "ai";
import { z } from "zod";
import {
  answerWith,
  at,
  catchError,
  countCalls,
  openAccount,
  scriptText,
  startTestServer,
  testModels,
  testRetries,
  useServer,
} from "../harness/index.ts";
import { weather, weatherIn } from "./weather-tool.ts";

const { server, account } = await useServer(startTestServer());
const poor = await openAccount(server, { usd: "0" });

/** Usage in streams is sent to those who ask for it, which this provider does when it is strict. */
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

  test("generateText: a whole answer with its usage", async () => {
    const prompt = scriptText({ deltas: 3, cachedTokens: 2 });
    const { text, finishReason, usage } = await generateText({ model, prompt });
    expect([text, finishReason, usage.outputTokens]).toEqual([" tok tok tok", "stop", 3]);
    expect(usage.inputTokenDetails.cacheReadTokens).toBe(2);
  });

  test("streamText: a stream with reasoning, to its end, with its usage", async () => {
    const stream = streamText({ model, prompt: scriptText({ reasoning: 2, deltas: 4 }) });
    let text = "";
    for await (const part of stream.textStream) text += part;
    expect(text).toBe(" tok".repeat(4));
    expect(await stream.finishReason).toBe("stop");
    expect((await stream.usage).outputTokens).toBe(6);
    expect((await stream.finalStep).reasoningText).toBe(" tok tok");
  });

  test("generateText runs a tool and goes on with its result", async () => {
    answerWith(server, { toolCalls: [weatherIn("Oslo")] }, { text: "It is clear." });
    const asked = { model, prompt: "How is the weather?", tools: { weather } };
    const { text, steps } = await generateText({ ...asked, stopWhen: isStepCount(3) });
    expect([text, steps.length]).toEqual(["It is clear.", 2]);
    const sent = server.upstream.requests.at(-1)?.parsed;
    expect(at(sent, "messages.1.tool_calls.0.function.name")).toBe("weather");
    expect(at(sent, "messages.2.content")).toBe('{"city":"Oslo","sky":"clear"}');
  });

  test("streamText runs parallel tool calls", async () => {
    const toolCalls = [weatherIn("Oslo"), weatherIn("Rome")];
    answerWith(server, { reasoning: 1, toolCalls }, { text: "Both are clear." });
    const asked = { model, prompt: "How is the weather?", tools: { weather } };
    const stream = streamText({ ...asked, stopWhen: isStepCount(3) });
    await stream.consumeStream();
    expect(await stream.text).toBe("Both are clear.");
    const sent = server.upstream.requests.at(-1)?.parsed;
    expect(at(sent, "messages.1.tool_calls")).toHaveLength(2);
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

  test("refusals are the SDK's APICallError with our message, and are not retried", async () => {
    const cases: readonly (readonly [string, string, number, string])[] = [
      ["sk-wrong", testModels.cheap, 401, "Incorrect API key"],
      [poor.key, testModels.cheap, 402, "Add funds"],
      [account.key, "test/none", 404, "test/none"],
    ];
    const { calls, charges } = await countCalls(server, account, async () => {
      for (const [key, id, statusCode, message] of cases) {
        const error = await catchError(generateText({ model: connect(key)(id), prompt: "hello" }));
        if (!APICallError.isInstance(error)) throw new Error(`not refused: ${String(error)}`);
        expect([error.statusCode, error.isRetryable]).toEqual([statusCode, false]);
        expect(error.message).toContain(message);
      }
    });
    expect([calls, charges]).toEqual([0, []]);
  });

  testRetries(server, account, 2, () => generateText({ model, prompt: "again" }));

  test("retries against an upstream that keeps failing end, and nothing is charged", async () => {
    const { calls, charges } = await countCalls(server, account, async () => {
      const prompt = scriptText({ status: 500 });
      const error = await catchError(generateText({ model, prompt, maxRetries: 1 }));
      expect(RetryError.isInstance(error)).toBe(true);
    });
    expect([calls, charges]).toEqual([2, []]);
  });

  test("an answer that breaks off is an error, never a complete one", async () => {
    answerWith(server, { deltas: 9, paceMs: 20, cutAfterDeltas: 3 });
    const errors: unknown[] = [];
    const stream = streamText({
      model,
      prompt: "hello",
      onError: ({ error }) => void errors.push(error),
    });
    const parts: unknown[] = [];
    for await (const part of stream.fullStream) parts.push(part);
    expect(errors).not.toEqual([]);
    expect(JSON.stringify(parts.at(-1))).not.toContain('"finishReason":"stop"');
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

  test("reasoning is carried back with its signature in the turn after a tool call", async () => {
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

  test("models and provider preferences: the next model answers where the first fails", async () => {
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
