// Services that do not stream imitate one: the whole completion is in a single event, or texts of completions are in
// place of deltas. All of it reaches the caller, once.
import { expect, test } from "bun:test";
import { parseWhole } from "./parse-whole.ts";
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
  const { content } = parseWhole(sampleCall(), text, new Headers());
  const whole = { role: "assistant", content: "one two", refusal: null };
  expect(content).toMatchObject({ kind: "body", body: { choices: [{ message: whole }] } });
  expect(JSON.stringify(content)).not.toContain('"text"');
});

test("a message that repeats its deltas is not said again", () => {
  const last = event({ index: 0, delta: {}, message: { content: "ab" }, finish_reason: "stop" });
  const say = (content: string) => upstreamChunk({ content }, { message: { content: "ab" } });
  expect(shownBy(say("a"), say("b"), last, "[DONE]")).toMatchObject({ text: "ab", finish: "stop" });
});

const say = (content: string) => ({ message: { role: "assistant", content } });
const ended = { finish_reason: "stop" };

const repetitions: Record<string, readonly [text: string, ...choices: object[]]> = {
  "the message so far": ["AB", say("A"), say("AB"), { ...say("AB"), ...ended }],
  "the message so far, with more at its end": ["ABC", say("A"), { ...say("ABC"), ...ended }],
  "a message, and again with the finish": ["Hi", say("Hi"), { ...say("Hi"), ...ended }],
  "a message, and an empty one with the finish": ["Hi", say("Hi"), { ...say(""), ...ended }],
  "a message, and again behind an empty one": [
    "Hi",
    say("Hi"),
    say(""),
    { ...say("Hi"), ...ended },
  ],
  "an empty message first": ["Hi", say(""), say("Hi"), { ...say("Hi"), ...ended }],
  "a message, then its deltas": [
    "Hi there",
    { delta: { role: "assistant", content: "" }, ...say("Hi") },
    { delta: { content: "Hi" } },
    { delta: { content: " there" }, ...say("Hi there") },
    { delta: {}, ...say("Hi there"), ...ended },
  ],
  "a message, then its deltas in pieces": [
    "Hi there",
    say("Hi there"),
    ...["H", "i", " th", "ere"].map((content) => ({ delta: { content } })),
    { ...say("Hi there"), ...ended },
  ],
  "a message, then a delta that goes beyond it": [
    "Hi there",
    say("Hi"),
    { delta: { content: "Hi there" } },
    ended,
  ],
  "a message, then deltas that go on": [
    "Hi, Hilda",
    say("Hi"),
    { delta: { content: ", H" } },
    { delta: { content: "ilda" } },
    { ...say("Hi, Hilda"), ...ended },
  ],
  "a message, then deltas that begin as it does": [
    "HiHello",
    say("Hi"),
    { delta: { content: "H" } },
    { delta: { content: "ello" } },
    ended,
  ],
  "messages that are pieces": ["Hi there, you", say("Hi"), say(" there"), say(", you"), ended],
};

test.each(Object.entries(repetitions))("is said once: %s", (_, [text, ...choices]) => {
  const payloads = choices.map((choice) => event({ index: 0, ...choice }));
  for (const end of [["[DONE]"], []]) {
    expect(shownBy(...payloads, ...end)).toMatchObject({ text, finish: "stop", done: true });
  }
});

test("reasoning and calls of a message that is sent again are sent once, and what is new of them", () => {
  const withCall = (spelled: string, reasoning: string) => {
    const called = { ...lookUp, function: { name: "f", arguments: spelled } };
    const other = { id: "c2", type: "custom", custom: { name: "g", input: spelled } };
    const said = {
      reasoning_content: reasoning,
      refusal: null,
      tool_calls: [called, other],
      annotations: [{ a: 1 }],
    };
    return { index: 0, message: { ...message, ...said } };
  };
  const { events } = readEvents(
    call,
    event(withCall('{"a"', "H")),
    event(withCall('{"a"', "H")),
    event(withCall('{"a":1}', "Hm")),
    event({ ...withCall('{"a":1}', "Hm"), finish_reason: "tool_calls" }),
    "[DONE]",
  );
  const deltas = chunksOf(events).flatMap(({ choices }) =>
    Array.isArray(choices) ? choices.map(({ delta }) => delta) : [],
  );
  expect(deltas).toEqual([
    {
      role: "assistant",
      content: message.content,
      reasoning: "H",
      reasoning_content: "H",
      tool_calls: [
        { ...lookUp, index: 0, function: { name: "f", arguments: '{"a"' } },
        { index: 1, id: "c2", type: "custom", custom: { name: "g", input: '{"a"' } },
      ],
      annotations: [{ a: 1, index: 0 }],
    },
    {
      reasoning: "m",
      reasoning_content: "m",
      tool_calls: [
        { index: 0, function: { arguments: ":1}" } },
        { index: 1, custom: { input: ":1}" } },
      ],
    },
    {},
  ]);
});

test("each choice has messages of its own", () => {
  const both = (one: string, other: string, finish: object = {}) =>
    event({ index: 0, ...say(one), ...finish }, { index: 1, ...say(other), ...finish });
  const shown = shownBy(both("A", "X"), both("AB", "XY"), both("AB", "XY", ended), "[DONE]");
  expect(shown).toMatchObject({ text: "AXBY", done: true });
});

test("one JSON whose choice has a delta in place of its message is read as well", () => {
  const text = JSON.stringify({ choices: [{ index: 0, delta: message, finish_reason: "stop" }] });
  const { content } = parseWhole(sampleCall(), text, new Headers());
  expect(content).toMatchObject({ body: { choices: [{ message: { content: message.content } }] } });
});
