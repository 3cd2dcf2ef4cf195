import { expect, test } from "bun:test";
import { mergeUsage, parseAnthropicUsage } from "./parse-usage.ts";

test("cached and cache-written tokens are parts of the prompt, each counted once", () => {
  const usage = {
    input_tokens: 10,
    cache_read_input_tokens: 200,
    cache_creation_input_tokens: 30,
    output_tokens: 7,
    output_tokens_details: { thinking_tokens: 3 },
  };
  expect(parseAnthropicUsage(usage)).toEqual({
    promptTokens: 240,
    completionTokens: 7,
    cachedTokens: 200,
    cacheWriteTokens: 30,
    reasoningTokens: 3,
  });
});

test("cache writes are the sum of both lifetimes if there is no total", () => {
  const cache_creation = { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 6 };
  const usage = { input_tokens: 1, output_tokens: 1, cache_creation };
  expect(parseAnthropicUsage(usage)).toMatchObject({
    promptTokens: 11,
    cacheWriteTokens: 10,
    cacheWrite1hTokens: 6,
  });
  const both = { ...usage, cache_creation_input_tokens: 10 };
  expect(parseAnthropicUsage(both)).toMatchObject({ promptTokens: 11, cacheWriteTokens: 10 });
});

test("null is no count, an explicit zero is one", () => {
  const usage = { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: null };
  expect(parseAnthropicUsage(usage)).toMatchObject({ promptTokens: 0, completionTokens: 0 });
});

test.each([
  undefined,
  {},
  { input_tokens: 1 },
  { input_tokens: -1, output_tokens: 1 },
  { input_tokens: 1.5, output_tokens: 1 },
  { input_tokens: "1", output_tokens: 1 },
  { input_tokens: 1, output_tokens: 1, cache_read_input_tokens: -1 },
])("%j cannot be billed", (usage) => {
  expect(parseAnthropicUsage(usage)).toBeUndefined();
});

test("later counts are totals and replace earlier ones; missing members keep their value", () => {
  const start = { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 1 };
  const merged = mergeUsage(start, { output_tokens: 8, input_tokens: null });
  expect(merged).toEqual({ input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 8 });
  expect(mergeUsage(start, null)).toEqual(start);
});
