// What turns of random conversations say, and how often they repeat, the same in each protocol.
import fc from "fast-check";

export const text = fc.constantFrom(
  "Hi.",
  "Ünïcode 日本",
  "Two\nlines.",
  " padded ",
  "",
  " ",
  "\n",
);
export const spoken = fc.constantFrom("Hi.", "Ünïcode 日本", "Two\nlines.");
export const bothSampled = fc.constantFrom({}, { temperature: 0.5, top_p: 0.5 }, { top_p: 0.5 });

export const repeated = <One>(one: fc.Arbitrary<readonly One[]>) =>
  fc.array(one, { minLength: 1, maxLength: 7 }).map((lists) => lists.flat());
