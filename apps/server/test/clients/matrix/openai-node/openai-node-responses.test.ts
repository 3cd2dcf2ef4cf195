// The Responses API of the official `openai` package, in three major versions, against the running server
// with only a base URL and a key: one list of cases for all of them.
import { describe, expect, test } from "bun:test";
import type OpenAI from "openai";
import {
  answerWith,
  asObject,
  at,
  catchError,
  openAccount,
  scriptText,
  startTestServer,
  testModels,
  testRetries,
  useServer,
} from "../../../harness/index.ts";
import { majors } from "../../openai-majors.ts";

/** Version 4 calls it `del`. */
function deleteResponse({ responses }: OpenAI, id: string): PromiseLike<unknown> {
  const name = "delete" in responses ? "delete" : "del";
  const method: unknown = Reflect.get(responses, name);
  if (typeof method !== "function") throw new Error("this version cannot delete a response");
  return Reflect.apply(method, responses, [id]);
}

const { server, account } = await useServer(startTestServer());
const poor = await openAccount(server, { usd: "0" });

const model = testModels.cheap;

const weather = {
  type: "function",
  name: "get_weather",
  description: "The weather of a city.",
  strict: false,
  parameters: { type: "object", properties: { city: { type: "string" } } },
} as const;

const cities = ["Oslo", "Rome"].map((city) => ({
  name: "get_weather",
  arguments: JSON.stringify({ city }),
}));

