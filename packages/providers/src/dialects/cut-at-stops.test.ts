// Stop sequences that an upstream is not sent: however its answer is split, the caller gets what precedes the first.
import { describe, expect, test } from "bun:test";
import type { DeltaEvent } from "@turnpike/wire";
import fc from "fast-check";
import { StopCutter } from "./cut-at-stops.ts";

const textDelta = (text: string, choice = 0): DeltaEvent => ({ kind: "text", choice, text });
const finishOf = (choice = 0): DeltaEvent => ({ kind: "finish", choice, reason: "length" });

const textOf = (deltas: readonly DeltaEvent[], choice = 0) =>
  deltas
    .map((delta) => (delta.kind === "text" && delta.choice === choice ? delta.text : ""))
    .join("");

/** What is left of `text` if it is compared with the stop sequences after each letter. */
function cutByLetters(text: string, stops: readonly string[]): string | undefined {
  for (let end = 1; end <= text.length; end += 1) {
    const read = text.slice(0, end);
    const found = stops.filter((stop) => read.endsWith(stop)).map(({ length }) => length);
    if (found.length > 0) return read.slice(0, end - Math.max(...found));
  }
  return undefined;
}

describe("an answer is cut", () => {
  test("at the first stop sequence, however it is split", () => {
    const letters = fc.stringMatching(/^[ab\n]{0,12}$/);
    const stops = fc.array(fc.stringMatching(/^[ab\n]{1,4}$/), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 12 }), stops, (pieces, sequences) => {
        const cutter = new StopCutter(sequences);
        const kept: DeltaEvent[] = [];
        const whole = pieces.join("");
        const cut = cutByLetters(whole, sequences);
        const expected = cut ?? whole;
        for (const piece of pieces) {
          kept.push(...cutter.cut([textDelta(piece)]));
          expect(expected).toStartWith(textOf(kept));
        }
        kept.push(...cutter.cut([finishOf()]));
        expect(textOf(kept)).toBe(expected);
        const reason = cut === undefined ? "length" : "stop";
        expect(kept.at(-1)).toMatchObject({ kind: "finish", reason });
        expect(cutter.hasCut).toBe(cut !== undefined);
      }),
      { numRuns: 2_000 },
    );
  });

  test("and says at which; nothing of the choice follows, and other choices go on", () => {
    const call: DeltaEvent = {
      kind: "tool_call",
      choice: 0,
      index: 0,
      id: "c",
      name: "f",
      arguments: "{}",
    };
    const cutter = new StopCutter(["END", "\n"]);
    const kept = cutter.cut([
      textDelta("one EN"),
      textDelta("two", 1),
      textDelta("D three"),
      call,
      textDelta("four\nfive", 1),
      finishOf(),
      finishOf(1),
    ]);
    expect([textOf(kept), textOf(kept, 1)]).toEqual(["one ", "twofour"]);
    expect(kept.filter(({ kind }) => kind !== "text")).toEqual([
      { kind: "finish", choice: 0, reason: "stop", stopSequence: "END" },
      { kind: "finish", choice: 1, reason: "stop", stopSequence: "\n" },
    ]);
  });

  test("only in its text: what begins like a stop sequence precedes a call, and arguments are its own", () => {
    const call: DeltaEvent = {
      kind: "tool_call",
      choice: 0,
      index: 0,
      id: "c",
      name: "f",
      arguments: '"END"',
    };
    const kept = new StopCutter(["END"]).cut([textDelta("one EN"), call, finishOf()]);
    expect(kept).toEqual([textDelta("one "), textDelta("EN"), call, finishOf()]);
  });
});
