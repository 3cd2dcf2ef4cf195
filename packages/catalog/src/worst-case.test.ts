import { expect, setDefaultTimeout, test } from "bun:test";
import { costOf, type Rates, toNanos } from "@turnpike/terms";
import { runsOf, searchTimeoutMs } from "@turnpike/testing";
import type { TokenUsage } from "@turnpike/wire";
import fc from "fast-check";
import type { ExtrasBound } from "./operations/measures.ts";
import { affordableOutputTokens, worstCase } from "./worst-case.ts";

setDefaultTimeout(searchTimeoutMs);

const rate = fc.bigInt({ min: 0n, max: 1_000_000_000_000n });
const anyRates: fc.Arbitrary<Rates> = fc.record({
  inputNanosPerMillion: rate,
  cachedInputNanosPerMillion: rate,
  cacheWriteNanosPerMillion: rate,
  outputNanosPerMillion: rate,
});
const anyTokens = fc.nat(10_000_000);
const anyChoices = fc.integer({ min: 1, max: 128 });

const gpt4oMini: Rates = {
  inputNanosPerMillion: 150_000_000n,
  cachedInputNanosPerMillion: 75_000_000n,
  cacheWriteNanosPerMillion: 150_000_000n,
  outputNanosPerMillion: 600_000_000n,
};

function usage(parts: Partial<TokenUsage>): TokenUsage {
  const none = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, cacheWriteTokens: 0 };
  return { ...none, reasoningTokens: 0, ...parts };
}

test("what a cache keeps for an hour is reserved, and billed once at its own price", () => {
  const rates = { ...gpt4oMini, cacheWrite1hNanosPerMillion: 300_000_000n };
  const written = usage({ promptTokens: 1000, cacheWriteTokens: 600, cacheWrite1hTokens: 200 });
  const { inputNanosPerMillion: input, cacheWriteNanosPerMillion: write } = rates;
  const exact = (400n * input + 400n * write + 200n * 300_000_000n) / 1_000_000n;
  expect<bigint>(costOf(rates, written)).toBe(exact);
  expect<bigint>(worstCase(rates, 1000, 0, 1)).toBe(300_000n);
  const boasting = usage({ promptTokens: 10, cacheWriteTokens: 5, cacheWrite1hTokens: 99 });
  expect(costOf(rates, boasting)).toBe(costOf(rates, { ...boasting, cacheWrite1hTokens: 5 }));
});

test("a bill is the sum of its parts to the nano-dollar", () => {
  const cost = costOf(
    { ...gpt4oMini, cacheWriteNanosPerMillion: 187_500_000n },
    usage({ promptTokens: 1000, cachedTokens: 600, cacheWriteTokens: 100, completionTokens: 50 }),
  );
  // 300 × 150 + 600 × 75 + 100 × 187.5 + 50 × 600 nano-dollars
  expect(cost).toBe(toNanos(45_000n + 45_000n + 18_750n + 30_000n));
});

test("parts of a nano-dollar are rounded up once per bill, not once per part", () => {
  const oneNanoPerMillion = {
    inputNanosPerMillion: 1n,
    cachedInputNanosPerMillion: 1n,
    cacheWriteNanosPerMillion: 1n,
    outputNanosPerMillion: 1n,
  };
  const all = usage({ promptTokens: 3, cachedTokens: 1, cacheWriteTokens: 1, completionTokens: 1 });
  expect(costOf(oneNanoPerMillion, all)).toBe(toNanos(1n));
});

test("no tokens cost nothing", () => {
  fc.assert(
    fc.property(anyRates, (rates) => {
      expect(costOf(rates, usage({}))).toBe(toNanos(0n));
    }),
  );
});

test("cached and cache-write tokens beyond the prompt are not charged", () => {
  const rates = { ...gpt4oMini, cacheWriteNanosPerMillion: 1_000_000_000_000n };
  const boasting = usage({ promptTokens: 1_000_000, cachedTokens: 5_000_000, cacheWriteTokens: 9 });
  expect(costOf(rates, boasting)).toBe(toNanos(75_000_000n));
});

