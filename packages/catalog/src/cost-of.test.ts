import { expect, test } from "bun:test";
import { costOf } from "./cost-of.ts";

const price = {
  inputNanosPerMillion: 1_000_000n,
  cachedInputNanosPerMillion: 0n,
  cacheWriteNanosPerMillion: 0n,
  audioInputNanosPerMillion: 40_000_000n,
  outputNanosPerMillion: 0n,
};

const prompt = {
  ...{ promptTokens: 100, completionTokens: 0, cachedTokens: 60, cacheWriteTokens: 0 },
  reasoningTokens: 0,
};

test("cached audio is not billed a second time in place of text that was not cached", () => {
  const cost = (audioPromptTokens: number, cachedAudioPromptTokens: number) =>
    Number(costOf(price, { ...prompt, audioPromptTokens, cachedAudioPromptTokens }));
  expect(cost(60, 60)).toBe(40);
  expect(cost(70, 50)).toBe(20 * 40 + 20);
  expect(cost(30, 0)).toBe(30 * 40 + 10);
  expect(cost(90, 0)).toBe(40 * 40);
});

test("audio counts as cached if it is unknown which tokens were", () => {
  const cost = (audioPromptTokens: number, cacheWriteTokens = 0) =>
    Number(costOf(price, { ...prompt, audioPromptTokens, cacheWriteTokens }));
  expect(cost(60)).toBe(40);
  expect(cost(75)).toBe(15 * 40 + 25);
  expect(cost(75, 10)).toBe(5 * 40 + 25);
});
