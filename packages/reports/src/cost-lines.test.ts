import { expect, test } from "bun:test";
import type { UsageDetails } from "@turnpike/db";
import { toNanos } from "@turnpike/terms";
import { costLinesOf } from "./cost-lines.ts";

test("audio and searches have their own lines, and the lines still sum to the charge", () => {
  const price = {
    inputNanosPerMillion: 333n,
    cachedInputNanosPerMillion: 77n,
    cacheWriteNanosPerMillion: 333n,
    audioInputNanosPerMillion: 40_000_001n,
    audioOutputNanosPerMillion: 80_000_003n,
    webSearchNanosPerMillion: 25_000_000_000n,
    outputNanosPerMillion: 1_999n,
  };
  const lines = costLinesOf(
    {
      promptTokens: 9,
      cachedTokens: 2,
      cacheWriteTokens: 0,
      cacheWrite1hTokens: 0,
      completionTokens: 8,
      usageDetails: { audioPromptTokens: 99, audioCompletionTokens: 6, webSearches: 2 },
      costNanos: toNanos(50_761n),
      chargedNanos: toNanos(50_761n),
      shortfallNanos: toNanos(0n),
    },
    price,
  );
  expect(lines.map(({ label, tokens }) => [label, tokens])).toEqual([
    ["Audio input", 7],
    ["Cached input", 2],
    ["Output", 2],
    ["Audio output", 6],
    ["Web searches: 2", null],
    ["Rounding", null],
  ]);
  const sum = lines.reduce((total, line) => total + line.costFemtos, 0n);
  expect(sum).toBe(50_761n * 1_000_000n);
});

test("text is not shown as audio if the audio was cached, and as little as possible is uncertain", () => {
  const price = {
    inputNanosPerMillion: 1n,
    cachedInputNanosPerMillion: 1n,
    cacheWriteNanosPerMillion: 1n,
    audioInputNanosPerMillion: 40n,
    outputNanosPerMillion: 1n,
  };
  const audioInput = (usageDetails: UsageDetails) =>
    costLinesOf(
      {
        promptTokens: 100,
        cachedTokens: 60,
        cacheWriteTokens: 0,
        cacheWrite1hTokens: 0,
        completionTokens: 0,
        usageDetails,
        costNanos: toNanos(1n),
        chargedNanos: toNanos(1n),
        shortfallNanos: toNanos(0n),
      },
      price,
    ).find(({ label }) => label === "Audio input")?.tokens;
  expect(audioInput({ audioPromptTokens: 60, cachedAudioPromptTokens: 60 })).toBeUndefined();
  expect(audioInput({ audioPromptTokens: 60 })).toBeUndefined();
  expect(audioInput({ audioPromptTokens: 70 })).toBe(10);
  expect(audioInput({ audioPromptTokens: 30, cachedAudioPromptTokens: 0 })).toBe(30);
});

test("each unit has a line that says how many at which price, and images have lines for their tokens", () => {
  const price = {
    inputNanosPerMillion: 5_000_000_000n,
    cachedInputNanosPerMillion: 5_000_000_000n,
    cacheWriteNanosPerMillion: 5_000_000_000n,
    imageInputNanosPerMillion: 8_000_000_000n,
    outputNanosPerMillion: 10_000_000_000n,
    imageOutputNanosPerMillion: 30_000_000_000n,
    units: [
      { unit: "images", variant: "1K", nanosPerMillion: 40_000_000_000_000n },
      // USD 0.0043 a minute.
      { unit: "audioMilliseconds", nanosPerMillion: 71_666_667n },
    ],
  } as const;
  const usageDetails: UsageDetails = {
    imagePromptTokens: 300,
    imageCompletionTokens: 1_756,
    markupBasisPoints: -5_000,
    units: [
      { unit: "images", variant: "1K", count: 3 },
      { unit: "audioMilliseconds", count: 12_400 },
    ],
  };
  const lines = costLinesOf(
    {
      promptTokens: 341,
      cachedTokens: 0,
      cacheWriteTokens: 0,
      cacheWrite1hTokens: 0,
      completionTokens: 1_756,
      usageDetails,
      costNanos: toNanos(88_086_834n),
      chargedNanos: toNanos(88_086_834n),
      shortfallNanos: toNanos(0n),
    },
    price,
  );
  expect(lines.map(({ label, tokens }) => [label, tokens])).toEqual([
    ["Input", 41],
    ["Image input", 300],
    ["Image output", 1_756],
    ["3 images, 1K, at $0.02 per image", null],
    ["12.4 s of audio, at $0.00215 per minute of audio", null],
    ["Rounding", null],
  ]);
  const sum = lines.reduce((total, line) => total + line.costFemtos, 0n);
  expect(sum).toBe(88_086_834n * 1_000_000n);
});
