// The AI SDK with its Anthropic provider against the running server, over upstreams of both languages.
import { describe, expect, test } from "bun:test";
import { createAnthropic } from "@ai-sdk/anthropic";
import { generateText, Output } from "ai";
import { z } from "zod";
import { answerWith, startTestServer, testModels, useServer } from "../../../harness/index.ts";
import { testAiSdk } from "./test-ai-sdk.ts";

const { server, account } = await useServer(startTestServer());

const connect = (apiKey: string) => createAnthropic({ apiKey, baseURL: server.baseUrl });

describe.each([
  ["openai-compatible", testModels.cheap],
  ["anthropic", testModels.anthropic],
])("over an upstream of kind %s", (_, id) => {
  const model = connect(account.key)(id);
  testAiSdk({ server, account, connect }, id);

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
});
