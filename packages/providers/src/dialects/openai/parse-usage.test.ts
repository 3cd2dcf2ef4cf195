import { expect, test } from "bun:test";
import { knownProviders } from "../../known-providers.ts";
import { parseUsage } from "./parse-usage.ts";
import { sampleProvider } from "./sample-call.fixture.ts";

const { quirks } = sampleProvider("sandbox");
const xai = sampleProvider("xai").quirks;

test("usage that cannot be billed counts as missing", () => {
  const bad = [-1, 1.5, "5", null, undefined, Number.NaN, Number.POSITIVE_INFINITY, true];
  for (const value of bad) {
    expect(parseUsage({ prompt_tokens: value, completion_tokens: 1 }, quirks)).toBeUndefined();
    expect(parseUsage({ prompt_tokens: 1, completion_tokens: value }, quirks)).toBeUndefined();
  }
  for (const usage of [null, [], "x", 5, {}]) expect(parseUsage(usage, quirks)).toBeUndefined();
});

test("a count beyond any context is read as the largest, and never as none", () => {
  for (const value of [10_000_000, 10_000_001, 1e15, Number.MAX_VALUE]) {
    const usage = { prompt_tokens: value, completion_tokens: value };
    const most = { promptTokens: 10_000_000, completionTokens: 10_000_000 };
    expect(parseUsage(usage, quirks)).toMatchObject(most);
  }
});

test("an explicit zero is honored", () => {
  const zero = {
    promptTokens: 0,
    completionTokens: 0,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  };
  expect(parseUsage({ prompt_tokens: 0, completion_tokens: 0 }, quirks)).toEqual(zero);
});

test("cached tokens are found where each upstream puts them, never more than the prompt", () => {
  const places: Record<string, unknown>[] = [
    { prompt_tokens_details: { cached_tokens: 7 } },
    { prompt_cache_hit_tokens: 7, prompt_cache_miss_tokens: 3 },
    { num_cached_tokens: 7 },
  ];
  for (const place of places) {
    const usage = { prompt_tokens: 10, completion_tokens: 1, ...place };
    expect(parseUsage(usage, quirks)?.cachedTokens).toBe(7);
  }
  const more = { prompt_tokens: 10, completion_tokens: 1, num_cached_tokens: 12 };
  expect(parseUsage(more, quirks)?.cachedTokens).toBe(10);
});

test("cached and written parts together never exceed the prompt", () => {
  const prompt_tokens_details = { cached_tokens: 6, cache_write_tokens: 6 };
  const usage = { prompt_tokens: 10, completion_tokens: 1, prompt_tokens_details };
  expect(parseUsage(usage, quirks)).toMatchObject({ cachedTokens: 6, cacheWriteTokens: 4 });
});

test("reasoning is counted once: by the total, and without one as its provider counts", () => {
  const completion_tokens_details = { reasoning_tokens: 40 };
  const counts = { prompt_tokens: 5, completion_tokens: 50, completion_tokens_details };
  const outputs = (total: unknown) =>
    [quirks, xai].map((each) => parseUsage({ ...counts, total_tokens: total }, each));
  const isOutput = (expected: number) => ({ completionTokens: expected, reasoningTokens: 40 });
  // Reasoning apart, included, and partly included.
  for (const [total, expected] of [
    [95, 90],
    [55, 50],
    [70, 65],
  ] as const) {
    for (const usage of outputs(total)) expect(usage).toMatchObject(isOutput(expected));
  }
  // A total that contradicts the parts makes an answer neither dearer nor cheaper than they are.
  for (const usage of outputs(1_000)) expect(usage).toMatchObject(isOutput(90));
  for (const usage of outputs(54)) expect(usage).toMatchObject(isOutput(50));
  for (const total of [undefined, null, 0, -1, "95", 95.5]) {
    const [included, apart] = outputs(total);
    expect(included).toMatchObject(isOutput(50));
    expect(apart).toMatchObject(isOutput(90));
  }
});

test("every known provider has an address, except those whose address the catalog sets", () => {
  const placed = ["azure", "vertex", "bedrock", "sandbox"];
  for (const [id, { baseUrl }] of Object.entries(knownProviders)) {
    expect(`${id} ${baseUrl === undefined}`).toBe(`${id} ${placed.includes(id)}`);
  }
  expect(Object.keys(knownProviders)).toHaveLength(24);
});
