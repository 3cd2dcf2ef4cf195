// Each member of a request reaches the chat completion, or is refused by its caller's own name for it.
import { expect, test } from "bun:test";
import { parse, refusalOf } from "./sample-interaction.fixture.ts";

const pixel = { type: "image", mime_type: "image/png", data: "AAAA" };
const call = { type: "function_call", id: "c", name: "f", arguments: { a: 1 } };
const say = (text: string) => ({ type: "user_input", content: [{ type: "text", text }] });

test.each<[string, unknown, unknown]>([
  ["a text", "Hello", [{ role: "user", content: "Hello" }]],
  ["a content", { type: "text", text: "Hello" }, [{ role: "user", content: "Hello" }]],
  [
    "contents",
    [{ type: "text", text: "Hello" }, pixel],
    [
      {
        role: "user",
        content: [
          { type: "text", text: "Hello" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        ],
      },
    ],
  ],
  [
    "steps",
    [
      say("Hi"),
      { type: "model_output", content: [{ type: "text", text: "Hello." }] },
      say("Find it."),
      call,
      { type: "function_result", call_id: "c", result: [{ type: "text", text: "It." }, pixel] },
    ],
    [
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Hello." },
      { role: "user", content: "Find it." },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: '{"a":1}' } }],
      },
      {
        role: "tool",
        tool_call_id: "c",
        content: [
          { type: "text", text: "It." },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        ],
      },
    ],
  ],
  [
    "a failed call",
    [say("Hi"), call, { type: "function_result", call_id: "c", result: "No.", is_error: true }],
    [
      { role: "user", content: "Hi" },
      expect.anything(),
      { role: "tool", tool_call_id: "c", content: "No.", is_error: true },
    ],
  ],
])("%s as input", (_, input, messages) => {
  expect(parse({ input }).parsed.messages).toEqual(messages);
});

test("settings, tools and formats are those of a chat completion", () => {
  const { parsed, maxTokens, stream } = parse({
    system_instruction: "Be brief.",
    stream: true,
    tools: [{ type: "function", name: "f", description: "Finds.", parameters: { type: "object" } }],
    generation_config: {
      temperature: 0.5,
      top_p: 0.9,
      seed: 7,
      max_output_tokens: 99,
      stop_sequences: ["END"],
      thinking_level: "xhigh",
      tool_choice: { allowed_tools: { mode: "any", tools: ["f"] } },
    },
    response_format: { type: "text", mime_type: "application/json", schema: { type: "object" } },
  });
  expect([maxTokens, stream]).toEqual([99, true]);
  expect(parsed).toMatchObject({
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hello" },
    ],
    tools: [
      {
        type: "function",
        function: { name: "f", description: "Finds.", parameters: { type: "object" } },
      },
    ],
    tool_choice: { type: "function", function: { name: "f" } },
    temperature: 0.5,
    top_p: 0.9,
    seed: 7,
    max_tokens: 99,
    stop: ["END"],
    reasoning: { effort: "xhigh" },
    response_format: {
      type: "json_schema",
      json_schema: { name: "output", schema: { type: "object" } },
    },
  });
});

test("a format of images asks for images, and how they look", () => {
  const image = { type: "image", aspect_ratio: "16:9", image_size: "1K" };
  const { parsed } = parse({ response_format: [{ type: "text" }, image] });
  expect(parsed).toMatchObject({
    modalities: ["text", "image"],
    image_config: { aspect_ratio: "16:9", image_size: "1K" },
  });
});

