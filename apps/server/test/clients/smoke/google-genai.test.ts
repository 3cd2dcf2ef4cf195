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
