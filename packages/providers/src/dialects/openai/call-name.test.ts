// A function's name that comes in pieces, or again and again, reaches the client once and whole.
import { expect, test } from "bun:test";
import { isObject, type JsonObject } from "@turnpike/base";
import { chunksOf, readEvents, sampleCall, upstreamChunk } from "./sample-call.fixture.ts";

function toolCallsOf({ choices }: JsonObject): JsonObject[] {
  const [choice] = Array.isArray(choices) ? choices : [];
  const calls = isObject(choice) && isObject(choice.delta) ? choice.delta.tool_calls : undefined;
  return Array.isArray(calls) ? calls.filter(isObject) : [];
}

function argumentsOf(fragment: JsonObject): string {
  return isObject(fragment.function) ? String(fragment.function.arguments) : "";
}

test("a name that comes in pieces is shown once and whole, before its arguments", () => {
  const tools = ["get_weather", "get"].map((name) => ({ type: "function", function: { name } }));
  const offered = sampleCall({ body: { stream: true, tools } });
  const piece = (fields: object) => upstreamChunk({ tool_calls: [{ index: 0, ...fields }] });
  const openings = [
    [{ name: "get_", arguments: "" }, { name: "weather" }, { arguments: "{}" }],
    [{ name: "get" }, { name: "_weather" }, { arguments: "{}" }],
    [{ name: "get" }, { name: "get_weather" }, { name: "get_weather", arguments: "{}" }],
    [
      { name: "get_weather", arguments: "" },
      { name: "get_weather", arguments: "{}" },
    ],
    [{ name: "get_wea" }, { name: "ther", arguments: "{}" }],
  ];
  const callStop = upstreamChunk({}, { finish_reason: "tool_calls" });
  for (const pieces of openings) {
    const payloads = pieces.map((inner, at) =>
      piece({ ...(at === 0 && { id: "c1", type: "function" }), function: inner }),
    );
    const { events } = readEvents(offered, ...payloads, callStop, "[DONE]");
    const fragments = chunksOf(events).flatMap((chunk) => toolCallsOf(chunk));
    expect(fragments[0]).toMatchObject({ id: "c1", function: { name: "get_weather" } });
    expect(fragments.slice(1).every((one) => !JSON.stringify(one).includes("name"))).toBe(true);
    expect(fragments.map((one) => argumentsOf(one)).join("")).toBe("{}");
  }
  const alone = readEvents(
    offered,
    piece({ id: "c1", function: { name: "inven" } }),
    piece({ function: { name: "ted" } }),
    callStop,
    "[DONE]",
  );
  expect(chunksOf(alone.events).flatMap((chunk) => toolCallsOf(chunk))).toEqual([
    { index: 0, id: "c1", type: "function", function: { name: "invented", arguments: "" } },
  ]);
  expect(chunksOf(alone.events).at(-1)).toMatchObject({
    choices: [{ finish_reason: "tool_calls" }],
  });
});
