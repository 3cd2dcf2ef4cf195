// A choice ends when all that it wrote is known: what comes behind its finish_reason still decides what that says.
import { expect, test } from "bun:test";
import { messagesLanguage } from "@turnpike/wire";
import { chunksOf, readEvents, sampleCall, upstreamChunk } from "./sample-call.fixture.ts";

const tools = ["get", "get_weather"].map((name) => ({ type: "function", function: { name } }));
const call = sampleCall({ body: { stream: true, tools } });
const say = (content: string, finish_reason: string | null = null) =>
  upstreamChunk({ content }, { finish_reason });
const callOf = (fields: object, finish_reason: string | null = null) =>
  upstreamChunk({ tool_calls: [{ index: 0, id: "c1", function: fields }] }, { finish_reason });
const usage = JSON.stringify({ choices: [], usage: { prompt_tokens: 4, completion_tokens: 9 } });
const stop = upstreamChunk({}, { finish_reason: "stop" });

/** What a client has at the end, and whether the finish came last. */
function seen(...payloads: string[]) {
  const { events, stream } = readEvents(call, ...payloads);
  const choices = chunksOf(events).flatMap(({ choices: all }) => (Array.isArray(all) ? all : []));
  const finishes = choices.map(({ finish_reason }) => finish_reason);
  return {
    text: choices.map(({ delta }) => delta.content ?? "").join(""),
    names: choices.flatMap(({ delta }) => delta.tool_calls ?? []).map((one) => one.function.name),
    finishes: finishes.filter((reason) => reason !== null),
    isLast: finishes.at(-1) !== null,
    recorded: events.flatMap((event) => (event.kind === "finish" ? [event.reason] : [])),
    done: stream.done,
  };
}

const complete = { isLast: true, done: true };

test.each([
  ["with its name", [callOf({ name: "get_weather", arguments: "{}" })]],
  ["whose name may still continue", [callOf({ name: "get", arguments: "" })]],
  ["in an event of its own", [callOf({ name: "get" }), usage]],
  ["behind the usage", [usage, callOf({ name: "get_weather", arguments: "{}" })]],
])("a call behind a stop is what the answer ends with: %s", (_, rest) => {
  for (const end of [["[DONE]"], []]) {
    const read = seen(say("Let me look.", "stop"), ...rest, ...end);
    expect(read).toMatchObject({
      ...complete,
      text: "Let me look.",
      finishes: ["tool_calls"],
      recorded: ["tool_calls"],
    });
    expect(read.names).toHaveLength(1);
  }
});

test("text behind the usage is in front of the finish", () => {
  expect(seen(say("a"), stop, usage, say("b"), "[DONE]")).toMatchObject({
    ...complete,
    text: "ab",
    finishes: ["stop"],
  });
});

test("a name that its own finish comes with is shown, and a call that has none breaks the answer", () => {
  expect(seen(callOf({ name: "get" }, "tool_calls"), "[DONE]")).toMatchObject({
    ...complete,
    names: ["get"],
    finishes: ["tool_calls"],
  });
  for (const end of [["[DONE]"], []]) {
    const { events, stream } = readEvents(call, stop, callOf({ arguments: "{}" }), ...end);
    expect([stream.done, stream.fault?.code]).toEqual([false, "bad_gateway"]);
    expect(events.map(({ kind }) => kind)).not.toContain("finish");
  }
});

test("callers of other languages are sent the same in the same order", () => {
  const translated = sampleCall({ body: { stream: true, tools }, language: messagesLanguage });
  const { events } = readEvents(translated, stop, usage, say("a"), callOf({ name: "get" }));
  const deltas = events.flatMap((event) => (event.kind === "deltas" ? event.deltas : []));
  expect(deltas).toMatchObject([
    { kind: "text", text: "a" },
    { kind: "tool_call", name: "get" },
    { kind: "finish", reason: "tool_calls" },
  ]);
});
