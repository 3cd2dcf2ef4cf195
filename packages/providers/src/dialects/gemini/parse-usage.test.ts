import { expect, test } from "bun:test";
import { parseUsage } from "./parse-usage.ts";

test("audio tokens are counted separately, and never exceed the prompt", () => {
  const promptTokensDetails = [
    { modality: "TEXT", tokenCount: 4 },
    { modality: "AUDIO", tokenCount: 32 },
  ];
  const counts = { promptTokenCount: 36, candidatesTokenCount: 5 };
  expect(parseUsage({ ...counts, promptTokensDetails })?.audioPromptTokens).toBe(32);
  const excessive = [{ modality: "AUDIO", tokenCount: 99 }];
  expect(parseUsage({ ...counts, promptTokensDetails: excessive })?.audioPromptTokens).toBe(36);
  for (const details of [undefined, [{ modality: "TEXT", tokenCount: 36 }], "AUDIO"]) {
    const usage = parseUsage({ ...counts, promptTokensDetails: details });
    expect(usage).toMatchObject({ promptTokens: 36 });
    expect(usage).not.toHaveProperty("audioPromptTokens");
  }
});

test("cached audio is counted separately if the answer reports it", () => {
  const usage = {
    promptTokenCount: 100,
    candidatesTokenCount: 5,
    cachedContentTokenCount: 60,
    promptTokensDetails: [
      { modality: "TEXT", tokenCount: 40 },
      { modality: "AUDIO", tokenCount: 60 },
    ],
  };
  const audioTokens = (tokenCount: number) => [{ modality: "AUDIO", tokenCount }];
  const read = (cacheTokensDetails?: unknown) => parseUsage({ ...usage, cacheTokensDetails });
  expect(read(audioTokens(50))).toMatchObject({
    audioPromptTokens: 60,
    cachedAudioPromptTokens: 50,
  });
  expect(read(audioTokens(99))).toMatchObject({
    audioPromptTokens: 60,
    cachedAudioPromptTokens: 60,
  });
  expect(read([{ modality: "TEXT", tokenCount: 60 }])?.cachedAudioPromptTokens).toBe(0);
  expect(read()).not.toHaveProperty("cachedAudioPromptTokens");
});

test("thoughts are billed once, also where the candidates include them", () => {
  const counts = { promptTokenCount: 10, toolUsePromptTokenCount: 3, thoughtsTokenCount: 40 };
  const outputOf = (candidatesTokenCount: number | undefined, totalTokenCount?: number) =>
    parseUsage({ ...counts, candidatesTokenCount, totalTokenCount })?.completionTokens;
  expect(outputOf(50, 103)).toBe(90);
  expect(outputOf(50, 63)).toBe(50);
  expect(outputOf(50, 70)).toBe(57);
  // Without a total they are apart, as Google documents.
  for (const total of [undefined, 0]) expect(outputOf(50, total)).toBe(90);
  // A total that contradicts the parts makes an answer neither dearer nor cheaper than they are.
  expect([outputOf(50, 1_000), outputOf(50, 62), outputOf(50, 1)]).toEqual([90, 50, 50]);
  // Counts of zero are omitted.
  expect(outputOf(undefined, 53)).toBe(40);
  expect(parseUsage({ ...counts, candidatesTokenCount: 30, totalTokenCount: 43 })).toMatchObject({
    completionTokens: 30,
    reasoningTokens: 30,
  });
});
