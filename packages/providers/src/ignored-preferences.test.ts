// Which preferences each upstream is asked without: those that are named are exactly those that are not sent.
import { describe, expect, test } from "bun:test";
import {
  type ChatRequest,
  chatProtocol,
  embeddingsProtocol,
  messagesProtocol,
  type ParsedRequest,
  preferenceNames,
  responsesProtocol,
} from "@turnpike/wire";
import { chatCall as claudeCall } from "./dialects/anthropic/sample-messages-call.fixture.ts";
import { dialectOf } from "./dialects/dialect-of.ts";
import { geminiCall } from "./dialects/gemini/sample-response.fixture.ts";
import { sampleProvider } from "./dialects/openai/sample-call.fixture.ts";
import type { DialectRequest, Target, UpstreamCall } from "./provider.ts";
import { whyUntranslatable } from "./why-untranslatable.ts";

const openai = sampleProvider("openai");
const routes = {
  openai: { provider: openai, upstreamModel: "gpt-4o" },
  "openai's responses": {
    provider: { ...openai, quirks: { ...openai.quirks, responses: "only" } },
    upstreamModel: "gpt-4o",
  },
  groq: { provider: sampleProvider("groq"), upstreamModel: "m" },
  deepseek: { provider: sampleProvider("deepseek"), upstreamModel: "m" },
  "own server": {
    provider: { ...sampleProvider("vllm"), unknownFields: "passed" },
    upstreamModel: "m",
  },
  claude: { provider: claudeCall().provider, upstreamModel: "claude-sonnet-4-5" },
  "claude 4.7": { provider: claudeCall().provider, upstreamModel: "claude-opus-4-7" },
  gemini: { provider: geminiCall().provider, upstreamModel: "gemini-2.5-flash" },
} as const satisfies Record<string, Target>;

type Asked = { readonly omitted?: readonly string[] };

function askFor<Request extends ParsedRequest>(
  route: keyof typeof routes,
  request: Request,
  { omitted = [] }: Asked,
): DialectRequest {
  const call: UpstreamCall<Request> = {
    ...routes[route],
    request,
    maxTokens: 4_000,
    coveredTokens: 4_000,
    omittedFields: omitted,
    identity: { id: "ours", model: "m", created: 0 },
  };
  expect(whyUntranslatable(call, request)).toBeUndefined();
  return dialectOf(call).buildRequest(call);
}

const messages = [{ role: "user", content: "Hello" }];
const headers = new Headers();
const chat = (fields: object): ChatRequest =>
  chatProtocol.parse(JSON.stringify({ model: "m", messages, ...fields }), headers);

const penalties = { frequency_penalty: 0.5, presence_penalty: 0.5 };
const unusual = { min_p: 0.1, top_a: 0.2, repetition_penalty: 1.1 };

describe("a chat completion", () => {
  test.each<[keyof typeof routes, object, readonly string[], Asked?]>([
    [
      "claude",
      { ...penalties, ...unusual, temperature: 0.5 },
      Object.keys({ ...penalties, ...unusual }),
    ],
    ["claude", { seed: 1, verbosity: "low" }, ["seed", "verbosity"]],
    ["claude", { temperature: 0.5, top_p: 0.5 }, ["top_p"]],
    ["claude 4.7", { temperature: 0.5, top_k: 5 }, ["temperature", "top_k"]],
    ["claude", { temperature: 0.5, reasoning: { effort: "low" } }, ["temperature"]],
    ["claude", { reasoning_effort: "low" }, ["reasoning_effort"], { omitted: ["reasoning"] }],
    [
      "claude",
      { thinking: { type: "enabled" }, enable_thinking: true },
      ["thinking", "enable_thinking"],
    ],
    [
      "claude",
      { metadata: { a: "b" }, store: true, verbosity: "low" },
      ["metadata", "store", "verbosity"],
    ],
    ["gemini", { ...penalties, ...unusual }, Object.keys(unusual)],
    ["gemini", { seed: 2 ** 40, verbosity: "low" }, ["seed", "verbosity"]],
    ["gemini", { seed: 7, top_k: 5, user: "u" }, ["user"]],
    [
      "openai",
      { ...penalties, ...unusual, top_k: 5 },
      ["min_p", "top_a", "repetition_penalty", "top_k"],
    ],
    ["openai", { reasoning: { effort: "low" }, verbosity: "low" }, []],
    ["openai", { thinking: { type: "enabled" } }, ["thinking"]],
    [
      "openai",
      { reasoning: { effort: "low" }, reasoning_effort: "low" },
      ["reasoning", "reasoning_effort"],
      { omitted: ["reasoning", "reasoning_effort"] },
    ],
    ["groq", { ...unusual, reasoning: { effort: "low" } }, []],
    ["groq", { temperature: 0.5, top_k: 5 }, ["top_k"], { omitted: ["top_k"] }],
    ["deepseek", { ...unusual, thinking: { type: "enabled" } }, []],
    ["own server", { ...unusual, top_k: 5 }, [], { omitted: ["top_k"] }],
    [
      "openai's responses",
      { ...penalties, seed: 1, top_k: 5 },
      [...Object.keys(penalties), "seed", "top_k"],
    ],
    ["openai's responses", { temperature: 0.5, verbosity: "low", user: "u" }, []],
    [
      "openai's responses",
      { temperature: 0.5, reasoning_effort: "low" },
      ["temperature", "reasoning_effort"],
      { omitted: ["temperature", "reasoning", "reasoning_effort"] },
    ],
  ])("to %s: of %j not %j", (route, fields, expected, asked = {}) => {
    const { body, ignored } = askFor(route, chat(fields), asked);
    expect([...ignored].sort()).toEqual([...expected].sort());
    const sent = JSON.parse(body);
    for (const name of expected) expect(sent).not.toHaveProperty(name);
  });

  test.each(["claude", "gemini", "openai", "openai's responses"] as const)(
    "to %s: a value that asks for nothing is not named, and not sent where it would be refused",
    (route) => {
      const nothing = {
        min_p: 0,
        top_a: 0,
        repetition_penalty: 1,
        store: false,
        top_k: null,
        thinking: { type: "disabled" },
        reasoning: { enabled: false },
      };
      const { body, ignored } = askFor(route, chat(nothing), { omitted: ["reasoning"] });
      expect(ignored).toEqual([]);
      const sent = JSON.parse(body);
      for (const name of ["min_p", "top_a", "repetition_penalty", "reasoning"]) {
        expect(sent).not.toHaveProperty(name);
      }
    },
  );
});

