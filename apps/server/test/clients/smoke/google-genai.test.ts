// The official `@google/genai`: a whole answer and a stream, each paid once.
import { expect, test } from "bun:test";
import { GoogleGenAI } from "@google/genai";
import {
  countCalls,
  scriptText,
  startTestServer,
  testModels,
  useServer,
} from "../../harness/index.ts";

const { server, account } = await useServer(startTestServer());

const client = new GoogleGenAI({ apiKey: account.key, httpOptions: { baseUrl: server.url } });
const model = testModels.cheap;

test("a whole answer and a stream, each paid once", async () => {
  const { calls, charges } = await countCalls(server, account, async () => {
    const contents = scriptText({ deltas: 3 });
    const whole = await client.models.generateContent({ model, contents });
    expect([whole.text, whole.usageMetadata?.candidatesTokenCount]).toEqual([" tok tok tok", 3]);
    let streamed = "";
    for await (const chunk of await client.models.generateContentStream({ model, contents })) {
      streamed += chunk.text ?? "";
    }
    expect(streamed).toBe(" tok tok tok");
  });
  expect([calls, charges.length]).toEqual([2, 2]);
});

test("the same of its Interactions API", async () => {
  const { calls, charges } = await countCalls(server, account, async () => {
    const input = scriptText({ deltas: 3 });
    const whole = await client.interactions.create({ model, input });
    expect([whole.output_text, whole.usage?.total_output_tokens]).toEqual([" tok tok tok", 3]);
    let streamed = "";
    for await (const event of await client.interactions.create({ model, input, stream: true })) {
      if (event.event_type === "step.delta" && event.delta.type === "text") {
        streamed += event.delta.text;
      }
    }
    expect(streamed).toBe(" tok tok tok");
  });
  expect([calls, charges.length]).toEqual([2, 2]);
});
