// The AI SDK's gateway provider in the major versions in use, over every dialect of an upstream: tools in two steps with the reasoning
// of the first, whole and streamed, structured output, and a fault in the middle of a stream.
import { describe, expect, test } from "bun:test";
import { isStepCount } from "ai";
import { z } from "zod";
import { answerWith, startTestServer, useServer } from "../../../harness/index.ts";
import { majors } from "../../ai-sdk-majors.ts";
import { dialectCatalog, dialects } from "../../over-dialects.ts";
import { weather, weatherIn } from "../ai-sdk/weather-tool.ts";

const { server, account } = await useServer(startTestServer({ catalog: dialectCatalog }));

const thought = { reasoning: 2, signature: "sig==" };
const cases = majors.flatMap(([major, client]) =>
  dialects.map((dialect) => ({ major, dialect, ...client })),
);

describe.each(cases)("AI SDK $major over $dialect", ({ sdk, base, dialect }) => {
  const gateway = sdk.createGateway({ apiKey: account.key, baseURL: `${server.url}${base}` });
  const model = gateway(`over/${dialect}`);
  const lastSent = () => JSON.stringify(server.upstream.requests.at(-1)?.parsed);
  const asked = {
    model,
    prompt: "How is the weather?",
    tools: { weather },
    stopWhen: isStepCount(3),
  };

  test("generateText runs a tool and continues with its result", async () => {
    answerWith(server, { ...thought, toolCalls: [weatherIn("Oslo")] }, { text: "It is clear." });
    const { text, steps } = await sdk.generateText(asked);
    expect([text, steps.length, steps[0]?.finishReason]).toEqual(["It is clear.", 2, "tool-calls"]);
    expect(JSON.stringify(steps[0]?.toolResults)).toContain('"sky":"clear"');
    for (const part of ["weather", "Oslo", "sky", "clear"]) expect(lastSent()).toContain(part);
    if (dialect === "anthropic") expect(lastSent()).toContain("sig==");
  });

  test("streamText runs parallel calls of a tool", async () => {
    const toolCalls = [weatherIn("Oslo"), weatherIn("Rome")];
    answerWith(server, { ...thought, toolCalls }, { text: "Both are clear." });
    const stream = sdk.streamText(asked);
    await stream.consumeStream();
    expect(await stream.text).toBe("Both are clear.");
    for (const city of ["Oslo", "Rome"]) expect(lastSent()).toContain(city);
    if (dialect === "anthropic") expect(lastSent()).toContain("sig==");
  });

  test("generateObject: the schema is sent and its object parsed", async () => {
    answerWith(server, { text: '{"city":"Oslo"}' });
    const schema = z.object({ city: z.string() });
    const { object } = await sdk.generateObject({ model, prompt: "Which city?", schema });
    expect(object).toEqual({ city: "Oslo" });
    expect(lastSent()).toContain('"city"');
  });

  test("an answer that breaks off is an error, never a complete one", async () => {
    answerWith(server, { deltas: 9, paceMs: 20, cutAfterDeltas: 3 });
    const errors: unknown[] = [];
    const onError = ({ error }: { readonly error: unknown }) => void errors.push(error);
    const stream = sdk.streamText({ model, prompt: "hello", onError });
    const parts: unknown[] = [];
    for await (const part of stream.fullStream) parts.push(part);
    expect(errors).not.toEqual([]);
    expect(JSON.stringify(parts.at(-1))).not.toContain('"finishReason":"stop"');
  });
});
