import { expect, test } from "bun:test";
import { azureQuirks } from "../../known-providers.ts";
import { dialectOf } from "../dialect-of.ts";
import { geminiCall } from "../gemini/sample-response.fixture.ts";
import { buildRequest } from "./build-request.ts";
import { type SampleOptions, sampleCall, sampleProvider } from "./sample-call.fixture.ts";

function sentBody(options: SampleOptions): Record<string, unknown> {
  return JSON.parse(buildRequest(sampleCall(options)).body);
}

test("only the model changes in a body that needs nothing else", () => {
  const raw = `{ "seed": 9007199254740993,\t"model" : "vendor/model","messages":[{"role":"user","content":"h\\u0069"}],
    "tools":[{"type":"function","function":{"name":"f","parameters":{"$ref":"#/x","__proto__":{"a":1}}}}],"top_k": 1.50 }`;
  expect(buildRequest(sampleCall({ raw })).body).toBe(raw.replace('"vendor/model"', '"model-1"'));
});

test("the caller's output limit is spelled as the upstream expects", () => {
  const cases: [string, Record<string, unknown>][] = [
    ["ollama", { max_completion_tokens: 9 }],
    ["ollama", { max_tokens: 9 }],
    ["ollama", { max_tokens: 5, max_completion_tokens: 9 }],
    ["openai", { max_tokens: 9 }],
    ["openai", { max_tokens: 9, max_completion_tokens: null }],
  ];
  for (const [like, body] of cases) {
    const { max_tokens, max_completion_tokens } = sentBody({ like, body });
    const expected = like === "openai" ? [undefined, 9] : [9, undefined];
    expect([max_tokens, max_completion_tokens]).toEqual(expected);
  }
});

test("the gateway's limit replaces the caller's, and is added where there was none", () => {
  expect(sentBody({ maxTokens: 256 }).max_tokens).toBe(256);
  expect(sentBody({ maxTokens: 256, body: { max_tokens: 4000 } }).max_tokens).toBe(256);
  expect(sentBody({ like: "xai", maxTokens: 256 }).max_completion_tokens).toBe(256);
  expect(sentBody({})).not.toHaveProperty("max_tokens");
});

test("OpenRouter's reasoning is an effort at every service that does not know it", () => {
  const cases: [Record<string, unknown>, unknown][] = [
    [{ reasoning: { effort: "low" } }, "low"],
    [{ reasoning: { max_tokens: 20_000 } }, "high"],
    [{ reasoning: { enabled: false }, reasoning_effort: "high" }, undefined],
    [{ reasoning: { enabled: true } }, undefined],
    [{ reasoning: null }, undefined],
  ];
  for (const [body, effort] of cases) {
    const sent = sentBody({ like: "openai", body: { ...body, include_reasoning: true } });
    expect(sent.reasoning_effort).toEqual(effort);
    for (const name of ["reasoning", "include_reasoning"]) expect(sent).not.toHaveProperty(name);
    for (const like of ["deepseek", "together", "xai", "moonshot", "vllm", "ollama"]) {
      const ignoring = sentBody({ like, body });
      const reasoning = body.reasoning ?? undefined;
      expect([ignoring.reasoning_effort, ignoring.reasoning]).toEqual([effort, reasoning]);
    }
    const obeying = sentBody({ like: "openrouter", body });
    expect(obeying.reasoning).toEqual(body.reasoning ?? undefined);
    expect(obeying).not.toHaveProperty("reasoning_effort");
  }
  const groq = sentBody({ like: "groq", body: { include_reasoning: false } });
  expect(groq.include_reasoning).toBe(false);
  const dated = azureQuirks({ form: "deployments", apiVersion: "2024-10-21" });
  for (const quirks of [dated, sampleProvider("mistral").quirks]) {
    const call = sampleCall({ body: { include_reasoning: false } });
    const sent = buildRequest({ ...call, provider: { ...call.provider, quirks } });
    expect(sent.body).not.toContain("include_reasoning");
  }
});

test("usage of a stream is always requested, and other stream options survive", () => {
  expect(sentBody({ body: { stream: true } }).stream_options).toEqual({ include_usage: true });
  const stream_options = { include_usage: false, continuous_usage_stats: true };
  expect(sentBody({ like: "vllm", body: { stream: true, stream_options } }).stream_options).toEqual(
    {
      include_usage: true,
      continuous_usage_stats: true,
    },
  );
  expect(sentBody({ body: {} })).not.toHaveProperty("stream_options");
});

test("padding is turned off if it is the default, unless the caller chose it", () => {
  const body = { stream: true };
  expect(sentBody({ like: "openai", body }).stream_options).toEqual({
    include_usage: true,
    include_obfuscation: false,
  });
  const chosen = { stream: true, stream_options: { include_obfuscation: true } };
  expect(sentBody({ like: "openai", body: chosen }).stream_options).toEqual({
    include_obfuscation: true,
    include_usage: true,
  });
});

test("an upstream that always reports usage never gets stream_options", () => {
  const body = { stream: true, stream_options: { include_usage: true } };
  expect(sentBody({ like: "mistral", body })).not.toHaveProperty("stream_options");
});

test("control fields of the gateway are not sent to upstreams that reject them", () => {
  const body = { transforms: [], usage: { include: true }, top_p: 0.5 };
  expect(sentBody({ like: "openai", body })).toEqual({
    model: "model-1",
    messages: [{ role: "user", content: "Hello" }],
    top_p: 0.5,
  });
  expect(sentBody({ like: "vllm", body })).toMatchObject(body);
});