test("a bill errs by less than one nano-dollar, and never below the exact sum", () => {
  fc.assert(
    fc.property(anyRates, anyTokens, anyTokens, (rates, promptTokens, completionTokens) => {
      const exact =
        BigInt(promptTokens) * rates.inputNanosPerMillion +
        BigInt(completionTokens) * rates.outputNanosPerMillion;
      const excess = costOf(rates, usage({ promptTokens, completionTokens })) * 1_000_000n - exact;
      expect(excess >= 0n && excess < 1_000_000n).toBe(true);
    }),
  );
});

test("no usage within its bounds costs more than the worst case, however much is cached", () => {
  const parts = fc.record({
    promptTokens: anyTokens,
    completionTokens: anyTokens,
    cachedTokens: anyTokens,
    cacheWriteTokens: anyTokens,
    reasoningTokens: fc.constant(0),
  });
  fc.assert(
    fc.property(anyRates, parts, anyChoices, fc.nat(1000), (rates, used, choices, spare) => {
      const outputTokens = Math.ceil(used.completionTokens / choices);
      const held = worstCase(rates, used.promptTokens + spare, outputTokens, choices);
      expect(costOf(rates, used) <= held).toBe(true);
    }),
  );
});

test("the highest rate for the prompt counts, even when that is the cache write", () => {
  const rates = { ...gpt4oMini, cacheWriteNanosPerMillion: 187_500_000n };
  expect(worstCase(rates, 1_000_000, 0, 1)).toBe(toNanos(187_500_000n));
  const odd = { ...gpt4oMini, cachedInputNanosPerMillion: 200_000_000n };
  expect(worstCase(odd, 1_000_000, 0, 1)).toBe(toNanos(200_000_000n));
});

test("every choice is charged, the prompt once", () => {
  expect(worstCase(gpt4oMini, 1_000_000, 1_000_000, 3)).toBe(toNanos(1_950_000_000n));
});

test("the affordable limit fits the money, and one token more does not", () => {
  const money = fc.bigInt({ min: 0n, max: 10_000_000_000_000n }).map(toNanos);
  fc.assert(
    fc.property(anyRates, anyTokens, anyChoices, money, (rates, prompt, choices, available) => {
      const tokens = affordableOutputTokens(rates, prompt, choices, available);
      if (tokens === undefined) {
        expect(worstCase(rates, prompt, 0, choices) > available).toBe(true);
        return;
      }
      expect(worstCase(rates, prompt, tokens, choices) <= available).toBe(true);
      if (tokens === Number.MAX_SAFE_INTEGER) return;
      expect(worstCase(rates, prompt, tokens + 1, choices) > available).toBe(true);
    }),
    { numRuns: runsOf({ short: 500, long: 100_000 }) },
  );
});

test("free output has no limit, yet a prompt that is not covered is refused", () => {
  const free = { ...gpt4oMini, outputNanosPerMillion: 0n };
  expect(affordableOutputTokens(free, 10, 1, toNanos(1_500n))).toBe(Number.MAX_SAFE_INTEGER);
  expect(affordableOutputTokens(free, 10, 1, toNanos(1_499n))).toBeUndefined();
});

test("an account in debt affords nothing", () => {
  expect(affordableOutputTokens(gpt4oMini, 0, 1, toNanos(-1n))).toBeUndefined();
});

