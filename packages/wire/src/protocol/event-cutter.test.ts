// What a resumed stream replays is exactly what was sent, however the network had cut it.
import { expect, test } from "bun:test";
import { EventCutter } from "./event-cutter.ts";

const encode = (text: string) => new TextEncoder().encode(text);

function cut(text: string, size: number): string[] {
  const cutter = new EventCutter();
  const bytes = encode(text);
  const events: string[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    events.push(...cutter.push(bytes.subarray(at, at + size)));
  }
  return events;
}

test("events are the same at every cut, without comments, in one form of line ends", () => {
  const sent = ['event: a\ndata: {"é":1}\n\n', "data: 2\n\n", "data: [DONE]\n\n"];
  const text = `: keep-alive\n${sent[0]}: keep-alive\n: keep-alive\n${sent[1]}${sent[2]}`;
  for (let size = 1; size <= text.length; size += 1) {
    expect(cut(text, size)).toEqual(sent);
    expect(cut(text.replaceAll("\n", "\r\n"), size)).toEqual(sent);
  }
});

test("an event whose end has not arrived is not told", () => {
  expect(cut("data: 1\n\ndata: 2\n", 3)).toEqual(["data: 1\n\n"]);
  expect(cut(": keep-alive\n\n", 5)).toEqual([]);
});
