// Services that do not stream imitate one: the whole completion is in a single event, or texts of completions are in
// place of deltas. All of it reaches the caller, once.
import { expect, test } from "bun:test";
import { readWhole } from "./read-whole.ts";
import {
  chunksOf,
  readEvents,
  sampleCall,
  tokensOf,
  upstreamChunk,
} from "./sample-call.fixture.ts";

const call = sampleCall({ body: { stream: true } });
const lookUp = { id: "c1", type: "function", function: { name: "f", arguments: '{"a":1}' } };
const message = {
  role: "assistant",
  content: "Hi there, you.",
  reasoning_content: "Hm",
  tool_calls: [lookUp],
};
const event = (...choices: object[]) => JSON.stringify({ id: "theirs", choices });

function shownBy(...payloads: string[]) {
  const { events, stream } = readEvents(call, ...payloads);
  const choices = chunksOf(events).flatMap(({ choices: all }) => (Array.isArray(all) ? all : []));
  const deltas = choices.map(({ delta }) => delta);
  return {
    text: deltas.map(({ content }) => content ?? "").join(""),
    reasoning: deltas.map(({ reasoning }) => reasoning ?? "").join(""),
    calls: deltas.flatMap(({ tool_calls }) => tool_calls ?? []),
    finish: choices.at(-1)?.finish_reason,
    members: choices.flatMap((choice) => Object.keys(choice)),
    tokens: tokensOf(events),
    done: stream.done,
  };
}

const places: Record<string, object> = {
  "a message": { message },
  "a message beside a delta that is null": { delta: null, message },
  "a message beside an empty delta": { delta: {}, message },
  "a message beside the role": { delta: { role: "assistant", content: "" }, message },
  "a delta beside the same message": { delta: message, message },
};

test.each(Object.entries(places))("a whole completion in one event: %s", (_, place) => {
  for (const end of [["[DONE]"], []]) {
    const shown = shownBy(event({ index: 0, ...place, finish_reason: "tool_calls" }), ...end);
    expect(shown).toMatchObject({
      text: "Hi there, you.",
      reasoning: "Hm",
      calls: [{ ...lookUp, index: 0 }],
      finish: "tool_calls",
      done: true,
    });
    expect(shown.tokens).toBeGreaterThan(2);
    expect(shown.members).not.toContain("message");
  }
});

test("texts of completions are texts, streamed or whole", () => {
  const pieces = ["one", " two", " three", " four"].map((text) =>
    event({ index: 0, text, logprobs: null, finish_reason: null }),
  );
  const end = event({ index: 0, text: "", finish_reason: "length" });
  const shown = shownBy(...pieces, end, "[DONE]");
  expect(shown).toMatchObject({ text: "one two three four", finish: "length", tokens: 4 });
  expect(shown.members).not.toContain("text");
  const text = JSON.stringify({ choices: [{ index: 0, text: "one two", finish_reason: "stop" }] });
  const { content } = readWhole(sampleCall(), text, new Headers());
  const whole = { role: "assistant", content: "one two", refusal: null };
  expect(content).toMatchObject({ kind: "body", body: { choices: [{ message: whole }] } });
  expect(JSON.stringify(content)).not.toContain('"text"');
});

test("a message that repeats its deltas is not said again", () => {
  const last = event({ index: 0, delta: {}, message: { content: "ab" }, finish_reason: "stop" });
  const say = (content: string) => upstreamChunk({ content }, { message: { content: "ab" } });
  expect(shownBy(say("a"), say("b"), last, "[DONE]")).toMatchObject({ text: "ab", finish: "stop" });
});

test("one JSON whose choice has a delta in place of its message is read as well", () => {
  const text = JSON.stringify({ choices: [{ index: 0, delta: message, finish_reason: "stop" }] });
  const { content } = readWhole(sampleCall(), text, new Headers());
  expect(content).toMatchObject({ body: { choices: [{ message: { content: message.content } }] } });
});
