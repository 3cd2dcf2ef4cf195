// The AI SDK with its OpenAI provider in default mode, which uses the Responses API, against the running
// server with only a base URL and a key.
import { expect, test } from "bun:test";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, isStepCount, Output } from "ai";
import { z } from "zod";
import {
  answerWith,
  asObject,
  at,
  startTestServer,
  testModels,
  useServer,
} from "../../../harness/index.ts";
import { testAiSdk } from "./test-ai-sdk.ts";
import { weather, weatherIn } from "./weather-tool.ts";

const { server, account } = await useServer(startTestServer());

const connect = (apiKey: string) => createOpenAI({ apiKey, baseURL: server.baseUrl });
const model = connect(account.key)(testModels.cheap);

const inOslo = [weatherIn("Oslo")];

testAiSdk({ server, account, connect });

test("with store: false a conversation sends its text and its reasoning back", async () => {
  const options = {
    model,
    tools: { weather },
    stopWhen: isStepCount(3),
    providerOptions: {
      openai: {
        store: false,
        include: ["reasoning.encrypted_content"],
        reasoningSummary: "auto",
        forceReasoning: true,
      },
    },
  } as const;
  answerWith(server, { reasoning: 2, text: "Let me see.", toolCalls: inOslo }, { text: "Clear." });
  const first = await generateText({ ...options, prompt: "How is the weather?" });
  expect(first.text).toBe("Clear.");
  expect(first.steps[0]?.reasoningText).toBe(" tok tok");
  const sent = asObject(server.upstream.requests.at(-1)?.parsed);
  expect(at(sent, "messages.1.content")).toBe("Let me see.");
  expect(at(sent, "messages.1.reasoning_details.0.text")).toBe(" tok tok");
});

test("structured output: the schema is sent and its object parsed", async () => {
  answerWith(server, { text: '{"city":"Oslo"}' });
  const { output } = await generateText({
    model,
    prompt: "Which city?",
    output: Output.object({ schema: z.object({ city: z.string() }) }),
  });
  expect(output).toEqual({ city: "Oslo" });
  const sent = asObject(server.upstream.requests.at(-1)?.parsed);
  expect(at(sent, "response_format.type")).toBe("json_schema");
});
