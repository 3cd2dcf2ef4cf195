// Settings of a chat completion under Gemini's names: limits, sampling, format and thinking.
import { describe, expect, test } from "bun:test";
import { buildRequest } from "./build-request.ts";
import { geminiCall } from "./sample-response.fixture.ts";

const asked = (body: object = {}, upstreamModel?: string) =>
  JSON.parse(buildRequest(geminiCall(body, upstreamModel)).body);

describe("settings", () => {
  test("a seed has at most 32 bits with its sign; others are not sent", () => {
    const most = 2 ** 31 - 1;
    for (const seed of [most, -most]) {
      expect(asked({ seed }).generationConfig).toMatchObject({ seed });
    }
    for (const seed of [2 ** 31, -(2 ** 31)]) {
      expect(asked({ seed }).generationConfig?.seed).toBeUndefined();
    }
  });

  test("have Gemini's names, and the reserved limit takes precedence", () => {
    const body = {
      temperature: 0.5,
      top_p: 0.9,
      top_k: 40,
      frequency_penalty: 0.1,
      presence_penalty: -0.1,
      n: 2,
      stop: ["a", "b"],
      seed: 7,
      max_tokens: 900,
      logprobs: true,
      top_logprobs: 3,
    };
    const config = {
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      frequencyPenalty: 0.1,
      presencePenalty: -0.1,
      candidateCount: 2,
      stopSequences: ["a", "b"],
      seed: 7,
      responseLogprobs: true,
      logprobs: 3,
    };
    expect(asked(body).generationConfig).toEqual({ ...config, maxOutputTokens: 900 });
    const reserved = buildRequest({ ...geminiCall(body), maxTokens: 50 });
    expect(JSON.parse(reserved.body).generationConfig.maxOutputTokens).toBe(50);
    const likeliest = asked({ logprobs: true, top_logprobs: 1 }).generationConfig;
    expect(likeliest).toEqual({ responseLogprobs: true, logprobs: 1 });
    expect(asked({ stop: "x", n: 1 }).generationConfig).toEqual({ stopSequences: ["x"] });
    expect(asked().generationConfig).toBeUndefined();
  });

  test("formats are a media type and a schema", () => {
    const schema = { type: "object", additionalProperties: false };
    const format = (response_format: object) => asked({ response_format }).generationConfig;
    expect(format({ type: "json_object" })).toEqual({ responseMimeType: "application/json" });
    expect(format({ type: "json_schema", json_schema: { name: "n", schema } })).toEqual({
      responseMimeType: "application/json",
      responseJsonSchema: schema,
    });
    expect(format({ type: "text" })).toBeUndefined();
  });

  test.each<[object, string | undefined, object | undefined]>([
    [{}, undefined, undefined],
    [{ reasoning_effort: "low" }, undefined, { thinkingLevel: "low", includeThoughts: true }],
    [{ reasoning_effort: "xhigh" }, undefined, { thinkingLevel: "high", includeThoughts: true }],
    [
      { reasoning_effort: "minimal" },
      undefined,
      { thinkingLevel: "minimal", includeThoughts: true },
    ],
    [{ reasoning_effort: "none" }, undefined, { thinkingLevel: "minimal" }],
    [{ reasoning_effort: "none" }, "gemini-3-pro-preview", { thinkingLevel: "low" }],
    [
      { reasoning_effort: "medium" },
      "gemini-2.5-pro",
      { thinkingBudget: 8192, includeThoughts: true },
    ],
    [{ reasoning: { enabled: false } }, "gemini-2.5-flash", { thinkingBudget: 0 }],
    [{ reasoning: { max_tokens: 500 } }, undefined, { thinkingBudget: 500, includeThoughts: true }],
    [{ reasoning: { effort: "high", exclude: true } }, undefined, { thinkingLevel: "high" }],
    [{ reasoning: { enabled: true } }, undefined, { includeThoughts: true }],
    [{ include_reasoning: true }, undefined, { includeThoughts: true }],
    [{ reasoning_effort: "low", include_reasoning: false }, undefined, { thinkingLevel: "low" }],
  ])("%j of %p thinks as %j", (body, upstreamModel, config) => {
    expect(asked(body, upstreamModel).generationConfig?.thinkingConfig).toEqual(config as never);
  });

  // 31,999 is what Claude Code asks for.
  test.each([
    ["gemini-2.5-pro", 31_999, 31_999],
    ["gemini-2.5-pro", 50_000, 32_768],
    ["google/gemini-2.5-pro", 1, 128],
    ["gemini-2.5-flash", 31_999, 24_576],
    ["gemini-2.5-flash", 1, 1],
    ["gemini-2.5-flash-lite", 31_999, 24_576],
    ["gemini-2.5-flash-lite", 100, 512],
    ["gemini-3.5-flash", 31_999, 24_576],
    ["gemini-3-pro-preview", 50_000, 32_768],
  ])("%s accepts a budget of %d as %d", (upstreamModel, max_tokens, thinkingBudget) => {
    const { generationConfig } = asked({ reasoning: { max_tokens } }, upstreamModel);
    expect(generationConfig.thinkingConfig).toEqual({ thinkingBudget, includeThoughts: true });
  });

  test.each([
    ["gemini-2.5-pro", { thinkingBudget: 128 }],
    ["gemini-2.5-flash", { thinkingBudget: 0 }],
    ["gemini-2.5-flash-lite", { thinkingBudget: 0 }],
  ])("of no reasoning %s does the least it can", (upstreamModel, thinkingConfig) => {
    const { generationConfig } = asked({ reasoning_effort: "none" }, upstreamModel);
    expect(generationConfig.thinkingConfig).toEqual(thinkingConfig);
  });

  test("thoughts are not asked for beside a budget of none", () => {
    const { generationConfig } = asked({ reasoning: { max_tokens: 0 } }, "gemini-2.5-flash");
    expect(generationConfig.thinkingConfig).toEqual({ thinkingBudget: 0 });
  });

  test("a model that does not reason is not asked to", () => {
    const omittedFields = ["reasoning", "reasoning_effort"];
    const body = { reasoning_effort: "low", include_reasoning: true };
    const { generationConfig } = JSON.parse(
      buildRequest({ ...geminiCall(body), omittedFields }).body,
    );
    expect(generationConfig).toBeUndefined();
  });
});
