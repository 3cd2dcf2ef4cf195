// The AI SDK with its Anthropic provider against the running server, over upstreams of both languages.
import { describe, expect, test } from "bun:test";
import { createAnthropic } from "@ai-sdk/anthropic";
import { generateText, isStepCount, Output, streamText } from "ai";
import { z } from "zod";
import {
  answerWith,
  at,
  scriptText,
  startTestServer,
  testModels,
  testRetries,
  useServer,
} from "../harness/index.ts";
import { weather, weatherIn } from "../sdk/weather-tool.ts";

const { server, account } = await useServer(startTestServer());

const connect = (apiKey: string) => createAnthropic({ apiKey, baseURL: server.baseUrl });

const inOslo = [weatherIn("Oslo")];

describe.each([
  ["openai-compatible", testModels.cheap],
  ["anthropic", testModels.anthropic],
])("over an upstream of kind %s", (_, id) => {
  const model = connect(account.key)(id);

  test("generateText: a whole answer with its usage", async () => {
    const prompt = scriptText({ deltas: 3, cachedTokens: 2 });
    const { text, finishReason, usage } = await generateText({ model, prompt });
    expect([text, finishReason, usage.outputTokens]).toEqual([" tok tok tok", "stop", 3]);
    expect(usage.inputTokens).toBeGreaterThan(2);
  });

  test("streamText: a stream, to its end, with its usage", async () => {
    const stream = streamText({ model, prompt: scriptText({ deltas: 4 }) });
    let text = "";
    for await (const part of stream.textStream) text += part;
    const usage = await stream.usage;
    expect([text, await stream.finishReason, usage.outputTokens]).toEqual([
      " tok".repeat(4),
      "stop",
      4,
    ]);
    expect(usage.inputTokens).toBeGreaterThan(5);
  });

  test("generateText runs a tool and goes on with its result", async () => {
    answerWith(server, { toolCalls: inOslo }, { text: "It is clear." });
    const tools = { weather };
    const prompt = "How is the weather?";
    const asked = { model, prompt, tools, stopWhen: isStepCount(3) };
    const { text, steps } = await generateText(asked);
    expect([text, steps.length]).toEqual(["It is clear.", 2]);
    expect(JSON.stringify(server.upstream.requests.at(-1)?.parsed)).toContain("clear");
  });

  test("thinking and structured output", async () => {
    answerWith(server, { reasoning: 2, signature: "sig==", text: '{"city":"Oslo"}' });
    const { output, reasoningText } = await generateText({
      model,
      prompt: "Which city?",
      maxOutputTokens: 4_000,
      providerOptions: { anthropic: { thinking: { type: "enabled", budgetTokens: 1_024 } } },
      output: Output.object({ schema: z.object({ city: z.string() }) }),
    });
    expect([output.city, reasoningText]).toEqual(["Oslo", " tok tok"]);
  });

  testRetries(server, account, 2, () => generateText({ model, prompt: "again" }));

  test("a refusal has its status and Anthropic's message", async () => {
    const refused = generateText({
      model: connect("sk-wrong")(id),
      prompt: scriptText({}),
      maxRetries: 0,
    });
    const error = await refused.catch((thrown: unknown) => thrown);
    expect(at(error, "statusCode")).toBe(401);
    expect(String(at(error, "message"))).toContain("Incorrect API key");
  });
});
