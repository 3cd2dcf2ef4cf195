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
