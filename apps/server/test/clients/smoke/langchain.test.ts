// LangChain's chat model over both of OpenAI's APIs: a whole answer and a stream with their usage, each paid once.
import { describe, expect, test } from "bun:test";
import { AIMessageChunk } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import {
  at,
  countCalls,
  scriptText,
  startTestServer,
  testModels,
  useServer,
} from "../../harness/index.ts";

const { server, account } = await useServer(startTestServer());

describe.each([
  ["chat completions", false],
  ["responses", true],
])("ChatOpenAI over %s", (_, useResponsesApi) => {
  const model = new ChatOpenAI({
    model: testModels.cheap,
    apiKey: account.key,
    configuration: { baseURL: server.baseUrl },
    useResponsesApi,
  });

  test("invoke(): a whole answer with its usage", async () => {
    const { calls, charges } = await countCalls(server, account, async () => {
      const message = await model.invoke(scriptText({ deltas: 3, cachedTokens: 2 }));
      expect(message.text).toBe(" tok tok tok");
      expect(message.usage_metadata).toMatchObject({
        output_tokens: 3,
        input_token_details: { cache_read: 2 },
      });
    });
    expect([calls, charges.length]).toEqual([1, 1]);
  });

  test("stream(): a complete stream with its usage", async () => {
    const { calls, charges } = await countCalls(server, account, async () => {
      // As LangChain's users join chunks.
      let whole = new AIMessageChunk("");
      for await (const chunk of await model.stream(scriptText({ deltas: 4 }))) {
        whole = whole.concat(chunk);
      }
      expect(whole.text).toBe(" tok".repeat(4));
      expect(at(whole, "usage_metadata.output_tokens")).toBe(4);
    });
    expect([calls, charges.length]).toEqual([1, 1]);
  });
});
