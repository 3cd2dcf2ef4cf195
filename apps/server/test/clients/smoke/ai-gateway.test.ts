// The AI SDK's own gateway provider in the major versions in use, with only a base URL and a key: a whole answer and a stream with
// their usage, each paid once.
import { describe, expect, test } from "bun:test";
import {
  at,
  countCalls,
  scriptText,
  startTestServer,
  testModels,
  useServer,
} from "../../harness/index.ts";
import { majors } from "../ai-sdk-majors.ts";

const { server, account } = await useServer(startTestServer());

describe.each(majors)("AI SDK %s", (_, { sdk, base }) => {
  const gateway = sdk.createGateway({ apiKey: account.key, baseURL: `${server.url}${base}` });
  const model = gateway(testModels.cheap);

  test("generateText: a whole answer with its usage and its cost", async () => {
    const { calls, charges } = await countCalls(server, account, async () => {
      const whole = await sdk.generateText({ model, prompt: scriptText({ deltas: 3 }) });
      const { text, finishReason, usage } = whole;
      expect([text, finishReason, usage.outputTokens]).toEqual([" tok tok tok", "stop", 3]);
      expect(usage.inputTokens).toBeGreaterThan(2);
      expect(Number(at(whole.providerMetadata, "gateway.cost"))).toBeGreaterThan(0);
    });
    expect([calls, charges.length]).toEqual([1, 1]);
  });

  test("streamText: a complete stream with its usage", async () => {
    const { calls, charges } = await countCalls(server, account, async () => {
      const stream = sdk.streamText({ model, prompt: scriptText({ deltas: 4 }) });
      let text = "";
      for await (const part of stream.textStream) text += part;
      expect([text, await stream.finishReason]).toEqual([" tok".repeat(4), "stop"]);
      expect((await stream.usage).outputTokens).toBe(4);
      expect((await stream.usage).inputTokens).toBeGreaterThan(5);
    });
    expect([calls, charges.length]).toEqual([1, 1]);
  });
});
