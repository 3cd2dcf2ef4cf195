// Random answers as dialects may produce them, for property tests of protocols.
import fc from "fast-check";
import type { DeltaEvent, FinishReason } from "../protocol/pivot.ts";

const choice = 0;
const text = fc.string({ maxLength: 12, unit: "grapheme" });

const said: fc.Arbitrary<DeltaEvent> = fc.oneof(
  text.map((text): DeltaEvent => ({ kind: "text", choice, text })),
  text.map((text): DeltaEvent => ({ kind: "refusal", choice, text })),
  fc
    .record({ text, signature: fc.option(fc.string({ minLength: 1 }), { nil: undefined }) })
    .map((reasoning): DeltaEvent => ({ kind: "reasoning", choice, ...reasoning })),
  fc
    .record({ data: fc.base64String(), id: fc.option(fc.string(), { nil: undefined }) })
    .map((block): DeltaEvent => ({ kind: "reasoning_encrypted", choice, ...block })),
  fc
    .array(fc.record({ token: text, logprob: fc.double({ noNaN: true, max: 0, min: -9 }) }))
    .map((content): DeltaEvent => ({ kind: "logprobs", choice, logprobs: { content } })),
  fc.string().map((data): DeltaEvent => ({ kind: "audio", choice, audio: { data } })),
  // Another choice, for which a response has no member.
  text.map((text): DeltaEvent => ({ kind: "text", choice: 1, text })),
);

const names = ["f", "g", "spaces__f", "patch", "tool_search", "unknown"];

const calls: fc.Arbitrary<DeltaEvent[]> = fc
  .record({
    index: fc.nat({ max: 3 }),
    name: fc.constantFrom(...names),
    fragments: fc.array(text, { maxLength: 4 }),
    isCustom: fc.boolean(),
    isLate: fc.boolean(),
    hasExtra: fc.boolean(),
  })
  .map(({ index, name, fragments, isCustom, isLate, hasExtra }) => {
    const base = { kind: "tool_call", choice, index } as const;
    const marks = isCustom ? { isCustom } : {};
    const extra = hasExtra ? { extra: { extra_content: { signature: "s" } } } : {};
    const id = `call_${index}`;
    const first = { ...base, ...marks, ...extra, id, name: isLate ? undefined : name };
    return [
      { ...first, arguments: "" },
      ...(isLate ? [{ ...base, ...marks, id: undefined, name, arguments: "" }] : []),
      ...fragments.map((fragment) => ({
        ...base,
        ...marks,
        id: undefined,
        name: undefined,
        arguments: fragment,
      })),
    ];
  });

const reasons: readonly FinishReason[] = ["stop", "length", "tool_calls", "content_filter"];

/** An answer as network reads: batches of events, finished or broken off. */
export const anyAnswer: fc.Arbitrary<DeltaEvent[][]> = fc
  .record({
    parts: fc.array(fc.oneof({ weight: 3, arbitrary: said.map((one) => [one]) }, calls), {
      maxLength: 12,
    }),
    cuts: fc.array(fc.nat({ max: 6 }), { maxLength: 12 }),
    reason: fc.option(fc.constantFrom(...reasons)),
  })
  .map(({ parts, cuts, reason }) => {
    const deltas = parts.flat();
    if (reason !== null) deltas.push({ kind: "finish", choice, reason });
    const batches: DeltaEvent[][] = [];
    for (const size of cuts) batches.push(deltas.splice(0, size));
    return [...batches, deltas];
  });
