// The AI SDK's gateway over HTTP: what an answer and a stream consist of in each specification, what of a prompt reaches the upstream,
// and that a call is like any other call: repeated once, estimated, bounded, and billed to a client that leaves.
import { describe, expect, test } from "bun:test";
import {
  answerWith,
  at,
  countCalls,
  expectCleanBooks,
  type JsonObject,
  readJson,
  readLastCharge,
  startTestServer,
  testModels,
  usdNumber,
  useServer,
  waitForSettled,
} from "../harness/index.ts";
import { asking, calling, postAiGateway, streaming } from "./ask-ai-gateway.fixture.ts";

const { server, account } = await useServer(startTestServer());
const post = postAiGateway(server, account);
const model = testModels.cheap;
const path = "language-model";
const lastSent = () => server.upstream.requests.at(-1)?.parsed;

const specified = (specification: number) => ({
  "ai-language-model-specification-version": String(specification),
});

async function partsOf(answer: Response): Promise<JsonObject[]> {
  const blocks = (await answer.text()).trim().split("\n\n");
  expect(blocks.pop()).toBe("data: [DONE]");
  return blocks.map((block) => JSON.parse(block.slice("data: ".length)));
}

describe("a whole answer", () => {
  test.each([3, 4])("has content, finish reason, usage and cost in specification %d", async (n) => {
    const answer = await post(path, asking({ deltas: 3 }), calling(model, specified(n)));
    expect(answer.headers.get("content-type")).toBe("application/json");
    const body = await readJson(answer);
    const total = Number(at(body, "usage.inputTokens.total"));
    expect(total).toBeGreaterThan(2);
    const id = answer.headers.get("x-generation-id");
    expect(body).toEqual({
      content: [{ type: "text", text: " tok tok tok" }],
      finishReason: { unified: "stop", raw: "stop" },
      usage: {
        inputTokens: { total, noCache: total, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 3, text: 3, reasoning: 0 },
      },
      providerMetadata: { gateway: { generationId: id, cost: expect.any(String) } },
      warnings: [],
      response: { id, timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/), modelId: model },
    });
    const cost = Number(at(body, "providerMetadata.gateway.cost"));
    expect(cost).toBe(usdNumber(await readLastCharge(server, account)));
  });

  test("has flat counts and a plain finish reason in specification 2", async () => {
    const answer = await post(path, asking({ deltas: 3 }), calling(model, specified(2)));
    const body = await readJson(answer);
    const inputTokens = Number(at(body, "usage.inputTokens"));
    expect(body).toMatchObject({
      finishReason: "stop",
      usage: {
        inputTokens,
        outputTokens: 3,
        totalTokens: inputTokens + 3,
        reasoningTokens: 0,
        cachedInputTokens: 0,
      },
    });
  });

  test("counts what was cached and what was reasoned", async () => {
    const asked = asking({ reasoning: 2, deltas: 3, cachedTokens: 4 });
    const body = await readJson(await post(path, asked, calling()));
    expect(at(body, "usage.inputTokens.cacheRead")).toBe(4);
    expect(at(body, "usage.outputTokens")).toEqual({ total: 5, text: 3, reasoning: 2 });
    expect(at(body, "content.0")).toEqual({ type: "reasoning", text: " tok tok" });
  });
});

