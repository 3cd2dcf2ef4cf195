// The official `openai` package in three major versions against the running server with only a base URL and
// a key: one list of cases for all of them.
import { describe, expect, test } from "bun:test";
import { embeddingOf, type Script } from "@turnpike/testing";
import type OpenAI from "openai";
import {
  answerWith,
  asObject,
  at,
  catchError,
  openAccount,
  scripted,
  startTestServer,
  testModels,
  testRetries,
  useServer,
} from "../../../harness/index.ts";
import { majors } from "../../openai-majors.ts";

/** Version 4 has the `.stream()` helper under `beta`, with the same members. */
function streamsOf(client: OpenAI): Pick<OpenAI.Chat.Completions, "stream"> {
  const beta = at(client, "beta.chat.completions") as OpenAI.Chat.Completions | undefined;
  return beta ?? client.chat.completions;
}

const { server, account } = await useServer(startTestServer());
const poor = await openAccount(server, { usd: "0" });

const model = testModels.cheap;
const ask = (script: Script) => [scripted(script)];

const weather = {
  type: "function" as const,
  function: {
    name: "get_weather",
    parameters: { type: "object", properties: { city: { type: "string" } } },
  },
};

describe.each(majors)("openai %s", (_, OpenAI) => {
  const connect = (apiKey: string, options: { maxRetries?: number; fetch?: typeof fetch } = {}) =>
    new OpenAI({ apiKey, baseURL: server.baseUrl, ...options });
  const client = connect(account.key);

  test("include_usage: usage on the last chunk, null before", async () => {
    const stream = await client.chat.completions.create({
      model,
      messages: ask({ deltas: 2 }),
      stream: true,
      stream_options: { include_usage: true },
    });
    const usages: unknown[] = [];
    for await (const chunk of stream) usages.push(chunk.usage);
    expect(usages.slice(0, -1).every((usage) => usage === null)).toBe(true);
    expect(usages.at(-1)).toMatchObject({ completion_tokens: 2 });
  });

  test("the .stream() helper: content, message and usage", async () => {
    const runner = streamsOf(client).stream({
      model,
      messages: ask({ deltas: 3, reasoning: 1 }),
      stream_options: { include_usage: true },
    });
    expect(await runner.finalContent()).toBe(" tok tok tok");
    expect((await runner.finalMessage()).role).toBe("assistant");
    expect(await runner.totalUsage()).toMatchObject({ completion_tokens: 4 });
  });

  test("the .stream() helper with tool calls and several choices", async () => {
    const calls = [
      { name: "get_weather", arguments: '{"city":"Oslo"}' },
      { name: "get_weather", arguments: '{"city":"Rome"}' },
    ];
    const runner = streamsOf(client).stream({
      model,
      messages: ask({ toolCalls: calls }),
      tools: [weather],
      n: 2,
    });
    const { choices } = await runner.finalChatCompletion();
    for (const { message, finish_reason } of choices) {
      expect(finish_reason).toBe("tool_calls");
      expect(message.tool_calls).toMatchObject(calls.map((call) => ({ function: call })));
    }
    expect(choices).toHaveLength(2);
  });

  test("a tool's round trip", async () => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: "user", content: "What is the weather?" },
    ];
    const asked = { model: "sandbox/tools", messages, tools: [weather] };
    const first = await client.chat.completions.create(asked);
    const message = first.choices[0]?.message;
    const [call] = message?.tool_calls ?? [];
    if (message === undefined || call === undefined) throw new Error("no tool was called");
    messages.push(message, { role: "tool", tool_call_id: call.id, content: "Sunny." });
    const second = await client.chat.completions.create(asked);
    expect(second.choices[0]?.message.content).toBe("The tool says: Sunny.");
  });

  test("aborting a stream ends the upstream call", async () => {
    const tag = Bun.randomUUIDv7();
    const messages = ask({ tag, deltas: 100_000, paceMs: 2 });
    const stream = await client.chat.completions.create({ model, messages, stream: true });
    for await (const chunk of stream) {
      if (chunk.choices[0]?.delta.content) break;
    }
    const request = await server.upstream.waitFor((candidate) => candidate.tag === tag);
    expect(await request.ended).toBe("gone");
  });

  test("aborting a whole call is the SDK's own abort", async () => {
    const tag = Bun.randomUUIDv7();
    const controller = new AbortController();
    const { signal } = controller;
    const messages = ask({ tag, gate: true });
    const answer = catchError(client.chat.completions.create({ model, messages }, { signal }));
    const request = await server.upstream.waitFor((candidate) => candidate.tag === tag);
    controller.abort();
    expect(await answer).toBeInstanceOf(OpenAI.APIUserAbortError);
    // The answer is completed anyway: its cost cannot be seen from outside.
    server.upstream.open(tag);
    expect(await request.ended).toBe("answered");
  });

  const failing = async (apiKey: string, body: { model?: string; script?: object; n?: number }) => {
    let calls = 0;
    const counted: typeof fetch = Object.assign(
      (...parameters: Parameters<typeof fetch>) => {
        calls += 1;
        return fetch(...parameters);
      },
      { preconnect: fetch.preconnect },
    );
    const { script = { deltas: 1 }, ...fields } = body;
    const refused = connect(apiKey, { fetch: counted });
    const error = await catchError(
      refused.chat.completions.create({ model, messages: ask(script), ...fields }),
    );
    if (!(error instanceof OpenAI.APIError)) throw new Error(`not refused: ${String(error)}`);
    expect(error.requestID ?? at(error, "request_id")).toMatch(/^req_/);
    return { error, calls };
  };

  test("401, 402, 404 and 400 are the SDK's own errors, and are not retried", async () => {
    const unknown = await failing("sk-wrong", {});
    expect(unknown.error).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(unknown.error.code).toBe("invalid_api_key");
    const unpaid = await failing(poor.key, {});
    expect(unpaid.error.status).toBe(402);
    expect(unpaid.error.code).toBe("insufficient_quota");
    expect(unpaid.error.type).toBe("insufficient_quota");
    const missing = await failing(account.key, { model: "test/none" });
    expect(missing.error).toBeInstanceOf(OpenAI.NotFoundError);
    expect(missing.error.code).toBe("model_not_found");
    const bad = await failing(account.key, { n: 130 });
    expect(bad.error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(bad.error.param).toBe("n");
    expect([unknown, unpaid, missing, bad].map(({ calls }) => calls)).toEqual([1, 1, 1, 1]);
  });

  test("a failing upstream is retried by the SDK until it gives up", async () => {
    const { error, calls } = await failing(account.key, { script: { status: 500 } });
    expect(error).toBeInstanceOf(OpenAI.InternalServerError);
    expect(calls).toBe(3);
  });

  testRetries(server, account, 3, () =>
    client.chat.completions.create({ model, messages: [{ role: "user", content: "again" }] }),
  );

  test("an answer that breaks off throws instead of looking complete", async () => {
    const messages = ask({ deltas: 9, paceMs: 20, cutAfterDeltas: 3 });
    const stream = await client.chat.completions.create({ model, messages, stream: true });
    const read = async () => {
      for await (const _ of stream);
    };
    const error = await catchError(read());
    expect(error).toBeInstanceOf(OpenAI.APIError);
    expect(at(error, "code")).toBe("bad_gateway");
  });

  test("a schema is passed on, and answered with its object", async () => {
    answerWith(server, { text: '{"city":"Oslo"}' });
    const json_schema = {
      name: "place",
      strict: true,
      schema: { type: "object", properties: { city: { type: "string" } } },
    };
    const completion = await client.chat.completions.create({
      model,
      messages: [{ role: "user", content: "Which city?" }],
      response_format: { type: "json_schema", json_schema },
    });
    expect(JSON.parse(completion.choices[0]?.message.content ?? "")).toEqual({ city: "Oslo" });
    const sent = server.upstream.requests.at(-1)?.parsed;
    expect(at(sent, "response_format.json_schema")).toEqual(json_schema);
  });

  test("embeddings.create() decodes the base64 that it requests by itself", async () => {
    const input = ["one text", "another text"];
    const answer = await client.embeddings.create({ model: testModels.embeddings, input });
    const sent = asObject(server.upstream.requests.at(-1)?.parsed);
    expect(sent.encoding_format).toBe("base64");
    expect(answer.data.map(({ embedding }) => Array.from(embedding))).toEqual(
      input.map((text) => embeddingOf(text, 256)),
    );
    expect(answer.usage.prompt_tokens).toBe(5);
    const floats = await client.embeddings.create({
      model: testModels.floats,
      input: input[0] ?? "",
      encoding_format: "float",
    });
    expect(floats.data[0]?.embedding).toEqual(embeddingOf("one text", 256));
  });

  test("models.list() and models.retrieve(), with a slash in the id", async () => {
    const ids: string[] = [];
    for await (const { id } of client.models.list()) ids.push(id);
    expect(ids).toContain(model);
    expect((await client.models.retrieve(model)).id).toBe(model);
    const error = await catchError(client.models.retrieve("test/none"));
    expect(error).toBeInstanceOf(OpenAI.NotFoundError);
  });
});
