import { expect, test } from "bun:test";
import { readUsage } from "./read-usage.ts";

test("audio tokens are counted separately, and never exceed the prompt", () => {
  const promptTokensDetails = [
    { modality: "TEXT", tokenCount: 4 },
    { modality: "AUDIO", tokenCount: 32 },
  ];
  const counts = { promptTokenCount: 36, candidatesTokenCount: 5 };
  expect(readUsage({ ...counts, promptTokensDetails })?.audioPromptTokens).toBe(32);
  const excessive = [{ modality: "AUDIO", tokenCount: 99 }];
  expect(readUsage({ ...counts, promptTokensDetails: excessive })?.audioPromptTokens).toBe(36);
  for (const details of [undefined, [{ modality: "TEXT", tokenCount: 36 }], "AUDIO"]) {
    const usage = readUsage({ ...counts, promptTokensDetails: details });
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
  const read = (cacheTokensDetails?: unknown) => readUsage({ ...usage, cacheTokensDetails });
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