test("a stream consists of parts: blocks one after the other, calls, and a finish with the bill", async () => {
  answerWith(server, {
    reasoning: 1,
    text: "Look.",
    toolCalls: [{ name: "f", arguments: '{"a":1}' }],
  });
  const tools = [{ type: "function", name: "f", inputSchema: { type: "object" } }];
  const prompt = [{ role: "user", content: [{ type: "text", text: "Where?" }] }];
  const answer = await post(path, { prompt, tools, seed: 7 }, calling(model, streaming));
  expect(answer.headers.get("content-type")).toStartWith("text/event-stream");
  const parts = await partsOf(answer);
  const types = parts.map(({ type }) => type);
  expect([...new Set(types)]).toEqual([
    "stream-start",
    "response-metadata",
    "reasoning-start",
    "reasoning-delta",
    "reasoning-end",
    "text-start",
    "text-delta",
    "text-end",
    "tool-input-start",
    "tool-input-delta",
    "tool-input-end",
    "tool-call",
    "finish",
  ]);
  expect(parts.at(-2)).toMatchObject({ type: "tool-call", toolName: "f", input: '{"a":1}' });
  expect(parts.at(-1)).toMatchObject({
    finishReason: { unified: "tool-calls", raw: "tool_calls" },
    providerMetadata: { gateway: { generationId: answer.headers.get("x-generation-id") } },
  });
});

describe("what a prompt consists of reaches the upstream", () => {
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const image = { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } };

  test.each([
    ["base64", png],
    ["a data URL", `data:image/png;base64,${png}`],
    ["an object with base64", { type: "data", data: png }],
    ["an object with a data URL", { type: "url", url: `data:image/png;base64,${png}` }],
  ])("a file in %s", async (_, data) => {
    const content = [
      { type: "text", text: "What is it?" },
      { type: "file", mediaType: "image/*", data },
    ];
    answerWith(server, { deltas: 1 });
    const body = { prompt: [{ role: "user", content }] };
    expect((await post(path, body, calling(testModels.vision))).status).toBe(200);
    expect(at(lastSent(), "messages.0.content.1")).toEqual(image);
  });

  test.each<[string, object, readonly string[]]>([
    ["text", { type: "text", value: "sunny" }, ["sunny"]],
    ["json", { type: "json", value: { sky: "clear" } }, ['{\\"sky\\":\\"clear\\"}']],
    ["error-text", { type: "error-text", value: "no net" }, ["Error: no net"]],
    ["error-json", { type: "error-json", value: { code: 7 } }, ['Error: {\\"code\\":7}']],
    ["execution-denied", { type: "execution-denied", reason: "No." }, ["Error: No."]],
    [
      "content",
      {
        type: "content",
        value: [
          { type: "text", text: "A map" },
          { type: "file", mediaType: "image/png", data: { type: "data", data: png } },
        ],
      },
      ["A map", png],
    ],
    [
      "content of specification 2",
      { type: "content", value: [{ type: "media", mediaType: "image/png", data: png }] },
      [png],
    ],
    [
      "content of specification 3",
      { type: "content", value: [{ type: "image-data", mediaType: "image/png", data: png }] },
      [png],
    ],
  ])("a result that is %s", async (_, output, said) => {
    answerWith(server, { deltas: 1 });
    const call = { toolCallId: "c1", toolName: "f" };
    const prompt = [
      { role: "user", content: [{ type: "text", text: "Where?" }] },
      { role: "assistant", content: [{ type: "tool-call", ...call, input: { a: 1 } }] },
      { role: "tool", content: [{ type: "tool-result", ...call, output }] },
    ];
    expect((await post(path, { prompt }, calling(testModels.vision))).status).toBe(200);
    expect(at(lastSent(), "messages.1")).toMatchObject({
      tool_calls: [{ id: "c1", function: { name: "f", arguments: '{"a":1}' } }],
    });
    expect(at(lastSent(), "messages.2")).toMatchObject({ role: "tool", tool_call_id: "c1" });
    for (const text of said) expect(JSON.stringify(lastSent())).toContain(text);
  });

  test("settings, a schema, and options of a provider and of the gateway", async () => {
    answerWith(server, { text: "{}" });
    const settings = { maxOutputTokens: 9, topP: 0.5, seed: 3, stopSequences: ["x"] };
    const body = {
      ...asking({}),
      ...settings,
      headers: { "user-agent": "x" },
      responseFormat: { type: "json", name: "out", schema: { type: "object" } },
      providerOptions: {
        openai: { strictJsonSchema: true },
        gateway: { only: ["scripted"], sort: "cost", user: "u-1" },
      },
    };
    const answer = await post(path, body, calling());
    expect([answer.status, at(await readJson(answer), "warnings")]).toEqual([200, []]);
    expect(lastSent()).toMatchObject({
      max_tokens: 9,
      top_p: 0.5,
      seed: 3,
      stop: ["x"],
      user: "u-1",
      response_format: {
        type: "json_schema",
        json_schema: { name: "out", schema: { type: "object" }, strict: true },
      },
    });
    expect(lastSent()).not.toHaveProperty("provider");
  });

  test("how much to reason, of a provider's options or the call's own", async () => {
    const ofProvider = { providerOptions: { openai: { reasoningEffort: "low" } } };
    for (const fields of [ofProvider, { reasoning: "low" }]) {
      answerWith(server, { deltas: 1 });
      await post(path, { ...asking({}), ...fields }, calling(testModels.reasoning));
      expect(at(lastSent(), "reasoning_effort") ?? at(lastSent(), "reasoning.effort")).toBe("low");
    }
  });

  test("a provider that `only` does not name is not asked", async () => {
    const providerOptions = { gateway: { only: ["nobody"] } };
    const { calls } = await countCalls(server, account, async () => {
      const answer = await post(path, asking({}, { providerOptions }), calling());
      expect(answer.status).toBe(404);
    });
    expect(calls).toBe(0);
  });

  test("what is not honored is named in a warning", async () => {
    const providerOptions = { xai: { search: true }, gateway: { tags: ["a"] } };
    const asked = asking({}, { providerOptions, future: 1 });
    const named = async (n: number, member: string) => {
      const body = await readJson(await post(path, asked, calling(model, specified(n))));
      const { warnings } = body;
      return Array.isArray(warnings) ? warnings.map((each) => each[member]).toSorted() : [];
    };
    const expected = ["future", "providerOptions.gateway.tags", "providerOptions.xai.search"];
    expect(await named(4, "feature")).toEqual(expected);
    expect(await named(2, "setting")).toEqual(expected);
  });
});

