// A conversation that is compacted over `/v1/responses`: one call that writes a summary, one sealed item with it, which
// stands for what was said in later requests. Over every dialect, without stored state.
import { afterEach, describe, expect, test } from "bun:test";
import { dialectCatalog, dialects } from "../clients/over-dialects.ts";
import {
  answerWith,
  asObject,
  at,
  expectCleanBooks,
  expectFault,
  type JsonObject,
  openAccount,
  readCharges,
  readJson,
  startTestServer,
  useServer,
} from "../harness/index.ts";
import { parseNamedEvents, postResponse } from "./post-responses.ts";

const { server, account } = await useServer(
  startTestServer({
    environment: { KEEP_OUTPUT_ITEMS: "false" },
    catalog: (baseUrl) =>
      dialectCatalog(baseUrl).replace(
        "models:",
        `  - { id: strict, baseUrl: "${baseUrl}", apiKey: any, unknownFields: refused, quirks: { responses: native } }
models:
  - id: over/strict
    contextTokens: 100000
    maxOutputTokens: 10000
    capabilities: [tools, vision, json_schema]
    routes: [{ provider: strict, model: upstream-model }]
    prices: { input: "1", output: "2" }`,
      ),
  }),
);
afterEach(() => expectCleanBooks(server));

const user = (text: string) => ({
  type: "message",
  role: "user",
  content: [{ type: "input_text", text }],
});
const trigger = { type: "compaction_trigger" };
const tools = [{ type: "function", name: "run", parameters: { type: "object", properties: {} } }];
const conversation = [
  user("List the files."),
  { type: "function_call", call_id: "call_1", name: "run", arguments: "{}" },
  { type: "function_call_output", call_id: "call_1", output: "greeting.txt" },
];
const summary = "The user wants the files. There is greeting.txt.";

const ask = (model: string, body: JsonObject, key = account.key) =>
  postResponse(server, key, { body: { model: `over/${model}`, tools, ...body } });

async function compact(model: string, fields: JsonObject = {}): Promise<JsonObject> {
  answerWith(server, { text: summary });
  const answer = await ask(model, { input: [...conversation, trigger], ...fields });
  const text = await answer.text();
  expect([answer.status, text.includes(summary)]).toEqual([200, false]);
  if (text.startsWith("{")) return asObject(JSON.parse(text));
  const events = parseNamedEvents(text);
  expect(events.map(({ type }) => type)).toEqual([
    "response.created",
    "response.in_progress",
    "response.output_item.added",
    "response.output_item.done",
    "response.completed",
  ]);
  return asObject(events.at(-1)?.response);
}

const itemOf = (response: JsonObject) => asObject(at(response, "output.0"));
const calls = () => server.upstream.requests.length;
const lastBody = () => server.upstream.requests.at(-1)?.body ?? "";

describe.each([...dialects, "strict"])("over %s", (model) => {
  test.each([true, false])("one call makes one sealed item (stream: %p)", async (stream) => {
    const before = calls();
    const paid = await openAccount(server);
    answerWith(server, { text: summary });
    const answer = await ask(model, { input: [...conversation, trigger], stream }, paid.key);
    await answer.text();
    expect(calls() - before).toBe(1);
    expect(lastBody()).toContain("replaced by a summary");
    expect(lastBody()).not.toContain("compaction_trigger");
    expect(await readCharges(server, paid)).toHaveLength(1);
    const response = await compact(model, { stream });
    expect(response).toMatchObject({ status: "completed", error: null });
    expect(response.output).toEqual([
      {
        id: expect.stringMatching(/^cmp_/),
        type: "compaction",
        encrypted_content: expect.stringMatching(/^turnpike-compaction1\./),
      },
    ]);
    expect(Number(at(response, "usage.cost"))).toBeGreaterThan(0);
  });

  test("the item stands for the summary in later requests, and can be compacted again", async () => {
    const item = itemOf(await compact(model));
    answerWith(server, { text: "Yes." });
    const answer = await ask(model, { input: [user("Go on."), item, user("Is it there?")] });
    expect([answer.status, at(await readJson(answer), "status")]).toEqual([200, "completed"]);
    expect(lastBody()).toContain(summary);
    expect(lastBody()).not.toContain("turnpike-compaction1");
    expect(itemOf(await compact(model, { input: [item, trigger] })).type).toBe("compaction");
  });
});

test("a summary made over one provider is read by another", async () => {
  const item = itemOf(await compact("strict"));
  answerWith(server, { text: "Yes." });
  expect((await ask("gemini", { input: [item, user("And?")] })).status).toBe(200);
  expect(lastBody()).toContain(summary);
});

test.each(["over/strict", "over/anthropic"])(
  "%s: a model without a summary fails the answer",
  async (id) => {
    const model = id.slice("over/".length);
    answerWith(server, { deltas: 0, toolCalls: [{ name: "run", arguments: "{}" }] });
    const whole = await readJson(await ask(model, { input: [...conversation, trigger] }));
    expect(whole).toMatchObject({ status: "failed", output: [] });
    expect(String(at(whole, "error.message"))).toContain("wrote no summary");
    answerWith(server, { deltas: 0, toolCalls: [{ name: "run", arguments: "{}" }] });
    const streamed = await ask(model, { input: [...conversation, trigger], stream: true });
    expect(parseNamedEvents(await streamed.text()).at(-1)).toMatchObject({
      type: "response.failed",
    });
  },
);

const changed = (sealed: unknown) => {
  const text = String(sealed);
  const middle = Math.floor(text.length / 2);
  return text.slice(0, middle) + (text[middle] === "A" ? "B" : "A") + text.slice(middle + 1);
};

test("a changed item, another key's and a foreign one are refused before anything is called", async () => {
  const item = itemOf(await compact("strict"));
  const before = calls();
  const expected = {
    status: 400,
    type: "invalid_request_error",
    code: "invalid_value",
    param: "input[0].encrypted_content",
  };
  const tampered = { ...item, encrypted_content: changed(item.encrypted_content) };
  await expectFault(await ask("strict", { input: [tampered, user("Hi")] }), expected);
  const other = await openAccount(server);
  await expectFault(await ask("strict", { input: [item, user("Hi")] }, other.key), expected);
  const foreign = { type: "compaction", encrypted_content: "gAAAAABforeign" };
  await expectFault(await ask("gemini", { input: [foreign, user("Hi")] }), expected);
  expect(calls()).toBe(before);
});

test.each<[string, JsonObject[], string]>([
  ["in the middle", [user("Hi"), trigger, user("Go on")], "input[1]"],
  ["twice", [user("Hi"), trigger, trigger], "input[1]"],
  ["alone", [trigger], "input"],
])("a trigger %s is refused with what to do", async (_, input, param) => {
  const answer = await ask("strict", { input });
  await expectFault(answer, { status: 400, type: "invalid_request_error", code: null, param });
});

test("tokens of a compaction are counted and its cost is estimated", async () => {
  const headers = { authorization: `Bearer ${account.key}`, "content-type": "application/json" };
  const body = JSON.stringify({
    model: "over/strict",
    input: [...conversation, trigger],
    tools,
    max_output_tokens: 100,
  });
  for (const path of ["responses/input_tokens", "estimate"]) {
    const answer = await fetch(`${server.baseUrl}/${path}`, { method: "POST", headers, body });
    expect(answer.status).toBe(200);
  }
});
