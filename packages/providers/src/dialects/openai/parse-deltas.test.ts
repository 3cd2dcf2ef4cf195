// Everything a choice contains becomes typed events, including what chat completions show only to clients
// that know where to look.
import { expect, test } from "bun:test";
import { parseDeltas } from "./parse-deltas.ts";

const said = (delta: object) => parseDeltas({ index: 0, delta });

test("a call of a custom tool is marked and carries its input", () => {
  const call = {
    index: 1,
    id: "c1",
    type: "custom",
    custom: { name: "patch", input: "*** Begin" },
  };
  expect(said({ tool_calls: [call] })).toEqual([
    {
      kind: "tool_call",
      choice: 0,
      index: 1,
      id: "c1",
      name: "patch",
      arguments: "*** Begin",
      isCustom: true,
    },
  ]);
});

test("members of a call that its provider needs back are kept with it", () => {
  const extra = { extra_content: { google: { thought_signature: "s" } } };
  const call = { index: 0, id: "c1", type: "function", function: { name: "f", arguments: "" } };
  expect(said({ tool_calls: [{ ...call, ...extra }] })[0]).toMatchObject({ extra });
});

test("each block of reasoning keeps its own signature, and encrypted blocks are unchanged", () => {
  const details = [
    { type: "reasoning.text", text: "one", signature: "s1", index: 0 },
    { type: "reasoning.encrypted", data: "xyz", id: "e1", index: 1 },
    { type: "reasoning.text", text: "two", signature: "s2", index: 2 },
  ];
  expect(said({ reasoning_content: "onetwo", reasoning_details: details })).toEqual([
    { kind: "reasoning", choice: 0, text: "one", signature: "s1" },
    { kind: "reasoning_encrypted", choice: 0, data: "xyz", id: "e1" },
    { kind: "reasoning", choice: 0, text: "two", signature: "s2" },
  ]);
});

test("a block of reasoning keeps its format", () => {
  const format = "anthropic-claude-v1";
  const details = [
    { type: "reasoning.text", text: "one", signature: "s1", format, index: 0 },
    { type: "reasoning.encrypted", data: "xyz", id: "e1", format, index: 1 },
  ];
  expect(said({ reasoning_details: details })).toMatchObject([{ format }, { format }]);
});

test("a signature beside the text signs it, and no text is repeated", () => {
  const details = [{ type: "reasoning.text", signature: "s", index: 0 }];
  expect(said({ reasoning_content: "why", reasoning_details: details })).toEqual([
    { kind: "reasoning", choice: 0, text: "why", signature: "s" },
  ]);
  expect(said({ reasoning_content: "why" })).toEqual([
    { kind: "reasoning", choice: 0, text: "why", signature: undefined },
  ]);
});

test("images become events of their own, and those without an address are ignored", () => {
  const url = "data:image/png;base64,AAAA";
  const images = [{ type: "image_url", image_url: { url } }, { image_url: {} }, 7];
  expect(said({ images })).toEqual([{ kind: "image", choice: 0, url }]);
});
