import { expect, test } from "bun:test";
import { newId, type PriceId } from "@turnpike/base";
import { parseChatRequest } from "@turnpike/wire";
import fc from "fast-check";
import { clampUsage, isPossibleUsage } from "./clamp-usage.ts";
import { sandboxModels } from "./file/sandbox-models.ts";
import type { ModelRequest } from "./model.ts";

const price = {
  inputNanosPerMillion: 1_000_000n,
  cachedInputNanosPerMillion: 0n,
  cacheWriteNanosPerMillion: 0n,
  audioInputNanosPerMillion: 40_000_000n,
  outputNanosPerMillion: 0n,
};

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
        promptTokens: a,
        cachedTokens: Math.min(a, c),
        cacheWriteTokens: 0,
        completionTokens: b,
        reasoningTokens: Math.min(b, c),
        webSearches: 3,
      };
      const modelRequest = ask(n);
      const clamped = clampUsage(modelRequest, usage);
      expect(isPossibleUsage(modelRequest, clamped)).toBe(true);
      if (isPossibleUsage(modelRequest, usage)) expect(clamped).toEqual(usage);
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
    promptTokens: above,
    cachedTokens: above,
    cacheWriteTokens: above,
    cacheWrite1hTokens: above,
    audioPromptTokens: above,
    cachedAudioPromptTokens: above,
  };
  const completionParts = {
    completionTokens: above,
    reasoningTokens: above,
    audioCompletionTokens: above,
    acceptedPredictionTokens: above,
    rejectedPredictionTokens: above,
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
