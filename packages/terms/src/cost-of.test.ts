// What each kind of token of a call is billed at, and that every token is billed once.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { type BilledUsage, billedRate, costOf, countOf } from "./cost-of.ts";
import { rateKinds } from "./rates.ts";

const audioPrice = {
  inputNanosPerMillion: 1_000_000n,
  cachedInputNanosPerMillion: 0n,
  cacheWriteNanosPerMillion: 0n,
  audioInputNanosPerMillion: 40_000_000n,
  outputNanosPerMillion: 0n,
};

const prompt = {
  promptTokens: 100,
  completionTokens: 0,
  cachedTokens: 60,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

test("cached audio is not billed a second time in place of text that was not cached", () => {
  const cost = (audioPromptTokens: number, cachedAudioPromptTokens: number) =>
    Number(costOf(audioPrice, { ...prompt, audioPromptTokens, cachedAudioPromptTokens }));
  expect(cost(60, 60)).toBe(40);
  expect(cost(70, 50)).toBe(20 * 40 + 20);
  expect(cost(30, 0)).toBe(30 * 40 + 10);
  expect(cost(90, 0)).toBe(40 * 40);
});

test("audio counts as cached if it is unknown which tokens were", () => {
  const cost = (audioPromptTokens: number, cacheWriteTokens = 0) =>
    Number(costOf(audioPrice, { ...prompt, audioPromptTokens, cacheWriteTokens }));
  expect(cost(60)).toBe(40);
  expect(cost(75)).toBe(15 * 40 + 25);
  expect(cost(75, 10)).toBe(5 * 40 + 25);
});

const text = { ...prompt, cachedTokens: 0, promptTokens: 100, completionTokens: 100 };

test("each kind of token has its own price, whichever of them a call has", () => {
  const prices = {
    inputNanosPerMillion: 1_000_000n,
    cachedInputNanosPerMillion: 2_000_000n,
    cacheWriteNanosPerMillion: 3_000_000n,
    cacheWrite1hNanosPerMillion: 4_000_000n,
    outputNanosPerMillion: 5_000_000n,
    webSearchNanosPerMillion: 8_000_000n,
    audioInputNanosPerMillion: 6_000_000n,
    audioOutputNanosPerMillion: 7_000_000n,
  };
  const beside = (fields: Partial<Parameters<typeof costOf>[1]>) =>
    Number(costOf(prices, { ...text, ...fields })) - 600;
  expect(beside({})).toBe(0);
  expect(beside({ cachedTokens: 10 })).toBe(10 * (2 - 1));
  expect(beside({ cacheWriteTokens: 10 })).toBe(10 * (3 - 1));
  expect(beside({ cacheWriteTokens: 10, cacheWrite1hTokens: 4 })).toBe(6 * (3 - 1) + 4 * (4 - 1));
  expect(beside({ audioPromptTokens: 10 })).toBe(10 * (6 - 1));
  expect(beside({ audioCompletionTokens: 10 })).toBe(10 * (7 - 5));
  expect(beside({ webSearches: 10 })).toBe(10 * 8);
});

test("what has no price of its own costs what text costs, and a search nothing", () => {
  const plain = {
    inputNanosPerMillion: 1_000_000n,
    cachedInputNanosPerMillion: 2_000_000n,
    cacheWriteNanosPerMillion: 3_000_000n,
    outputNanosPerMillion: 5_000_000n,
  };
  const cost = (fields: Partial<Parameters<typeof costOf>[1]>) =>
    Number(costOf(plain, { ...text, ...fields }));
  expect(cost({ audioPromptTokens: 10, audioCompletionTokens: 10 })).toBe(600);
  expect(cost({ cacheWriteTokens: 10, cacheWrite1hTokens: 10 })).toBe(620);
  expect(cost({ webSearches: 10 })).toBe(600);
});

test("parts that are reported larger than the whole are billed up to the whole", () => {
  const rates = {
    inputNanosPerMillion: 1_000_000n,
    cachedInputNanosPerMillion: 2_000_000n,
    cacheWriteNanosPerMillion: 3_000_000n,
    cacheWrite1hNanosPerMillion: 4_000_000n,
    outputNanosPerMillion: 5_000_000n,
    audioOutputNanosPerMillion: 7_000_000n,
  };
  const cost = (fields: Partial<Parameters<typeof costOf>[1]>) =>
    Number(costOf(rates, { ...text, completionTokens: 0, ...fields }));
  expect(cost({ cachedTokens: 101 })).toBe(100 * 2);
  expect(cost({ cachedTokens: 60, cacheWriteTokens: 60 })).toBe(60 * 2 + 40 * 3);
  expect(cost({ cacheWriteTokens: 10, cacheWrite1hTokens: 11 })).toBe(90 + 10 * 4);
  expect(cost({ completionTokens: 10, audioCompletionTokens: 11 })).toBe(100 + 10 * 7);
});

const count = fc.nat({ max: 200_000_000 });
const rate = fc.bigInt({ min: 0n, max: 10n ** 15n });

const anyUsage: fc.Arbitrary<BilledUsage> = fc.record(
  {
    promptTokens: count,
    completionTokens: count,
    cachedTokens: count,
    cacheWriteTokens: count,
    cacheWrite1hTokens: count,
    audioPromptTokens: count,
    cachedAudioPromptTokens: count,
    audioCompletionTokens: count,
    webSearches: count,
  },
  { requiredKeys: ["promptTokens", "completionTokens", "cachedTokens", "cacheWriteTokens"] },
);

test("every token is billed once, whatever was reported of its parts", () => {
  fc.assert(
    fc.property(anyUsage, (usage) => {
      const counts = rateKinds.map((kind) => [kind, countOf(kind, usage)] as const);
      for (const [, tokens] of counts) expect(tokens).toBeGreaterThanOrEqual(0);
      const tokens = counts.filter(([kind]) => kind !== "webSearch");
      expect(tokens.reduce((sum, [, counted]) => sum + counted, 0)).toBe(
        usage.promptTokens + usage.completionTokens,
      );
    }),
  );
});

test("the cost is the sum of its parts in exact arithmetic, rounded up once", () => {
  const rates = fc.record({
    inputNanosPerMillion: rate,
    cachedInputNanosPerMillion: rate,
    outputNanosPerMillion: rate,
    cacheWriteNanosPerMillion: rate,
    cacheWrite1hNanosPerMillion: rate,
    audioInputNanosPerMillion: rate,
    audioOutputNanosPerMillion: rate,
    webSearchNanosPerMillion: rate,
  });
  fc.assert(
    fc.property(rates, anyUsage, (price, usage) => {
      let sum = 0n;
      for (const kind of rateKinds) sum += BigInt(countOf(kind, usage)) * billedRate(price, kind);
      expect<bigint>(costOf(price, usage)).toBe((sum + 999_999n) / 1_000_000n);
    }),
  );
});
