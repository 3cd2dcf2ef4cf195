// A code fence around the JSON of an answer is left out, wherever the answer is cut; no other text changes.
import { describe, expect, test } from "bun:test";
import { parseChatRequest } from "@turnpike/wire";
import { askForJson, FencedJson, openFence } from "./plain-json.ts";

/** What is shown of a text that arrives in two pieces. */
function show(text: string, cut: number): string {
  const fence = new FencedJson();
  return fence.add(text.slice(0, cut)) + fence.add(text.slice(cut)) + fence.end();
}

describe.each([
  ['```json\n{"a":1}\n```', '{"a":1}'],
  ["```\n[1]\n```\n\n", "[1]"],
  ['\n\n```JSON {"a":"```"}```', '{"a":"```"}'],
  ['```json\n{"a":1', '{"a":1'],
  ['{"a":"```json\\n{}\\n```"}', '{"a":"```json\\n{}\\n```"}'],
  ['{"a":1}\n```\n', '{"a":1}\n```\n'],
  ["```js\nlet a;\n```", "```js\nlet a;\n```"],
  ["``a``", "``a``"],
  ["```", "```"],
  [" \n", " \n"],
  ["", ""],
  [`${" ".repeat(100)}{}`, `${" ".repeat(100)}{}`],
  ["```json\n{}\n```\nDone.", "{}\n```\nDone."],
])("%j", (text, shown) => {
  test("is the same wherever it is cut", () => {
    for (let cut = 0; cut <= text.length; cut += 1) expect(show(text, cut)).toBe(shown);
    const fence = new FencedJson();
    expect([...text].map((char) => fence.add(char)).join("") + fence.end()).toBe(shown);
  });
});

test("no more than a fence is held back", () => {
  const fence = new FencedJson();
  expect(fence.add('```json\n{"a":')).toBe('{"a":');
  expect(fence.add(`1}${"\n".repeat(1_000)}`).length).toBe(938);
  expect(fence.add("\n```")).toHaveLength(4);
  expect(fence.end()).toBe("");
});

test("each text of an answer has its own fence", () => {
  const fence = new FencedJson();
  expect(fence.add("```json\n{}\n```") + fence.end()).toBe("{}");
  expect(fence.add("```json\n[]\n```") + fence.end()).toBe("[]");
});

test("only answers in JSON are searched for one", () => {
  const schema = { type: "object" };
  expect(openFence({})).toBeUndefined();
  expect(openFence({ response_format: { type: "text" } })).toBeUndefined();
  expect(openFence({ response_format: { type: "json_object" } })).toBeDefined();
  const format = { type: "json_schema", json_schema: { name: "s", schema } };
  expect(openFence({ response_format: format })).toBeDefined();
});

test("a model is asked for JSON, with the schema and its description", () => {
  expect(askForJson({ type: "json_object" }, false)).toMatch(
    /single valid JSON object.*code fence/,
  );
  expect(askForJson({ type: "json_object" }, true)).toContain("call tools");
  const json_schema = { name: "s", description: "An address.", schema: { type: "object" } };
  const asked = askForJson({ type: "json_schema", json_schema }, false);
  expect(asked).toEndWith('\n{"description":"An address.","type":"object"}');
});

test("what a model is asked is part of the prompt that money is held for", () => {
  const json_schema = { name: "s", description: "d", schema: { type: "object" } };
  for (const response_format of [{ type: "json_object" }, { type: "json_schema", json_schema }]) {
    const raw = JSON.stringify({ model: "m", messages: [{ role: "user", content: "a" }] });
    const asked = `${raw.slice(0, -1)},"response_format":${JSON.stringify(response_format)}}`;
    const added = parseChatRequest(asked).textBytes - parseChatRequest(raw).textBytes;
    const said = Buffer.byteLength(askForJson(response_format, true));
    expect(added - Buffer.byteLength(asked.slice(raw.length))).toBeGreaterThan(said);
  }
});
