import { describe, expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { parseChatRequest } from "./parse-chat-request.ts";

const user = { role: "user", content: "hi" };
const call = { id: "call_1", type: "function", function: { name: "f", arguments: "{" } };
const json = (fields: object) => JSON.stringify({ model: "m", messages: [user], ...fields });
const parse = (fields: object) => parseChatRequest(json(fields));

function refusal(raw: string): { code: string; param: string | undefined; message: string } {
  try {
    parseChatRequest(raw);
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    return { code: thrown.code, param: thrown.details.param, message: thrown.message };
  }
  return { code: "accepted", param: undefined, message: "" };
}

describe("what is read", () => {
  test("a minimal request has the documented defaults", () => {
    const chat = parse({});
    const { model, stream, includeUsage, maxTokens, choices, messageCount } = chat;
    expect({ model, stream, includeUsage, maxTokens, choices, messageCount }).toEqual({
      model: "m",
      stream: false,
      includeUsage: false,
      maxTokens: undefined,
      choices: 1,
      messageCount: 1,
    });
  });

  test("max_completion_tokens is preferred and null means absent", () => {
    expect(parse({ max_tokens: 5, max_completion_tokens: 7 }).maxTokens).toBe(7);
    expect(parse({ max_tokens: 5, max_completion_tokens: null }).maxTokens).toBe(5);
    expect(
      parse({ max_tokens: null, n: null, stream: null, stop: null }).maxTokens,
    ).toBeUndefined();
  });

  test("usage is included only when a stream asks for it", () => {
    expect(parse({ stream: true, stream_options: { include_usage: true } }).includeUsage).toBe(
      true,
    );
    expect(parse({ stream: true, stream_options: {} }).includeUsage).toBe(false);
  });

  test("unknown fields are accepted at every level and the text stays unchanged", () => {
    const raw =
      '{"model":"m","top_k":3,"seed":9007199254740993,"messages":[{"role":"user","x":{},"content":' +
      '[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}]}],"__proto__":{"a":1}}';
    expect(parseChatRequest(raw).raw).toBe(raw);
  });
});

test.each([
  ["empty parts", [{ role: "user", content: [] }]],
  ["null content of a caller", [user, { role: "assistant", content: null, name: null }]],
  [
    "calls without content, answered in any order",
    [
      { role: "assistant", tool_calls: [call, { ...call, id: "call_2" }], reasoning_content: "r" },
      { role: "tool", tool_call_id: "call_2", content: "2" },
      { role: "tool", tool_call_id: "call_1", content: [{ type: "text", text: "1" }] },
    ],
  ],
  [
    "a bare image url",
    [{ role: "user", content: [{ type: "image_url", image_url: "data:image/png," }] }],
  ],
  ["a function result of null", [{ role: "function", name: "f", content: null }]],
  ["two thousand messages", Array.from({ length: 2_000 }, () => user)],
])("accepted: %s", (_, messages) => {
  expect(parse({ messages }).messageCount).toBe(messages.length);
});

const fieldRefusals: [object, string, string][] = [
  [{ model: undefined }, "missing_required_parameter", "model"],
  [{ model: 5 }, "invalid_type", "model"],
  [{ model: null }, "invalid_type", "model"],
  [{ model: "" }, "string_below_min_length", "model"],
  [{ model: "x".repeat(129) }, "string_above_max_length", "model"],
  [{ messages: undefined }, "missing_required_parameter", "messages"],
  [{ messages: "hi" }, "invalid_type", "messages"],
  [{ messages: [] }, "empty_array", "messages"],
  [{ messages: Array.from({ length: 2_001 }, () => user) }, "array_above_max_length", "messages"],
  [{ n: 130 }, "integer_above_max_value", "n"],
  [{ n: 0 }, "integer_below_min_value", "n"],
  [{ n: 1.5 }, "invalid_type", "n"],
  [{ n: "1" }, "invalid_type", "n"],
  [{ max_tokens: 0 }, "integer_below_min_value", "max_tokens"],
  [{ max_completion_tokens: 1e300 }, "integer_above_max_value", "max_completion_tokens"],
  [{ temperature: 2.1 }, "decimal_above_max_value", "temperature"],
  [{ temperature: "hot" }, "invalid_type", "temperature"],
  [{ top_p: -0.1 }, "decimal_below_min_value", "top_p"],
  [{ stream: "true" }, "invalid_type", "stream"],
  [{ stream_options: {} }, "malformed_request", "stream_options"],
  [
    { stream: true, stream_options: { include_usage: 1 } },
    "invalid_type",
    "stream_options.include_usage",
  ],
  [{ top_logprobs: 2 }, "malformed_request", "top_logprobs"],
  [{ stop: new Array(65).fill("a") }, "array_above_max_length", "stop"],
  [
    { reasoning: { effort: "low" }, reasoning_effort: "high" },
    "malformed_request",
    "reasoning_effort",
  ],
  [{ stop: [1] }, "invalid_type", "stop[0]"],
  [{ logit_bias: { "50256": 101 } }, "integer_above_max_value", "logit_bias.50256"],
  [{ metadata: { a: 1 } }, "invalid_type", "metadata.a"],
  [{ tools: [{}] }, "missing_required_parameter", "tools[0].type"],
  [{ tools: [{ type: "web" }] }, "invalid_value", "tools[0].type"],
  [
    { tools: [{ type: "function", function: { name: "a b" } }] },
    "invalid_value",
    "tools[0].function.name",
  ],
  [
    { tools: [{ type: "function", function: { name: "a", parameters: "x" } }] },
    "invalid_type",
    "tools[0].function.parameters",
  ],
  [{ tools: Array.from({ length: 129 }, () => ({})) }, "array_above_max_length", "tools"],
  [{ tool_choice: "sometimes" }, "invalid_value", "tool_choice"],
  [{ tool_choice: { type: "function" } }, "missing_required_parameter", "tool_choice.function"],
  [{ functions: [] }, "empty_array", "functions"],
  [{ response_format: { type: "xml" } }, "invalid_value", "response_format.type"],
  [
    { response_format: { type: "json_schema", json_schema: {} } },
    "missing_required_parameter",
    "response_format.json_schema.name",
  ],
  [{ modalities: ["text", "audio"] }, "missing_required_parameter", "audio"],
  [{ Max_Tokens: 5 }, "unknown_parameter", "Max_Tokens"],
  [{ ſtream: true }, "unknown_parameter", "ſtream"],
];

test.each(fieldRefusals)("%j is refused as %s at %s", (fields, code, param) => {
  expect(refusal(json(fields))).toMatchObject({ code, param });
});

const part = (value: object) => ({ role: "user", content: [value] });
const messageRefusals: [unknown, string, string][] = [
  ["hi", "invalid_type", ""],
  [{ content: "hi" }, "missing_required_parameter", ".role"],
  [{ role: "robot", content: "hi" }, "invalid_value", ".role"],
  [{ role: 1, content: "hi" }, "invalid_type", ".role"],
  [{ role: "user" }, "missing_required_parameter", ".content"],
  [{ role: "user", content: null }, "invalid_type", ".content"],
  [{ role: "user", content: 5 }, "invalid_type", ".content"],
  [{ role: "user", content: "a", name: 1 }, "invalid_type", ".name"],
  [part({}), "missing_required_parameter", ".content[0].type"],
  [part({ type: "video" }), "invalid_value", ".content[0].type"],
  [part({ type: "text" }), "missing_required_parameter", ".content[0].text"],
  [part({ type: "text", text: 1 }), "invalid_type", ".content[0].text"],
  [
    part({ type: "image_url", image_url: {} }),
    "missing_required_parameter",
    ".content[0].image_url.url",
  ],
  [part({ type: "image_url", image_url: 1 }), "invalid_type", ".content[0].image_url"],
  [
    part({ type: "input_audio", input_audio: { data: "", format: "ogg" } }),
    "invalid_value",
    ".content[0].input_audio.format",
  ],
  [part({ type: "file", file: { file_id: 1 } }), "invalid_type", ".content[0].file.file_id"],
  [{ role: "system", content: [{ type: "image_url" }] }, "invalid_value", ".content[0].type"],
  [{ role: "assistant" }, "missing_required_parameter", ".content"],
  [{ role: "assistant", tool_calls: [] }, "empty_array", ".tool_calls"],
  [
    { role: "assistant", tool_calls: [{ ...call, function: { name: "f", arguments: {} } }] },
    "invalid_type",
    ".tool_calls[0].function.arguments",
  ],
  [{ role: "assistant", tool_calls: [call] }, "malformed_request", ".tool_calls"],
  [{ role: "tool", content: "x" }, "missing_required_parameter", ".tool_call_id"],
  [{ role: "function", name: "f" }, "missing_required_parameter", ".content"],
];

test.each(messageRefusals)("the message %j is refused as %s at %s", (message, code, path) => {
  const raw = json({ messages: [user, message] });
  expect(refusal(raw)).toMatchObject({ code, param: `messages[1]${path}` });
});

describe("text that is not a request", () => {
  const half = String.fromCharCode(0xd800);
  test.each<[string, string, string]>([
    ["an empty body", "", "invalid_json"],
    ["spaces", "  \n", "invalid_json"],
    ["a cut body", '{"model":"m","messages":[', "invalid_json"],
    ["a cut string", '{"model":"m', "invalid_json"],
    ["a trailing comma", '{"model":"m",}', "invalid_json"],
    ["a bad escape in a key", '{"\\x":1}', "invalid_json"],
    ["a byte order mark", `\uFEFF${json({})}`, "invalid_json"],
    ["a raw NUL", json({}).replace("hi", "\0"), "invalid_json"],
    ["a raw lone surrogate", json({}).replace("hi", half), "invalid_json"],
    ["100,000 levels", "[".repeat(100_000), "invalid_json"],
    ["an array", "[]", "invalid_type"],
    ["null", "null", "invalid_type"],
    ["a string", '"{"', "invalid_type"],
  ])("%s is refused", (_, raw, code) => {
    expect(refusal(raw).code).toBe(code);
  });

  test("an escaped NUL or half a surrogate pair is refused at its path", () => {
    for (const sequence of ["\\u0000", "\\uD83D", "\\ude00\\ud83d"]) {
      const raw = json({}).replace("hi", sequence);
      expect(refusal(raw)).toMatchObject({ code: "invalid_value", param: "messages[0].content" });
    }
  });

  test("whole pairs and escaped backslashes before a u are ordinary text", () => {
    for (const text of ["\\ud83d\\ude00", "\\\\ud83d", "\\\\u0000"]) {
      expect(refusal(json({}).replace("hi", text)).code).toBe("accepted");
    }
  });
});

test("messages are those that SDK users know", () => {
  expect(refusal(json({ n: 130 })).message).toBe(
    "Invalid 'n': integer above maximum value. Expected a value <= 128, but got 130 instead.",
  );
  expect(refusal(json({ messages: [{ content: "" }] })).message).toBe(
    "Missing required parameter: 'messages[0].role'.",
  );
  expect(refusal(json({ messages: "hi" })).message).toBe(
    "Invalid type for 'messages': expected an array of objects, but got a string instead.",
  );
  expect(refusal("{").message).toStartWith("We could not parse the JSON body of your request.");
});

test("the last occurrence of a duplicate key is the one that is checked and read", () => {
  const raw = '{"model":1,"messages":[{"role":"user","content":"a"}],"model":"m"}';
  expect(parseChatRequest(raw).model).toBe("m");
});
