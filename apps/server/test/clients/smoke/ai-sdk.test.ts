// The AI SDK with each provider that reaches the server by a base URL and a key: a whole answer and a stream with their
// usage, each paid once.
import { describe, expect, test } from "bun:test";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import { generateText, type LanguageModel, streamText } from "ai";
import {
  countCalls,
  scriptText,
  startTestServer,
  testModels,
  useServer,
} from "../../harness/index.ts";

const { server, account } = await useServer(startTestServer());

const options = { apiKey: account.key, baseURL: server.baseUrl };

describe.each<[string, LanguageModel]>([
  ["@ai-sdk/openai", createOpenAI(options)(testModels.cheap)],
  [
    "@ai-sdk/openai-compatible",
    createOpenAICompatible({ ...options, name: "turnpike", includeUsage: true })(testModels.cheap),
  ],
  [
    "@openrouter/ai-sdk-provider",
    createOpenRouter({ ...options, compatibility: "strict" })(testModels.cheap),
  ],
  ["@ai-sdk/anthropic, translated", createAnthropic(options)(testModels.cheap)],
  ["@ai-sdk/anthropic", createAnthropic(options)(testModels.anthropic)],
])("%s", (_, model) => {
  test("generateText: a whole answer with its usage", async () => {
    const { calls, charges } = await countCalls(server, account, async () => {
      const whole = await generateText({ model, prompt: scriptText({ deltas: 3 }) });
      const { text, finishReason, usage } = whole;
      expect([text, finishReason, usage.outputTokens]).toEqual([" tok tok tok", "stop", 3]);
      expect(usage.inputTokens).toBeGreaterThan(2);
    });
    expect([calls, charges.length]).toEqual([1, 1]);
  });

  test("streamText: a complete stream with its usage", async () => {
    const { calls, charges } = await countCalls(server, account, async () => {
      const stream = streamText({ model, prompt: scriptText({ deltas: 4 }) });
      let text = "";
      for await (const part of stream.textStream) text += part;
      expect([text, await stream.finishReason]).toEqual([" tok".repeat(4), "stop"]);
      expect((await stream.usage).outputTokens).toBe(4);
      expect((await stream.usage).inputTokens).toBeGreaterThan(5);
    });
    expect([calls, charges.length]).toEqual([1, 1]);
  });
});