test.each(["openai", "openrouter", "vllm", "mistral"])(
  "%s gets no routing fields: another model or provider has another price and policy",
  (like) => {
    const routing = { provider: { order: ["first"] }, models: ["a", "b"], route: "fallback" };
    const body = { ...routing, max_cost: 1, top_p: 0.5 };
    expect(Object.keys(sentBody({ like, body }))).toEqual(["model", "messages", "top_p"]);
  },
);

test("values that differ are translated, digits kept", () => {
  const raw = `{"model":"m","messages":[{"role":"user","content":"x"}],"seed":9007199254740993,
    "tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"required"}`;
  const { body } = buildRequest(sampleCall({ like: "mistral", raw }));
  expect(body).toContain('"random_seed":9007199254740993');
  expect(body).not.toContain('"seed"');
  expect(body).toContain('"tool_choice":"any"');
  expect(buildRequest(sampleCall({ raw })).body).toContain('"tool_choice":"required"');
});

test("a conversation begun elsewhere continues with an upstream that is strict about call ids", () => {
  const messages = [
    { role: "user", content: 'say "id": "call_1" and {"id":"call_1"}' },
    {
      role: "assistant",
      tool_calls: [
        { id: "call_1", type: "function", function: { name: "f", arguments: '{"id":"call_1"}' } },
        { id: "AbCdEf012", type: "function", function: { name: "f", arguments: "{}" } },
      ],
    },
    { role: "tool", tool_call_id: "call_1", content: "1" },
    { role: "tool", tool_call_id: "AbCdEf012", content: "2" },
  ];
  const sent = buildRequest(sampleCall({ like: "mistral", body: { messages } })).body;
  const [, id] = /"tool_calls":\[\{"id":"([A-Za-z0-9]{9})"/.exec(sent) ?? [];
  expect(id).toBeString();
  const expected = JSON.stringify(messages)
    .replace('"id":"call_1","type"', `"id":"${id}","type"`)
    .replace('"tool_call_id":"call_1"', `"tool_call_id":"${id}"`);
  expect(sent).toContain(`"messages":${expected}`);
  expect(buildRequest(sampleCall({ body: { messages } })).body).toContain(JSON.stringify(messages));
});

test("an effort that is asked for in both words is sent in one, each provider's own", () => {
  const body = { reasoning: { effort: "low" }, reasoning_effort: "low" };
  for (const like of ["openai", "together", "vllm"]) {
    const sent = sentBody({ like, body });
    expect([sent.reasoning_effort, sent.reasoning]).toEqual(["low", undefined]);
  }
  const neutral = { effort: "low", exclude: false, enabled: true, max_tokens: null };
  for (const like of ["vllm", "deepseek", "xai"]) {
    const sent = sentBody({ like, body: { ...body, reasoning: neutral } });
    expect([sent.reasoning_effort, sent.reasoning]).toEqual(["low", undefined]);
    const more = { effort: "low", exclude: true };
    expect(sentBody({ like, body: { ...body, reasoning: more } }).reasoning).toEqual(more);
  }
  const openrouter = sentBody({ like: "openrouter", body });
  expect([openrouter.reasoning_effort, openrouter.reasoning]).toEqual([undefined, body.reasoning]);
  const joined = sentBody({
    like: "openrouter",
    body: { reasoning: { exclude: true }, reasoning_effort: "high" },
  });
  expect(joined.reasoning).toEqual({ exclude: true, effort: "high" });
  expect(joined).not.toHaveProperty("reasoning_effort");
});

test("a null is sent to no provider", () => {
  const body = { stop: null, seed: null, user: null, reasoning_effort: null, tools: null };
  for (const like of ["openai", "mistral", "openrouter", "vllm", "deepseek"]) {
    const sent = sentBody({ like, body });
    for (const name in sent) expect([name, sent[name]]).not.toEqual([name, null]);
  }
});

test("the first four stop sequences are sent, whatever the caller has beside them", () => {
  const stop = ["a", "b", "c", "d", "e", "f", "g"];
  expect(sentBody({ like: "openai", body: { stop } }).stop).toEqual(stop.slice(0, 4));
  expect(sentBody({ like: "openai", body: { stop: stop.slice(0, 4) } }).stop).toEqual(
    stop.slice(0, 4),
  );
});

test.each([[[]], [""], [["", ""]]])(
  "the stop sequences %j ask for nothing, and are not sent",
  (stop) => {
    for (const like of ["openai", "vllm"]) {
      expect(sentBody({ like, body: { stop } })).not.toHaveProperty("stop");
    }
    const gemini = geminiCall({ stop });
    expect(dialectOf(gemini).buildRequest(gemini).body).not.toContain("stopSequences");
    expect(sentBody({ body: { stop: ["", "a"] } }).stop).toEqual(["a"]);
  },
);

test("Mistral's word for a tool that has to be called is understood by every service", () => {
  const tools = [{ type: "function", function: { name: "f", parameters: { type: "object" } } }];
  const choiceAt = (like: string) =>
    sentBody({ like, body: { tools, tool_choice: "any" } }).tool_choice;
  expect(["openai", "vllm", "mistral"].map(choiceAt)).toEqual(["required", "required", "any"]);
});
