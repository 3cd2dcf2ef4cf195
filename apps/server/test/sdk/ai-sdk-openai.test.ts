// The AI SDK with its OpenAI provider in default mode, which speaks the Responses API, against the running
// server with nothing but a base URL and a key.
import { expect, test } from "bun:test";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, isStepCount, Output, streamText } from "ai";
import { z } from "zod";
import {
  answerWith,
  asObject,
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

const connect = (apiKey: string) => createOpenAI({ apiKey, baseURL: server.baseUrl });
const model = connect(account.key)(testModels.cheap);

const inOslo = [weatherIn("Oslo")];

test("generateText: a whole answer with its usage", async () => {
  const { text, finishReason, usage } = await generateText({
    model,
    prompt: scriptText({ deltas: 3 }),
  });
  expect(text).toBe(" tok tok tok");
  expect(finishReason).toBe("stop");
  expect(usage.outputTokens).toBe(3);
});

test("streamText: a stream, to its end", async () => {
  const stream = streamText({ model, prompt: scriptText({ deltas: 4 }) });
  let text = "";
  for await (const part of stream.textStream) text += part;
  expect(text).toBe(" tok".repeat(4));
  expect(await stream.finishReason).toBe("stop");
  expect((await stream.usage).outputTokens).toBe(4);
});

test("generateText runs a tool and goes on with its result", async () => {
  answerWith(server, { toolCalls: inOslo }, { text: "It is clear." });
  const { text, steps } = await generateText({
    model,
    prompt: "How is the weather?",
    tools: { weather },
    stopWhen: isStepCount(3),
  });
  expect(text).toBe("It is clear.");
  expect(steps).toHaveLength(2);
  const sent = asObject(server.upstream.requests.at(-1)?.parsed);
  expect(at(sent, "messages.1.tool_calls.0.function.name")).toBe("weather");
  expect(at(sent, "messages.2.content")).toBe('{"city":"Oslo","sky":"clear"}');
});

test("streamText runs parallel tool calls of a reasoning model", async () => {
  const both = [...inOslo, weatherIn("Rome")];
  answerWith(server, { reasoning: 2, toolCalls: both }, { text: "Both are clear." });
  const stream = streamText({
    model,
    prompt: "How is the weather?",
    tools: { weather },
    stopWhen: isStepCount(3),
  });
  await stream.consumeStream();
  expect(await stream.text).toBe("Both are clear.");
  const sent = asObject(server.upstream.requests.at(-1)?.parsed);
  expect(at(sent, "messages.1.tool_calls")).toHaveLength(2);
});

test("with store: false a conversation carries its text and its reasoning back", async () => {
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

test("a reference to stored text is refused with what to do about it", async () => {
  answerWith(server, { text: "Let me see.", toolCalls: inOslo });
  const call = generateText({
    model,
    prompt: "How is the weather?",
    tools: { weather },
    stopWhen: isStepCount(3),
  });
  await expect(Promise.resolve(call)).rejects.toThrow("`store: false`");
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
  expect(errors).toHaveLength(1);
  expect(JSON.stringify(parts.at(-1))).not.toContain('"finishReason":"stop"');
});

test("a call without money is not retried and reaches no upstream", async () => {
  const { calls } = await countCalls(server, poor, async () => {
    const unpaid = generateText({ model: connect(poor.key)(testModels.cheap), prompt: "hello" });
    expect(await catchError(unpaid)).toMatchObject({ statusCode: 402 });
  });
  expect(calls).toBe(0);
});

test("a failing upstream is retried, and nothing is charged", async () => {
  const { calls, charges } = await countCalls(server, account, async () => {
    const failing = generateText({ model, prompt: scriptText({ status: 500 }), maxRetries: 1 });
    expect(await catchError(failing)).toMatchObject({ reason: "maxRetriesExceeded" });
  });
  expect([calls, charges]).toEqual([2, []]);
});

testRetries(server, account, 2, () => generateText({ model, prompt: "again" }));
