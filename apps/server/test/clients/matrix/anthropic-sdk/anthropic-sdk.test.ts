// The official `@anthropic-ai/sdk` against the running server with only a base URL and a key, over
// upstreams of several languages: one list of cases for all.
import { describe, expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import type { Script } from "@turnpike/testing";
import {
  answerWith,
  at,
  catchError,
  countCalls,
  openAccount,
  scripted,
  startTestServer,
  testModels,
  useServer,
} from "../../../harness/index.ts";

const { server, account } = await useServer(startTestServer());
const poor = await openAccount(server, { usd: "0" });

const connect = (apiKey: string, maxRetries = 0) =>
  new Anthropic({ apiKey, baseURL: server.url, maxRetries });
const client = connect(account.key);
const ask = (script: Script) => [scripted(script)];
const tool = { name: "get_weather", input_schema: { type: "object" as const } };

describe.each([
  ["openai-compatible", testModels.cheap],
  ["anthropic", testModels.anthropic],
])("over an upstream of kind %s", (_, model) => {
  const call = (script: object, more: object = {}) =>
    ({ model, max_tokens: 100, messages: ask(script), ...more }) as const;

  test("one or several tool calls, whole and streamed, and the turn after them", async () => {
    const toolCalls = [
      { name: "get_weather", arguments: '{"city":"Rome"}' },
      { name: "get_weather", arguments: "" },
    ];
    const body = call({ toolCalls }, { tools: [tool], tool_choice: { type: "any" } });
    const whole = await client.messages.create(body);
    const streamed = await client.messages.stream(body).finalMessage();
    for (const { content, stop_reason } of [whole, streamed]) {
      expect(stop_reason).toBe("tool_use");
      expect(content).toMatchObject([
        { type: "tool_use", name: "get_weather", input: { city: "Rome" } },
        { type: "tool_use", name: "get_weather", input: {} },
      ]);
    }
    const results = whole.content.flatMap((block) =>
      block.type === "tool_use"
        ? [{ type: "tool_result" as const, tool_use_id: block.id, content: "sunny" }]
        : [],
    );
    const next = await client.messages.create({
      ...body,
      tool_choice: { type: "auto" },
      messages: [
        ...body.messages,
        { role: "assistant", content: whole.content },
        {
          role: "user",
          content: [...results, ask({ deltas: 1 })[0]?.content ?? ""].map(asBlock),
        },
      ],
    });
    expect(next.content).toMatchObject([{ type: "text", text: " tok" }]);
  });

  test("thinking comes before the text, whole and streamed", async () => {
    const thinking = { type: "enabled", budget_tokens: 1_024 };
    const body = call({ reasoning: 2, deltas: 1 }, { max_tokens: 2_000, thinking });
    for (const message of [
      await client.messages.create(body),
      await client.messages.stream(body).finalMessage(),
    ]) {
      expect(message.content).toMatchObject([
        { type: "thinking", thinking: " tok tok" },
        { type: "text", text: " tok" },
      ]);
      expect(message.usage.output_tokens_details?.thinking_tokens).toBe(2);
    }
  });

  test("an answer cut by its token limit has the stop reason max_tokens", async () => {
    const message = await client.messages.create({ ...call({ deltas: 9 }), max_tokens: 2 });
    expect([message.stop_reason, message.usage.output_tokens]).toEqual(["max_tokens", 2]);
  });

  test("refusals are the SDK's own errors, with types and request ids, and cost nothing", async () => {
    const cases: readonly (readonly [() => PromiseLike<unknown>, number, string])[] = [
      [() => connect("sk-wrong").messages.create(call({})), 401, "authentication_error"],
      [() => connect(poor.key).messages.create(call({})), 402, "billing_error"],
      [() => client.messages.create({ ...call({}), model: "nope" }), 404, "not_found_error"],
      [() => client.messages.create({ ...call({}), max_tokens: -1 }), 400, "invalid_request_error"],
      [() => client.messages.create(call({ status: 400 })), 400, "invalid_request_error"],
      [() => client.messages.create(call({ status: 401 })), 502, "api_error"],
      [() => client.messages.create(call({ status: 429 })), 429, "rate_limit_error"],
      [() => client.messages.create(call({ status: 503 })), 529, "overloaded_error"],
    ];
    const { charges } = await countCalls(server, account, async () => {
      for (const [act, status, type] of cases) {
        const error = await catchError(act());
        if (!(error instanceof Anthropic.APIError)) throw new Error(`not refused: ${type}`);
        expect([error.status, error.type]).toEqual([status, type]);
        expect(error.requestID).toMatch(/^req_[0-9a-f]{32}$/);
        expect(at(error.error, "request_id")).toBe(error.requestID);
      }
    });
    expect(charges).toEqual([]);
  });

  test.each([429, 500, 503])(
    "a %i is retried by the SDK itself, and charged once",
    async (status) => {
      const busy = { status, headers: { "retry-after": "1" } };
      answerWith(server, busy, busy, { deltas: 1 });
      const messages = [{ role: "user" as const, content: "again" }];
      const { calls, charges } = await countCalls(server, account, async () => {
        const patient = connect(account.key, 2);
        const { usage } = await patient.messages.create({ model, max_tokens: 5, messages });
        expect(usage.output_tokens).toBe(1);
      });
      expect([calls, charges.length]).toEqual([3, 1]);
    },
  );

  test("a stream that breaks is an error, never a message that looks complete", async () => {
    for (const broken of [{ errorAfterDeltas: 2 }, { cutAfterDeltas: 2 }, { finish: null }]) {
      const stream = client.messages.stream(call({ deltas: 5, ...broken }));
      const error = await catchError(stream.finalMessage());
      if (!(error instanceof Anthropic.APIError)) throw new Error("the stream did not fail");
      expect(error.type).toBe("api_error");
    }
  });
});

/** A text among tool results. */
function asBlock<Block extends object>(block: Block | string): Block | Anthropic.TextBlockParam {
  return typeof block === "string" ? { type: "text", text: block } : block;
}

test("counting tokens is free, calls no upstream and requires a key", async () => {
  const model = testModels.cheap;
  const { calls, charges } = await countCalls(server, account, async () => {
    const short = await client.messages.countTokens({ model, messages: ask({}) });
    const system = "One more sentence in front of it.";
    const long = await client.messages.countTokens({ model, system, messages: ask({}) });
    expect(short.input_tokens).toBeGreaterThan(5);
    expect(long.input_tokens).toBeGreaterThan(short.input_tokens + 5);
  });
  expect([calls, charges]).toEqual([0, []]);
  const error = await catchError(
    connect("sk-wrong").messages.countTokens({ model, messages: ask({}) }),
  );
  expect(at(error, "status")).toBe(401);
});
