// The official `@google/genai` over providers of every language: whole answers and streams, chats that keep what a provider
// needs back, functions, schemas, counts, embeddings, the list of models, and errors of its own classes.
import { describe, expect, test } from "bun:test";
import { ApiError, FunctionCallingConfigMode, GoogleGenAI, type Part, Type } from "@google/genai";
import {
  asObject,
  catchError,
  openAccount,
  scriptText,
  startTestServer,
  testModels,
  useServer,
} from "../../../harness/index.ts";
import { dialectCatalog, dialects } from "../../over-dialects.ts";

const { server, account } = await useServer(startTestServer({ catalog: dialectCatalog }));
const connect = (apiKey: string) =>
  new GoogleGenAI({ apiKey, httpOptions: { baseUrl: server.url } });
const client = connect(account.key);

const functionDeclarations = [
  {
    name: "find",
    description: "Finds a city.",
    parameters: { type: Type.OBJECT, properties: { city: { type: Type.STRING } } },
  },
];

const sent = () => JSON.stringify(asObject(server.upstream.requests.at(-1)?.parsed));

describe.each(dialects)("over %s", (dialect) => {
  const model = `over/${dialect}`;

  test("a chat, whole and streamed, keeps its history", async () => {
    const chat = client.chats.create({ model });
    const first = await chat.sendMessage({ message: scriptText({ deltas: 2 }) });
    expect(first.text).toBe(" tok tok");
    let streamed = "";
    const asked = { message: scriptText({ deltas: 3 }) };
    for await (const chunk of await chat.sendMessageStream(asked)) streamed += chunk.text ?? "";
    expect(streamed).toBe(" tok tok tok");
    const said = chat
      .getHistory(true)
      .flatMap(({ role, parts = [] }) =>
        role === "model" ? parts.map(({ text = "" }) => text) : [],
      );
    expect(said.join("")).toBe(" tok".repeat(5));
    await chat.sendMessage({ message: scriptText({ deltas: 1 }) });
    // In the pieces of the stream, where the provider takes them.
    expect(sent().split(" tok")).toHaveLength(6);
  });

  test.each([false, true])("functions and their results, streamed: %p", async (isStreamed) => {
    server.upstream.script(({ parsed }) =>
      JSON.stringify(parsed).includes("Oslo, Norway")
        ? { text: "Found it." }
        : { reasoning: 1, toolCalls: [{ name: "find", arguments: '{"city":"Oslo"}' }] },
    );
    const chat = client.chats.create({
      model,
      config: {
        tools: [{ functionDeclarations }],
        toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.AUTO } },
        thinkingConfig: { includeThoughts: true, thinkingBudget: 1_024 },
      },
    });
    const say = async (message: string | Part[]): Promise<Part[]> => {
      if (!isStreamed) {
        return (await chat.sendMessage({ message })).candidates?.[0]?.content?.parts ?? [];
      }
      const parts: Part[] = [];
      for await (const { candidates } of await chat.sendMessageStream({ message })) {
        parts.push(...(candidates?.[0]?.content?.parts ?? []));
      }
      return parts;
    };
    const call = (await say("Find Oslo.")).find(({ functionCall }) => functionCall)?.functionCall;
    expect(call).toMatchObject({ name: "find", args: { city: "Oslo" } });
    const { id, name } = { id: call?.id ?? "", name: call?.name ?? "" };
    const response = { output: "Oslo, Norway" };
    const found = await say([{ functionResponse: { id, name, response } }]);
    expect(found.map(({ text = "" }) => text).join("")).toContain("Found it.");
    server.upstream.script(undefined);
    expect(sent()).toContain("Oslo, Norway");
  });

  test("an object of a schema", async () => {
    const { text } = await client.models.generateContent({
      model,
      contents: scriptText({ text: '{"name":"Oslo"}' }),
      config: {
        responseMimeType: "application/json",
        responseSchema: { type: Type.OBJECT, properties: { name: { type: Type.STRING } } },
      },
    });
    expect(JSON.parse(text ?? "")).toEqual({ name: "Oslo" });
  });
});

test("tokens are counted", async () => {
  const model = `over/${dialects[0]}`;
  const { totalTokens = 0 } = await client.models.countTokens({ model, contents: "one two three" });
  expect(totalTokens).toBeGreaterThanOrEqual(3);
});

test("the list of models is read to its end", async () => {
  const names: unknown[] = [];
  for await (const { name } of await client.models.list({ config: { pageSize: 2 } })) {
    names.push(name);
  }
  expect(names).toContain(`models/over/${dialects[0]}`);
  const model = await client.models.get({ model: `over/${dialects[0]}` });
  expect(model.name).toBe(`models/over/${dialects[0]}`);
});

test("refusals are errors of its own, with their status", async () => {
  const model = `over/${dialects[0]}`;
  const poor = await openAccount(server, { usd: "0" });
  const refusal = async (apiKey: string, named: string, script: object) => {
    const asked = { model: named, contents: scriptText(script) };
    const error = await catchError(connect(apiKey).models.generateContent(asked));
    return error instanceof ApiError
      ? [error.status, JSON.parse(error.message).error.status]
      : error;
  };
  expect(await refusal("sk-wrong", model, {})).toEqual([401, "UNAUTHENTICATED"]);
  expect(await refusal(poor.key, model, {})).toEqual([402, "RESOURCE_EXHAUSTED"]);
  expect(await refusal(account.key, testModels.hidden, {})).toEqual([404, "NOT_FOUND"]);
  expect(await refusal(account.key, model, { status: 429 })).toEqual([429, "RESOURCE_EXHAUSTED"]);
});

test("a stream that breaks off is an error of its own", async () => {
  const asked = {
    model: `over/${dialects[0]}`,
    contents: scriptText({ deltas: 5, errorAfterDeltas: 2 }),
  };
  const stream = await client.models.generateContentStream(asked);
  const error = await catchError(Array.fromAsync(stream));
  expect(error instanceof ApiError ? error.status : error).toBe(502);
});
