// The chat completion that a request for a text becomes, and what is refused by name because a chat
// model cannot do it.
import { expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { parseCompletionsRequest } from "./parse-completions-request.ts";

const parse = (fields: Record<string, unknown>) =>
  parseCompletionsRequest(JSON.stringify({ model: "a/b", prompt: "Once", ...fields }));

function refusalOf(fields: Record<string, unknown>): [string, unknown] {
  try {
    parse(fields);
  } catch (thrown) {
    if (thrown instanceof Fault) return [thrown.code, thrown.details.param];
    throw thrown;
  }
  throw new Error("accepted");
}

test("the prompt becomes one message, and every other field stays", () => {
  const raw = '{"model":"a/b","prompt":["Once"],"max_tokens":5,"seed":7,"stop":["."],"top_k":3}';
  const request = parseCompletionsRequest(raw);
  expect(request.raw).toBe(raw);
  expect(request.parsed).toEqual({
    model: "a/b",
    messages: [{ role: "user", content: "Once" }],
    max_tokens: 5,
    seed: 7,
    stop: ["."],
    top_k: 3,
  });
  expect(request.promptText()).toContain("Once");
  expect(request.maxTokens).toBe(5);
});

test("without a limit at most 16 tokens are written, as at OpenAI", () => {
  expect(parse({}).maxTokens).toBe(16);
  expect(parse({ max_tokens: null }).maxTokens).toBe(16);
});

test("values that ask for nothing are accepted and not passed on", () => {
  const { parsed } = parse({ suffix: "", echo: false, best_of: 1, logprobs: null, tools: null });
  expect(Object.keys(parsed).toSorted()).toEqual(["max_tokens", "messages", "model", "tools"]);
});

test.each<[string, Record<string, unknown>, string, string]>([
  ["no prompt", { prompt: null }, "missing_required_parameter", "prompt"],
  ["an empty prompt", { prompt: "" }, "string_below_min_length", "prompt"],
  ["no prompts", { prompt: [] }, "empty_array", "prompt"],
  ["several prompts", { prompt: ["a", "b"] }, "unsupported_parameter", "prompt"],
  ["tokens", { prompt: [1, 2] }, "unsupported_parameter", "prompt"],
  ["one token", { prompt: [1] }, "invalid_type", "prompt"],
  ["arrays of tokens", { prompt: [[1, 2]] }, "unsupported_parameter", "prompt"],
  ["a number", { prompt: 7 }, "invalid_type", "prompt"],
  ["suffix", { suffix: "end" }, "unsupported_parameter", "suffix"],
  ["echo", { echo: true }, "unsupported_parameter", "echo"],
  ["best_of", { best_of: 2 }, "unsupported_parameter", "best_of"],
  ["logprobs", { logprobs: 3 }, "unsupported_parameter", "logprobs"],
  ["logprobs of the chosen tokens", { logprobs: 0 }, "unsupported_parameter", "logprobs"],
  ...[
    "messages",
    "tool_choice",
    "functions",
    "function_call",
    "response_format",
    "modalities",
    "audio",
    "max_completion_tokens",
    "top_logprobs",
  ].map((name): [string, Record<string, unknown>, string, string] => [
    name,
    { [name]: 1 },
    "unsupported_parameter",
    name,
  ]),
  ["tools", { tools: [] }, "unsupported_parameter", "tools"],
  ["messages", { messages: [] }, "unsupported_parameter", "messages"],
  ["a limit of 0", { max_tokens: 0 }, "integer_below_min_value", "max_tokens"],
  ["a temperature of 3", { temperature: 3 }, "decimal_above_max_value", "temperature"],
  ["a NUL", { prompt: "\0" }, "invalid_value", "prompt"],
])("%s is refused by name", (_, fields, code, param) => {
  expect(refusalOf(fields)).toEqual([code, param]);
});
