// A whole answer as the events that its caller asked for: the content first, what it is billed by after it, and the end last.
import { expect, test } from "bun:test";
import {
  imageCall,
  speechCall,
  transcriptionCall,
} from "../dialects/gemini-operations/sample-operations.fixture.ts";
import type { StreamEvent, WholeAnswer } from "../provider.ts";
import { eventsOfWhole } from "./whole-events.ts";

const usage = {
  promptTokens: 3,
  completionTokens: 5,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};
const wholeOf = (content: WholeAnswer["content"]): WholeAnswer => ({
  kind: "whole",
  upstreamId: undefined,
  content,
  usage,
  finish: null,
  deliveredTokens: 2,
});
const jsonOf = (event: StreamEvent | undefined) =>
  event?.kind === "chunk" ? JSON.parse(event.json) : event;

const audio = { kind: "audio", bytes: new Uint8Array([1, 2, 3, 4]) } as const;

test("audio is its bytes, or an event with all of them", () => {
  const [frame, ...rest] = eventsOfWhole(wholeOf(audio), speechCall().request);
  expect(frame).toMatchObject({ kind: "frame", bytes: audio.bytes, tokens: 2 });
  expect(rest).toEqual([{ kind: "usage", usage }, { kind: "done" }]);
  const inEvents = speechCall({ stream_format: "sse" }).request;
  const [event] = eventsOfWhole(wholeOf(audio), inEvents);
  expect(jsonOf(event)).toEqual({ type: "speech.audio.delta", audio: "AQIDBA==" });
});

test("a transcript is its text, its speakers and its text again, which ends it", () => {
  const segment = { type: "transcript.text.segment", id: "seg_0", start: 0, end: 1, text: "Hi." };
  const content = {
    kind: "transcript",
    text: "Hi.",
    language: undefined,
    durationSeconds: undefined,
    segments: [{ ...segment, speaker: "speaker_0" }],
    words: undefined,
    logprobs: undefined,
  } as const;
  const events = eventsOfWhole(wholeOf(content), transcriptionCall().request);
  expect(events.slice(0, 3).map(jsonOf)).toEqual([
    { type: "transcript.text.delta", delta: "Hi." },
    { ...segment, speaker: "speaker_0" },
    { type: "transcript.text.done", text: "Hi." },
  ]);
  expect(events.slice(3)).toEqual([{ kind: "usage", usage }, { kind: "done" }]);
  const plain = { ...content, segments: [segment] };
  const names = eventsOfWhole(wholeOf(plain), transcriptionCall().request).map((event) =>
    event.kind === "chunk" ? event.name : event.kind,
  );
  expect(names).toEqual(["transcript.text.delta", "transcript.text.done", "usage", "done"]);
});

test("what is never streamed is no answer to a stream", () => {
  const moderation = { kind: "moderation", results: [] } as const;
  expect(() => eventsOfWhole(wholeOf(moderation), imageCall().request)).toThrow("unreadable");
});
