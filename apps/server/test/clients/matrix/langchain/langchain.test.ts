// LangChain with `@langchain/openai` against the running server with only a base URL and a key: its
// chat model over both of OpenAI's APIs, and its embeddings.
import { describe, expect, test } from "bun:test";
import { AIMessageChunk, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { ChatOpenAI, OpenAIEmbeddings } from "@langchain/openai";
import { embeddingOf } from "@turnpike/testing";
import OpenAI from "openai";
import { z } from "zod";
import {
  answerWith,
  at,
  catchError,
  countCalls,
  openAccount,
  scriptText,
  startTestServer,
  testModels,
  testRetries,
  useServer,
} from "../../../harness/index.ts";

const { server, account } = await useServer(startTestServer());
const poor = await openAccount(server, { usd: "0" });

const configuration = { baseURL: server.baseUrl };
const weather = tool(async ({ city }) => `Clear in ${city}.`, {
  name: "weather",
  description: "The weather of a city.",
  schema: z.object({ city: z.string() }),
});
const inOslo = { name: "weather", arguments: '{"city":"Oslo"}' };

const broken = scriptText({ deltas: 9, paceMs: 20, cutAfterDeltas: 3 });

type Fields = { readonly model?: string; readonly maxRetries?: number };

function connectChat(apiKey: string, useResponsesApi: boolean, fields: Fields = {}): ChatOpenAI {
  const model = testModels.cheap;
  return new ChatOpenAI({ model, apiKey, configuration, useResponsesApi, ...fields });
}

/** The chunks of a stream, joined as LangChain's users join them. */
async function readAll(model: Pick<ChatOpenAI, "stream">, prompt: string): Promise<AIMessageChunk> {
  let whole = new AIMessageChunk("");
  for await (const chunk of await model.stream(prompt)) whole = whole.concat(chunk);
  return whole;
}

describe.each([
  ["chat completions", false],
  ["responses", true],
])("ChatOpenAI over %s", (_, useResponsesApi) => {
  const connect = (apiKey: string, fields: Fields = {}) =>
    connectChat(apiKey, useResponsesApi, fields);
  const model = connect(account.key);

  test("a tool is called, streamed and whole, and its result answered", async () => {
    answerWith(server, { toolCalls: [inOslo] }, { toolCalls: [inOslo] }, { text: "It is clear." });
    const withTools = model.bindTools([weather]);
    const question = new HumanMessage("How is the weather?");
    const streamed = await readAll(withTools, "How is the weather?");
    const message = await withTools.invoke([question]);
    for (const { tool_calls } of [streamed, message]) {
      expect(tool_calls).toMatchObject([{ name: "weather", args: { city: "Oslo" } }]);
    }
    const [call] = message.tool_calls ?? [];
    if (call?.id === undefined) throw new Error("the tool was not called");
    const result: unknown = await weather.invoke(call);
    if (!ToolMessage.isInstance(result)) throw new Error("the tool returned no message");
    const answer = await withTools.invoke([question, message, result]);
    expect(answer.text).toBe("It is clear.");
    const sent = server.upstream.requests.at(-1)?.parsed;
    expect(at(sent, "messages.2")).toMatchObject({ role: "tool", content: "Clear in Oslo." });
  });

  test("withStructuredOutput(): an object that follows its schema", async () => {
    answerWith(server, { text: '{"city":"Oslo"}' });
    const schema = z.object({ city: z.string() });
    const structured = model.withStructuredOutput(schema, { method: "jsonSchema" });
    expect(await structured.invoke("Which city?")).toEqual({ city: "Oslo" });
    const sent = server.upstream.requests.at(-1)?.parsed;
    expect(at(sent, "response_format.type")).toBe("json_schema");
  });

  test("refusals keep the errors of the `openai` package and are not retried", async () => {
    const { calls, charges } = await countCalls(server, account, async () => {
      const unknown = await catchError(connect("sk-wrong").invoke("hello"));
      expect(unknown).toBeInstanceOf(OpenAI.AuthenticationError);
      expect(unknown).toMatchObject({ lc_error_code: "MODEL_AUTHENTICATION" });
      const unpaid = await catchError(connect(poor.key).invoke("hello"));
      expect([at(unpaid, "status"), at(unpaid, "code")]).toEqual([402, "insufficient_quota"]);
      const missing = await catchError(
        connect(account.key, { model: "test/none" }).invoke("hello"),
      );
      expect(missing).toMatchObject({ status: 404, lc_error_code: "MODEL_NOT_FOUND" });
    });
    expect([calls, charges]).toEqual([0, []]);
  });

  testRetries(server, account, 2, () => model.invoke("again"));
});

test("over chat completions, an answer that breaks off throws", async () => {
  const model = connectChat(account.key, false, { maxRetries: 0 });
  expect(await catchError(readAll(model, broken))).toMatchObject({ code: "bad_gateway" });
});

test("over responses, whose failure event LangChain ignores, a broken answer is not marked complete", async () => {
  const message = await readAll(connectChat(account.key, true), broken);
  expect(message.text).toMatch(/^( tok)+$/);
  expect([message.response_metadata.status, message.usage_metadata]).toEqual([
    undefined,
    undefined,
  ]);
});

test("OpenAIEmbeddings: a vector for a query and for each document", async () => {
  const embeddings = new OpenAIEmbeddings({
    model: testModels.embeddings,
    apiKey: account.key,
    configuration,
  });
  const texts = ["one text", "another text"];
  expect(await embeddings.embedDocuments(texts)).toEqual(
    texts.map((text) => embeddingOf(text, 256)),
  );
  expect(await embeddings.embedQuery("one text")).toEqual(embeddingOf("one text", 256));
});