test("what cannot be answered is refused by name", () => {
  const cases: readonly (readonly [object, string])[] = [
    [{ previous_interaction_id: "v1_abc" }, "previous_interaction_id"],
    [{ background: true }, "background"],
    [{ agent: "deep-research" }, "agent"],
    [{ agent_config: {} }, "agent_config"],
    [{ environment: "remote" }, "environment"],
    [{ webhook_config: { uris: ["https://a.example"] } }, "webhook_config"],
    [{ continuation_token: "t" }, "continuation_token"],
    [{ cached_content: "cachedContents/a" }, "cached_content"],
    [{ service_tier: "deferred" }, "service_tier"],
    [{ tools: [{ type: "google_search" }] }, "tools[0].type"],
    [{ tools: [{ type: "mcp_server", url: "https://a.example" }] }, "tools[0].type"],
    [{ generation_config: { speech_config: [] } }, "generation_config.speech_config"],
    [{ response_format: { type: "audio" } }, "response_format.type"],
    [{ response_modalities: ["audio"] }, "response_modalities[0]"],
    [{ input: [{ type: "google_search_call", id: "a" }] }, "input[0].type"],
    [{ input: [{ ...pixel, resolution: "high" }] }, "input[0].resolution"],
    [{ input: [{ type: "image", uri: "gs://b/a.png" }] }, "input[0].uri"],
    [{ input: [{ type: "image", data: "AAAA" }] }, "input[0]"],
    [{ input: [say("Hi"), call] }, "input[1]"],
    [{ input: [say("Hi"), call, say("And?")] }, "input[1]"],
    [{ input: [{ type: "function_result", call_id: "x", result: "" }] }, "input[0].call_id"],
  ];
  for (const [body, member] of cases) expect(refusalOf(body)[1]).toBe(member);
});

test("a value of the wrong kind is refused by name", () => {
  const cases: readonly (readonly [object, string])[] = [
    [{ model: 1 }, "model"],
    [{ input: "" }, "input"],
    [{ input: 5 }, "input"],
    [{ input: [] }, "input"],
    [{ input: [7] }, "input[0]"],
    [
      { input: [{ type: "user_input", content: [{ type: "text", text: 1 }] }] },
      "input[0].content[0].text",
    ],
    [{ input: [{ type: "none" }] }, "input[0].type"],
    [{ input: [{ type: "function_call", id: "a" }] }, "input[0].name"],
    [{ input: [{ ...call, arguments: "{}" }] }, "input[0].arguments"],
    [{ input: [{ type: "thought", signature: 1 }] }, "input[0].signature"],
    [{ system_instruction: {} }, "system_instruction"],
    [{ generation_config: [] }, "generation_config"],
    [{ generation_config: { temperature: "1" } }, "generation_config.temperature"],
    [{ generation_config: { thinking_level: "deep" } }, "generation_config.thinking_level"],
    [{ generation_config: { tool_choice: 1 } }, "generation_config.tool_choice"],
    [{ tools: {} }, "tools"],
    [{ tools: [{ type: "function" }] }, "tools[0].name"],
    [{ response_format: 1 }, "response_format"],
    [{ stream: "yes" }, "stream"],
    [{ store: 1 }, "store"],
  ];
  for (const [body, member] of cases) expect([body, refusalOf(body)[1]]).toEqual([body, member]);
});

test("an unknown member, and one that no provider has, is left to no provider", () => {
  const { untranslatable } = parse({ surprise: 1, generation_config: { top_k: 3 } });
  expect(untranslatable.map(({ param }) => param)).toEqual(["generation_config.top_k", "surprise"]);
});

test("members of the translation have their callers' names", () => {
  const { callerParam = (name) => name } = parse({
    input: [say("Hi"), call, { type: "function_result", call_id: "c", result: [pixel] }],
    tools: [{ type: "function", name: "f" }],
  });
  const named = (param: string) => callerParam(param);
  expect(named("max_tokens")).toBe("generation_config.max_output_tokens");
  expect(named("temperature")).toBe("generation_config.temperature");
  expect(named("response_format")).toBe("response_format");
  expect(named("reasoning.effort")).toBe("generation_config.thinking_level");
  expect(named("service_tier")).toBe("service_tier");
  expect(named("tool_choice")).toBe("generation_config.tool_choice");
  expect(named("tools[0].function.name")).toBe("tools[0].name");
  expect(named("messages[0].content")).toBe("input[0]");
  expect(named("messages[1].tool_calls[0]")).toBe("input[1]");
  expect(named("messages[2].content[1]")).toBe("input[2]");
});