const anyExtras: fc.Arbitrary<ExtrasBound> = fc.record({
  audioPromptTokens: anyTokens,
  readsImages: fc.boolean(),
  answersIn: fc.constantFrom("text", "audio", "images"),
  rejectedTokens: fc.nat(100_000),
  searches: fc.nat(1),
  units: fc.array(
    fc.record({
      unit: fc.constantFrom("images", "audioMilliseconds", "characters", "searchUnits"),
      variants: fc.subarray(["high", "low"]),
      count: fc.nat(1_000_000),
    }),
    { maxLength: 3 },
  ),
});
const unitRates: fc.Arbitrary<Rates["units"]> = fc.option(
  fc.array(
    fc.record({
      unit: fc.constantFrom("images", "audioMilliseconds", "characters", "searchUnits"),
      variant: fc.constantFrom(undefined, "high", "low"),
      nanosPerMillion: rate,
    }),
    { maxLength: 6 },
  ),
  { nil: undefined },
);
const extraRates: fc.Arbitrary<Rates> = fc.record({
  inputNanosPerMillion: rate,
  cachedInputNanosPerMillion: rate,
  cacheWriteNanosPerMillion: rate,
  imageInputNanosPerMillion: fc.option(rate, { nil: undefined }),
  imageOutputNanosPerMillion: fc.option(rate, { nil: undefined }),
  units: unitRates,
  audioInputNanosPerMillion: fc.option(rate, { nil: undefined }),
  audioOutputNanosPerMillion: fc.option(rate, { nil: undefined }),
  webSearchNanosPerMillion: fc.option(rate, { nil: undefined }),
  outputNanosPerMillion: rate,
});

test("no audio, image, other unit, rejected prediction or search within its bound costs more than the worst case", () => {
  const shares = fc.record({
    cached: fc.nat(100),
    audioIn: fc.nat(100),
    imageIn: fc.nat(100),
    audioOut: fc.nat(100),
  });
  const sizes = fc.tuple(anyTokens, anyTokens, anyChoices);
  fc.assert(
    fc.property(
      extraRates,
      anyExtras,
      sizes,
      shares,
      (rates, extras, [prompt, output, n], share) => {
        const of = (percent: number, total: number) => Math.floor((percent * total) / 100);
        const completionTokens = (output + extras.rejectedTokens) * n;
        const used = usage({
          promptTokens: prompt,
          cachedTokens: of(share.cached, prompt),
          completionTokens,
          rejectedPredictionTokens: extras.rejectedTokens * n,
          audioPromptTokens: of(share.audioIn, Math.min(extras.audioPromptTokens, prompt)),
          webSearches: extras.searches * n,
        });
        // A rejected prediction is text.
        const media = of(share.audioOut, output * n);
        const cost = costOf(rates, {
          ...used,
          units: extras.units.map(({ unit, count, variants = [] }) => {
            const variant = variants[share.audioIn % Math.max(1, variants.length)];
            return { unit, count, variant };
          }),
          imagePromptTokens: extras.readsImages ? of(share.imageIn, prompt) : 0,
          audioCompletionTokens: extras.answersIn === "audio" ? media : 0,
          imageCompletionTokens: extras.answersIn === "images" ? media : 0,
        });
        expect(cost <= worstCase(rates, prompt, output, n, extras)).toBe(true);
      },
    ),
    { numRuns: runsOf({ short: 1_000, long: 100_000 }) },
  );
});

test("the affordable limit fits the money with audio, predictions and searches too", () => {
  const money = fc.bigInt({ min: 0n, max: 10_000_000_000_000n }).map(toNanos);
  const sizes = fc.tuple(anyTokens, anyChoices);
  fc.assert(
    fc.property(extraRates, anyExtras, sizes, money, (rates, extras, [prompt, n], available) => {
      const tokens = affordableOutputTokens(rates, prompt, n, available, extras);
      const cost = (limit: number) => worstCase(rates, prompt, limit, n, extras);
      if (tokens === undefined) expect(cost(0) > available).toBe(true);
      else expect(cost(tokens) <= available).toBe(true);
      if (tokens === undefined || tokens === Number.MAX_SAFE_INTEGER) return;
      expect(cost(tokens + 1) > available).toBe(true);
    }),
    { numRuns: runsOf({ short: 500, long: 100_000 }) },
  );
});