/** Of each preference, a value that asks for something. */
const values: Readonly<Record<string, unknown>> = {
  temperature: 0.5,
  top_p: 0.5,
  seed: 7,
  ...penalties,
  user: "u",
  safety_identifier: "s",
  prompt_cache_key: "k",
  prompt_cache_retention: "24h",
  reasoning: { effort: "low" },
  reasoning_effort: "low",
  verbosity: "low",
  metadata: { a: "b" },
  cache_control: { type: "ephemeral" },
  prompt_cache_options: {},
  parallel_tool_calls: false,
  store: true,
  include_reasoning: true,
};

test.each(["claude", "gemini", "openai", "openai's responses"] as const)(
  "a chat completion to %s: each preference is either sent or named",
  (route) => {
    const tools = [{ type: "function", function: { name: "f" } }];
    const plain = askFor(route, chat({ tools }), {}).body;
    for (const name of preferenceNames) {
      const { body, ignored } = askFor(route, chat({ tools, [name]: values[name] ?? 5 }), {});
      // Gemini's answer is cut to one call.
      const isObeyed = body !== plain || (route === "gemini" && name === "parallel_tool_calls");
      expect([name, ignored]).toEqual([name, isObeyed ? [] : [name]]);
    }
  },
);

describe("a request in Anthropic's own language", () => {
  const own = (fields: object) =>
    messagesProtocol.parse(
      JSON.stringify({ model: "m", max_tokens: 9, messages, ...fields }),
      headers,
    );

  test("goes to Claude without fields of other APIs", () => {
    const { body, ignored } = askFor("claude", own({ ...unusual, top_k: 5, seed: 1 }), {});
    expect(ignored).toEqual([...Object.keys(unusual), "seed"]);
    expect(Object.keys(JSON.parse(body))).toEqual(["model", "max_tokens", "messages", "top_k"]);
  });

  test("goes to a model that cannot think without a wish to", () => {
    const thinking = { type: "enabled", budget_tokens: 2_000 };
    const format = { type: "json_schema", schema: { type: "object" } };
    const fields = { thinking, output_config: { effort: "low", format }, temperature: 0.5 };
    const { body, ignored } = askFor("claude", own(fields), { omitted: ["reasoning"] });
    expect(ignored).toEqual(["thinking", "output_config.effort"]);
    const sent = JSON.parse(body);
    expect([sent.thinking, sent.output_config, sent.temperature]).toEqual([
      undefined,
      { format },
      0.5,
    ]);
    expect(askFor("claude", own(fields), {}).ignored).toEqual([]);
  });

  test("goes to a model that samples by itself without a wish how", () => {
    const { body, ignored } = askFor("claude 4.7", own({ temperature: 0.5, top_k: 5 }), {});
    expect([ignored, Object.keys(JSON.parse(body))]).toEqual([
      ["temperature", "top_k"],
      ["model", "max_tokens", "messages"],
    ]);
  });

  test("reaches other providers with the preferences of their API", () => {
    const { body, ignored } = askFor("openai", own({ ...penalties, min_p: 0.1 }), {});
    expect([ignored, JSON.parse(body)]).toMatchObject([["min_p"], penalties]);
  });
});

test("a response is relayed without fields of chat completions", () => {
  const text = JSON.stringify({
    model: "m",
    input: "Hello",
    ...penalties,
    top_k: 5,
    temperature: 0.5,
  });
  const request = responsesProtocol.parse(text, headers);
  const { body, ignored } = askFor("openai", request, {});
  expect(ignored).toEqual([...Object.keys(penalties), "top_k"]);
  expect(JSON.parse(body)).toMatchObject({ temperature: 0.5 });
  expect(body).not.toContain("penalty");
});

test("embeddings are asked for without preferences of answers", () => {
  const text = JSON.stringify({ model: "m", input: "Hello", temperature: 0.5, user: "u" });
  const request = embeddingsProtocol.parse(text, headers);
  const sent = askFor("openai", request, {});
  expect([sent.ignored, JSON.parse(sent.body).temperature]).toEqual([["temperature"], undefined]);
  expect(askFor("gemini", request, {}).ignored).toEqual(["temperature", "user"]);
});
