// Every response and every event of its stream is valid by OpenAI's published schema, whether an upstream of the
// same language is relayed or a chat of another language is translated.
import { afterAll, expect, test } from "bun:test";
import type { Script } from "@turnpike/testing";
import OpenAI from "openai";
import {
  asObject,
  countCalls,
  findSchemaProblems,
  type JsonObject,
  openAccount,
  readJson,
  startTestServer,
  testModels,
} from "../harness/index.ts";
import { parseNamedEvents, postResponse, responseBody } from "./post-responses.ts";

const server = await startTestServer();
const account = await openAccount(server);
afterAll(() => server.close());

const models = [
  "sandbox/responses",
  "sandbox/echo",
  "sandbox/claude",
  "sandbox/gemini",
  testModels.cheap,
  testModels.reasoning,
];
const parameters = { type: "object", properties: { city: { type: "string" } } };
const tool = { type: "function", name: "get_weather", parameters };
const patch = { type: "custom", name: "apply_patch" };
const format = { type: "json_schema", name: "answer", schema: parameters };
const cases: [string, Script, JsonObject][] = [
  ["a text", { deltas: 3 }, {}],
  ["reasoning", { reasoning: 2, deltas: 3 }, { reasoning: { effort: "low", summary: "auto" } }],
  ["calls", { deltas: 1, toolCalls: 2 }, { tools: [tool], parallel_tool_calls: false }],
  ["tools and instructions", { deltas: 1 }, { tools: [tool, patch], instructions: "Be brief." }],
  ["a format", { text: '{"city":"Oslo"}' }, { text: { format } }],
  ["the limit", { deltas: 30 }, { max_output_tokens: 16, metadata: { a: "b" } }],
  ["settings", { deltas: 1 }, { temperature: 0.5, user: "u", service_tier: "auto" }],
];

test.each(models.flatMap((model) => cases.map((one) => [model, ...one] as const)))(
  "%s: %s",
  async (model, _, script, fields) => {
    const body = responseBody(script, { model, ...fields });
    const whole = await readJson(await postResponse(server, account.key, { body }));
    expect(findSchemaProblems("Response", whole)).toEqual([]);
    const { tools = [], instructions = null, parallel_tool_calls = true } = fields;
    expect(whole).toMatchObject({ instructions, parallel_tool_calls, store: false });
    expect(whole.tools).toHaveLength(Array.isArray(tools) ? tools.length : 0);

    const streamed = { ...body, stream: true };
    const stream = await postResponse(server, account.key, { body: streamed });
    const events = parseNamedEvents(await stream.text());
    for (const event of events) {
      expect([event.type, findSchemaProblems("ResponseStreamEvent", event)]).toEqual([
        event.type,
        [],
      ]);
    }
    expect(String(events.at(-1)?.type)).toMatch(/completed|incomplete/);
  },
);

test.each(models)(
  "%s: a stream that breaks ends in a valid response that failed",
  async (model) => {
    const body = responseBody({ deltas: 3, paceMs: 20, ending: "cut" }, { model, stream: true });
    const stream = await postResponse(server, account.key, { body });
    const events = parseNamedEvents(await stream.text());
    for (const event of events) {
      expect([event.type, findSchemaProblems("ResponseStreamEvent", event)]).toEqual([
        event.type,
        [],
      ]);
    }
    expect(asObject(events.at(-1)?.response).status).toBe("failed");
  },
);

test("/v1/responses/input_tokens counts a prompt as an estimate does, free", async () => {
  const client = new OpenAI({ apiKey: account.key, baseURL: server.baseUrl });
  const asked = { model: "sandbox/echo", input: "Hello", instructions: "Be brief.", tools: [] };
  const { object, input_tokens } = await client.responses.inputTokens.count(asked);
  expect(object).toBe("response.input_tokens");
  const more = await client.responses.inputTokens.count({ ...asked, input: "Hello again" });
  expect(more.input_tokens).toBeGreaterThan(input_tokens);
  const estimate = await fetch(`${server.baseUrl}/estimate`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
    body: JSON.stringify(asked),
  });
  expect((await readJson(estimate)).prompt_tokens).toBe(input_tokens);
  const { charges } = await countCalls(server, account, async () => {
    await client.responses.inputTokens.count(asked);
  });
  expect(charges).toEqual([]);
});
