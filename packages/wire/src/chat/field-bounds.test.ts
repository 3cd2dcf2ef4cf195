// The bounds of every numeric and sized field: the bound itself is accepted, one step beyond is refused
// under the field's own name.
import { describe, expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { parseChatRequest } from "./parse-chat-request.ts";

const user = { role: "user", content: "hi" };
const textPart = { type: "text", text: "t" };
const tool = { type: "function", function: { name: "f" } };

function paramOf(fields: object): string | undefined {
  try {
    parseChatRequest(JSON.stringify({ model: "m", messages: [user], ...fields }));
    return undefined;
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown.details.param ?? thrown.code;
    throw thrown;
  }
}

describe("the smallest and the largest value are accepted, the next ones are refused", () => {
  test.each([
    ["temperature", 0, 2, 0.001],
    ["top_p", 0, 1, 0.001],
    ["frequency_penalty", -2, 2, 0.001],
    ["presence_penalty", -2, 2, 0.001],
    ["n", 1, 128, 1],
    ["max_tokens", 1, 2 ** 31 - 1, 1],
    ["max_completion_tokens", 1, 2 ** 31 - 1, 1],
  ])("%s", (name, least, most, step) => {
    expect(paramOf({ [name]: least })).toBeUndefined();
    expect(paramOf({ [name]: most })).toBeUndefined();
    expect(paramOf({ [name]: least - step })).toBe(name);
    expect(paramOf({ [name]: most + step })).toBe(name);
  });

  test("reasoning.max_tokens", () => {
    expect(paramOf({ reasoning: { max_tokens: 0 } })).toBeUndefined();
    expect(paramOf({ reasoning: { max_tokens: 2 ** 31 - 1 } })).toBeUndefined();
    expect(paramOf({ reasoning: { max_tokens: -1 } })).toBe("reasoning.max_tokens");
    expect(paramOf({ reasoning: { max_tokens: 2 ** 31 } })).toBe("reasoning.max_tokens");
  });

  test("top_logprobs", () => {
    expect(paramOf({ logprobs: true, top_logprobs: 0 })).toBeUndefined();
    expect(paramOf({ logprobs: true, top_logprobs: 20 })).toBeUndefined();
    expect(paramOf({ logprobs: true, top_logprobs: -1 })).toBe("top_logprobs");
    expect(paramOf({ logprobs: true, top_logprobs: 21 })).toBe("top_logprobs");
  });

  test("top_logprobs without logprobs may only be 0", () => {
    expect(paramOf({ top_logprobs: 0 })).toBeUndefined();
    expect(paramOf({ top_logprobs: 1 })).toBe("top_logprobs");
  });

  test("logit_bias", () => {
    expect(paramOf({ logit_bias: { "7": -100, "8": 100 } })).toBeUndefined();
    expect(paramOf({ logit_bias: { "7": -101 } })).toBe("logit_bias.7");
    expect(paramOf({ logit_bias: { "7": 101 } })).toBe("logit_bias.7");
    for (const key of ["-7", "7.5", "seven", "", "1234567890"]) {
      expect(paramOf({ logit_bias: { [key]: 1 } })).toBe(`logit_bias.${key}`);
    }
  });
});

describe("the longest text and the fullest list are accepted, one more is refused", () => {
  const letters = (count: number) => "x".repeat(count);
  test.each([
    ["model", letters(128), letters(129), "model"],
    ["safety_identifier", letters(64), letters(65), "safety_identifier"],
    ["stop", new Array(64).fill("1"), new Array(65).fill("1"), "stop"],
    ["tools", Array(128).fill(tool), Array(129).fill(tool), "tools"],
    ["functions", Array(128).fill({ name: "f" }), Array(129).fill({ name: "f" }), "functions"],
    ["messages", Array(2_000).fill(user), Array(2_001).fill(user), "messages"],
    ["metadata", { [letters(64)]: letters(512) }, { [letters(65)]: "" }, "metadata"],
    ["metadata", { a: letters(512) }, { a: letters(513) }, "metadata.a"],
    ["metadata", pairs(16), pairs(17), "metadata"],
  ])("%s", (name, most, more, param) => {
    expect(paramOf({ [name]: most })).toBeUndefined();
    expect(paramOf({ [name]: more })).toBe(param);
  });

  test("names of functions", () => {
    const named = (name: string) => ({ tools: [{ type: "function", function: { name } }] });
    expect(paramOf(named(letters(64)))).toBeUndefined();
    expect(paramOf(named(letters(65)))).toBe("tools[0].function.name");
    expect(paramOf(named(""))).toBe("tools[0].function.name");
    expect(paramOf(named("a b"))).toBe("tools[0].function.name");
  });

  test("names and settings of a JSON schema", () => {
    const of = (json_schema: object) => ({ response_format: { type: "json_schema", json_schema } });
    expect(paramOf(of({ name: "n", description: "d", schema: {}, strict: null }))).toBeUndefined();
    const param = (field: string) => `response_format.json_schema.${field}`;
    expect(paramOf(of({ schema: {} }))).toBe(param("name"));
    expect(paramOf(of({ name: "a b" }))).toBe(param("name"));
    expect(paramOf(of({ name: "n", description: 1 }))).toBe(param("description"));
    expect(paramOf(of({ name: "n", schema: "{}" }))).toBe(param("schema"));
    expect(paramOf(of({ name: "n", strict: "yes" }))).toBe(param("strict"));
  });

  test("parts of a message", () => {
    const parts = [textPart, textPart];
    expect(paramOf({ messages: [{ role: "user", content: parts }] })).toBeUndefined();
    expect(paramOf({ messages: [] })).toBe("messages");
    expect(paramOf({ stop: [] })).toBeUndefined();
  });
});

test("what may be a text or a list is refused by both names when it is neither", () => {
  expect(paramOf({ stop: "x" })).toBeUndefined();
  expect(paramOf({ stop: 7 })).toBe("stop");
  expect(messageOf({ stop: 7 })).toContain("expected one of a string or array of strings");
});

describe("the part of the request that a refusal quotes is bounded", () => {
  test("a refused value is shown up to a hundred characters", () => {
    const role = (text: string) => messageOf({ messages: [{ role: text, content: "" }] });
    const most = "r".repeat(100);
    expect(role(most)).toContain(`'${most}'`);
    expect(role(`${most}r`)).toContain(`'${most}…'`);
  });

  test("a token of logit_bias is named by its first 32 characters", () => {
    expect(paramOf({ logit_bias: { ["7".repeat(40)]: 101 } })).toBe(`logit_bias.${"7".repeat(32)}`);
  });
});

function messageOf(fields: object): string {
  try {
    parseChatRequest(JSON.stringify({ model: "m", messages: [user], ...fields }));
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown.message;
    throw thrown;
  }
  return "accepted";
}

function pairs(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, ""]));
}
