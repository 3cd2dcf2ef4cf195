import { expect, test } from "bun:test";
import type { DeltaEvent } from "../protocol/pivot.ts";
import { ReasoningDetails, WholeReasoning } from "./present-reasoning.ts";

type Reasoning = Extract<DeltaEvent, { kind: "reasoning" | "reasoning_encrypted" }>;

const say = (text: string, signature?: string): Reasoning => ({
  kind: "reasoning",
  choice: 0,
  text,
  signature,
});
const hidden: Reasoning = { kind: "reasoning_encrypted", choice: 0, data: "xx", id: "r1" };

test("fragments of a block have one index; a signature and an encrypted block end it", () => {
  const details = new ReasoningDetails();
  const shown = [say("a"), say("b", "s1"), say("c"), hidden, say("d", "s2")].map((event) =>
    details.next(event),
  );
  expect(shown).toEqual([
    { type: "reasoning.text", text: "a", index: 0 },
    { type: "reasoning.text", text: "b", signature: "s1", index: 0 },
    { type: "reasoning.text", text: "c", index: 1 },
    { type: "reasoning.encrypted", data: "xx", id: "r1", index: 2 },
    { type: "reasoning.text", text: "d", signature: "s2", index: 3 },
  ]);
});

test("a block shows whose format it is in", () => {
  const format = "google-gemini-v1";
  const whole = new WholeReasoning();
  for (const event of [say("a", "s1"), hidden]) whole.add({ ...event, format });
  expect(whole.list).toMatchObject([{ format }, { format }]);
});

test("a whole answer joins them, and shows them only if they contain more than the text", () => {
  const signed = new WholeReasoning();
  for (const event of [say("a"), say("b", "s1"), hidden]) signed.add(event);
  expect(signed.list).toEqual([
    { type: "reasoning.text", text: "ab", signature: "s1", index: 0 },
    { type: "reasoning.encrypted", data: "xx", id: "r1", index: 1 },
  ]);
  expect(signed.isWorthKeeping).toBe(true);
  const plain = new WholeReasoning();
  plain.add(say("a"));
  expect(plain.isWorthKeeping).toBe(false);
});
