// Calls of the tool for images in a conversation, and choices of it.
import { expect, test } from "bun:test";
import { Fault, type JsonObject } from "@turnpike/base";
import { relayableInput } from "./relay-input.ts";
import { responsesProtocol } from "./responses-protocol.ts";

const call = { type: "image_generation_call", id: "ig_1", status: "completed" };
const image = { ...call, result: "iVBORw0KGgoAAA==" };
const said = { type: "message", role: "user", content: "bluer" };

const parse = (body: JsonObject) =>
  responsesProtocol.parse(JSON.stringify({ model: "a/b", ...body }), new Headers());

test("an image that is not in its call is never asked of the provider by its id", () => {
  for (const result of [undefined, null, ""]) {
    expect(relayableInput([{ ...call, result }, said])).toEqual([said]);
  }
  expect(relayableInput([image, said])).toEqual([image, said]);
});

test("a conversation of nothing but such calls is refused", () => {
  expect(paramOf(() => parse({ input: [call, { type: "item_reference", id: "rs_1" }] }))).toBe(
    "input",
  );
  expect(parse({ input: [image] }).imageCount).toBe(1);
});

const tools = [
  { type: "image_generation" },
  { type: "function", name: "f", parameters: { type: "object" } },
];
const choose = (mode: string, ...allowed: JsonObject[]) =>
  parse({ input: "hi", tools, tool_choice: { type: "allowed_tools", mode, tools: allowed } })
    .parsed;

test("where only the image tool is allowed, no choice is sent without tools", () => {
  for (const [mode, modalities] of [
    ["required", ["image"]],
    ["auto", ["text", "image"]],
  ] as const) {
    const chat = choose(mode, { type: "image_generation" });
    expect(chat).toMatchObject({ modalities });
    expect(chat.tools).toBeUndefined();
    expect(chat.tool_choice).toBeUndefined();
  }
  const both = choose("required", ...tools);
  expect(both).toMatchObject({ modalities: ["text", "image"], tool_choice: "required" });
});

test("an image tool that is allowed and not offered is refused", () => {
  const tool_choice = {
    type: "allowed_tools",
    mode: "auto",
    tools: [{ type: "image_generation" }],
  };
  const run = () => parse({ input: "hi", tools: tools.slice(1), tool_choice });
  expect(paramOf(run)).toBe("tool_choice.tools");
});

function paramOf(run: () => unknown): unknown {
  try {
    run();
  } catch (thrown) {
    return thrown instanceof Fault ? thrown.details.param : thrown;
  }
  return undefined;
}