test("a call under an Idempotency-Key is answered once, and its key is for its model and its kind alone", async () => {
  const once = { "idempotency-key": "once" };
  const body = asking({ deltas: 2 });
  const { calls } = await countCalls(server, account, async () => {
    const first = await readJson(await post(path, body, calling(model, once)));
    const again = await post(path, body, calling(model, once));
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await readJson(again)).toEqual(first);
  });
  expect(calls).toBe(1);
  for (const other of [
    calling(testModels.plain, once),
    calling(model, { ...once, ...streaming }),
    calling(model, { ...once, ...specified(2) }),
  ]) {
    expect((await post(path, body, other)).status).toBe(409);
  }
});

test("a call that would cost more than its caller allows is refused before any work", async () => {
  const { calls } = await countCalls(server, account, async () => {
    const inHeader = await post(path, asking({}), calling(model, { "x-max-cost": "0.000000001" }));
    const providerOptions = { gateway: { maxCost: "0.000000001" } };
    const inOptions = await post(path, asking({}, { providerOptions }), calling());
    expect([inHeader.status, inOptions.status]).toEqual([400, 400]);
  });
  expect(calls).toBe(0);
});

test("a client that leaves a stream pays for what was delivered, and nothing stays held", async () => {
  const leaving = new AbortController();
  const answer = await fetch(`${server.url}/v4/ai/${path}`, {
    method: "POST",
    headers: { ...calling(model, streaming), authorization: `Bearer ${account.key}` },
    body: JSON.stringify(asking({ deltas: 500, paceMs: 20 })),
    signal: leaving.signal,
  });
  const reader = answer.body?.getReader();
  await reader?.read();
  leaving.abort();
  await reader?.closed.catch(() => undefined);
  await waitForSettled(server);
  expect(await readLastCharge(server, account)).toBeGreaterThan(0n);
  await expectCleanBooks(server);
});
