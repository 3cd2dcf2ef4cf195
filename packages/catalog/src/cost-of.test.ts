import { expect, test } from "bun:test";
import { newId, type PriceId } from "@turnpike/base";
import { parseChatRequest } from "@turnpike/wire";
import fc from "fast-check";
import { clampUsage, costOf, isPossibleUsage } from "./cost-of.ts";
import { sandboxModels } from "./file/sandbox-models.ts";
import type { ModelRequest } from "./model.ts";

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

const text = { ...prompt, cachedTokens: 0, promptTokens: 100, completionTokens: 100 };

test("each kind of token has its own price, whichever of them a call has", () => {
  const prices = {
    ...{ inputNanosPerMillion: 1_000_000n, cachedInputNanosPerMillion: 2_000_000n },
    ...{ cacheWriteNanosPerMillion: 3_000_000n, cacheWrite1hNanosPerMillion: 4_000_000n },
    ...{ outputNanosPerMillion: 5_000_000n, webSearchNanosPerMillion: 8_000_000n },
    ...{ audioInputNanosPerMillion: 6_000_000n, audioOutputNanosPerMillion: 7_000_000n },
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
    ...{ inputNanosPerMillion: 1_000_000n, cachedInputNanosPerMillion: 2_000_000n },
    ...{ cacheWriteNanosPerMillion: 3_000_000n, outputNanosPerMillion: 5_000_000n },
  };
  const cost = (fields: Partial<Parameters<typeof costOf>[1]>) =>
    Number(costOf(plain, { ...text, ...fields }));
  expect(cost({ audioPromptTokens: 10, audioCompletionTokens: 10 })).toBe(600);
  expect(cost({ cacheWriteTokens: 10, cacheWrite1hTokens: 10 })).toBe(620);
  expect(cost({ webSearches: 10 })).toBe(600);
});

test("parts that are reported larger than the whole are billed up to the whole", () => {
  const rates = {
    ...{ inputNanosPerMillion: 1_000_000n, cachedInputNanosPerMillion: 2_000_000n },
    ...{ cacheWriteNanosPerMillion: 3_000_000n, cacheWrite1hNanosPerMillion: 4_000_000n },
    ...{ outputNanosPerMillion: 5_000_000n, audioOutputNanosPerMillion: 7_000_000n },
  };
  const cost = (fields: Partial<Parameters<typeof costOf>[1]>) =>
    Number(costOf(rates, { ...text, completionTokens: 0, ...fields }));
  expect(cost({ cachedTokens: 101 })).toBe(100 * 2);
  expect(cost({ cachedTokens: 60, cacheWriteTokens: 60 })).toBe(60 * 2 + 40 * 3);
  expect(cost({ cacheWriteTokens: 10, cacheWrite1hTokens: 11 })).toBe(90 + 10 * 4);
  expect(cost({ completionTokens: 10, audioCompletionTokens: 11 })).toBe(100 + 10 * 7);
});

const [entry] = sandboxModels("http://127.0.0.1:1/v1");
if (entry?.operation !== "chat") throw new Error("there is no sandbox model to chat with");
const model = { ...entry, price: { ...price, id: newId<PriceId>(), since: new Date(0) } };

function ask(n: number): ModelRequest {
  const body = { model: entry?.id, n, messages: [{ role: "user", content: "Hi" }] };
  return { operation: "chat", model, request: parseChatRequest(JSON.stringify(body)) };
}

test("usage beyond the context is clamped to it, and possible usage is left as it is", () => {
  const count = fc.nat({ max: 4 * model.contextTokens });
  fc.assert(
    fc.property(count, count, count, fc.integer({ min: 1, max: 4 }), (a, b, c, n) => {
      const usage = {
        ...{ promptTokens: a, cachedTokens: Math.min(a, c), cacheWriteTokens: 0 },
        ...{ completionTokens: b, reasoningTokens: Math.min(b, c), webSearches: 3 },
      };
      const matched = ask(n);
      const clamped = clampUsage(matched, usage);
      expect(isPossibleUsage(matched, clamped)).toBe(true);
      if (isPossibleUsage(matched, usage)) expect(clamped).toEqual(usage);
      const { contextTokens } = model;
      expect(clamped.promptTokens).toBe(Math.min(a, contextTokens));
      expect(clamped.completionTokens).toBe(Math.min(b, contextTokens * n));
      expect(clamped.cachedTokens).toBeLessThanOrEqual(clamped.promptTokens);
      expect(clamped.reasoningTokens).toBeLessThanOrEqual(clamped.completionTokens);
      expect(clamped.webSearches).toBe(3);
    }),
  );
});

test("every part of the prompt and of the answer is clamped, and nothing else", () => {
  const { contextTokens } = model;
  const above = contextTokens * 2 + 1;
  const promptParts = {
    ...{ promptTokens: above, cachedTokens: above, cacheWriteTokens: above },
    ...{ cacheWrite1hTokens: above, audioPromptTokens: above, cachedAudioPromptTokens: above },
  };
  const completionParts = {
    ...{ completionTokens: above, reasoningTokens: above, audioCompletionTokens: above },
    ...{ acceptedPredictionTokens: above, rejectedPredictionTokens: above },
  };
  const usage = { ...promptParts, ...completionParts, webSearches: above };
  const all = (parts: object, count: number) =>
    Object.fromEntries(Object.keys(parts).map((name) => [name, count]));
  expect<object>(clampUsage(ask(2), usage)).toEqual({
    ...all(promptParts, contextTokens),
    ...all(completionParts, contextTokens * 2),
    webSearches: above,
  });
});