describe.each(majors)("openai %s", (_, OpenAI) => {
  const connect = (apiKey: string) => new OpenAI({ apiKey, baseURL: server.baseUrl });
  const client = connect(account.key);

  test("the stream() helper: reasoning, text and parallel calls", async () => {
    const stream = client.responses.stream({
      model,
      input: scriptText({ reasoning: 2, deltas: 3, toolCalls: cities }),
      tools: [weather],
    });
    const deltas: string[] = [];
    stream.on("response.output_text.delta", ({ delta }) => void deltas.push(delta));
    const response = await stream.finalResponse();
    expect(response.output.map(({ type }) => type)).toEqual([
      "reasoning",
      "message",
      "function_call",
      "function_call",
    ]);
    expect(at(response.output, "1.content.0.text")).toBe(deltas.join(""));
    expect(response.output.slice(2)).toMatchObject(cities);
    expect(response.usage?.output_tokens_details.reasoning_tokens).toBe(2);
  });

  test("parse(): an answer that follows a schema", async () => {
    answerWith(server, { text: '{"city":"Oslo"}' });
    const schema = {
      type: "object",
      properties: { city: { type: "string" } },
      required: ["city"],
      additionalProperties: false,
    };
    const response = await client.responses.parse({
      model,
      input: "Which city?",
      text: { format: { type: "json_schema", name: "city", schema, strict: true } },
    });
    expect(response.output_text).toBe('{"city":"Oslo"}');
    const sent = server.upstream.requests.at(-1)?.parsed;
    expect(at(sent, "response_format.json_schema")).toEqual({ name: "city", schema, strict: true });
  });

  test("an item of an earlier answer is referred to by its id", async () => {
    answerWith(server, { text: "It is clear." }, { text: "Yes." });
    const first = await client.responses.create({ model, input: "The weather?" });
    const [said] = first.output;
    if (said?.id === undefined) throw new Error("an answer without an item");
    const input: OpenAI.Responses.ResponseInput = [
      { role: "user", content: "The weather?" },
      { type: "item_reference", id: said.id },
      { role: "user", content: "Really?" },
    ];
    expect((await client.responses.create({ model, input })).output_text).toBe("Yes.");
    expect(at(server.upstream.requests.at(-1)?.parsed, "messages.1.content")).toBe("It is clear.");
    const unknown = [...input, { type: "item_reference", id: "msg_unknown" } as const];
    const error = await catchError(client.responses.create({ model, input: unknown }));
    expect(error).toBeInstanceOf(OpenAI.NotFoundError);
    expect(at(error, "param")).toBe("input");
  });

  test("a round trip of tools over several turns: the output of each turn is input of the next", async () => {
    const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: "The weather?" }];
    answerWith(
      server,
      { reasoning: 1, toolCalls: cities },
      { toolCalls: cities },
      { text: "Clear." },
    );
    for (let turn = 0; turn < 2; turn += 1) {
      const response = await client.responses.create({ model, input, tools: [weather] });
      for (const item of response.output) {
        if (item.type === "function_call" || item.type === "reasoning") input.push(item);
        if (item.type !== "function_call") continue;
        input.push({ type: "function_call_output", call_id: item.call_id, output: `turn ${turn}` });
      }
    }
    const last = await client.responses.create({ model, input, tools: [weather] });
    expect(last.output_text).toBe("Clear.");
    const sent = asObject(server.upstream.requests.at(-1)?.parsed);
    expect(at(sent, "messages.1.tool_calls")).toHaveLength(1);
    const roles = (sent.messages as { role: string }[]).map(({ role }) => role);
    expect(roles.filter((role) => role === "tool")).toHaveLength(4);
    expect(at(sent, "messages.1.reasoning_details.0.text")).toBe(" tok");
  });

  test("a limit makes a response incomplete", async () => {
    const body = { model, input: scriptText({ deltas: 50 }), max_output_tokens: 5 };
    const response = await client.responses.create(body);
    expect(response.status).toBe("incomplete");
    expect(response.incomplete_details).toEqual({ reason: "max_output_tokens" });
    const types: string[] = [];
    for await (const event of await client.responses.create({ ...body, stream: true })) {
      types.push(event.type);
    }
    expect(types.at(-1)).toBe("response.incomplete");
  });

  test("an answer that breaks off fails, and is never completed", async () => {
    const input = scriptText({ deltas: 9, paceMs: 20, cutAfterDeltas: 3 });
    const types: string[] = [];
    const statuses: unknown[] = [];
    for await (const event of await client.responses.create({ model, input, stream: true })) {
      types.push(event.type);
      if (event.type === "response.failed") statuses.push(event.response.error?.code);
    }
    expect(types.at(-1)).toBe("response.failed");
    expect(types).not.toContain("response.completed");
    expect(statuses).toEqual(["server_error"]);
  });

  test("aborting a stream ends the upstream call", async () => {
    const tag = Bun.randomUUIDv7();
    const input = scriptText({ tag, deltas: 100_000, paceMs: 2 });
    const stream = await client.responses.create({ model, input, stream: true });
    for await (const event of stream) if (event.type === "response.output_text.delta") break;
    const request = await server.upstream.waitFor((candidate) => candidate.tag === tag);
    expect(await request.ended).toBe("gone");
  });

  test("refusals are the SDK's own errors and name the field as in this API", async () => {
    const input = scriptText({ deltas: 1 });
    const unknown = await catchError(connect("sk-wrong").responses.create({ model, input }));
    expect(unknown).toBeInstanceOf(OpenAI.AuthenticationError);
    const unpaid = await catchError(connect(poor.key).responses.create({ model, input }));
    expect(at(unpaid, "code")).toBe("insufficient_quota");
    expect(at(unpaid, "status")).toBe(402);
    const missing = await catchError(client.responses.create({ model: "test/none", input }));
    expect(missing).toBeInstanceOf(OpenAI.NotFoundError);
    const calls = server.upstream.requests.length;
    const stateful = await catchError(
      client.responses.create({ model, input, previous_response_id: "resp_1" }),
    );
    expect(stateful).toBeInstanceOf(OpenAI.BadRequestError);
    expect(at(stateful, "param")).toBe("previous_response_id");
    expect(at(stateful, "code")).toBe("unsupported_parameter");
    const long = "word ".repeat(4_000);
    const overlong = await catchError(
      client.responses.create({ model: testModels.small, input: long }),
    );
    expect([at(overlong, "code"), at(overlong, "param")]).toEqual([
      "context_length_exceeded",
      "input",
    ]);
    expect(server.upstream.requests.length).toBe(calls);
  });

  testRetries(server, account, 3, () => client.responses.create({ model, input: "again" }));

  test("retrieve(), delete() and cancel() say that nothing is stored", async () => {
    const calls = [
      () => client.responses.retrieve("resp_1"),
      () => deleteResponse(client, "resp_1"),
      () => client.responses.cancel("resp_1"),
      () => client.responses.inputItems.list("resp_1"),
    ];
    for (const call of calls) {
      const error = await catchError(call());
      expect(error).toBeInstanceOf(OpenAI.NotFoundError);
      expect(String(error)).toContain("responses are not stored");
    }
  });
});
