// Images of Gemini: what is sent for each form, which refusals reach the caller as such, and what an answer is billed by.
import { describe, expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { geminiImagesDialect as dialect } from "./gemini-images-dialect.ts";
import { answer, imageCall, inline } from "./sample-operations.fixture.ts";

const sentFor = (fields: object) =>
  JSON.parse(dialect.buildRequest(imageCall(fields)).body).generationConfig;
const whyNot = (fields: object) => {
  const call = imageCall(fields);
  return dialect.whyUntranslatable?.(call, call.request);
};
const parse = (text: string, fields: object = {}) =>
  dialect.parseWhole(imageCall(fields), text, new Headers());

function faultOf(text: string): Fault {
  try {
    parse(text);
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
    throw thrown;
  }
  throw new Error("nothing was thrown");
}

test.each([
  [{}, undefined],
  [{ size: "auto" }, undefined],
  [{ size: "1024x1024" }, { aspectRatio: "1:1" }],
  [{ size: "1536x1024" }, { aspectRatio: "3:2" }],
  [{ size: "896x1152" }, { aspectRatio: "4:5" }],
  [{ size: "1792x1024" }, { aspectRatio: "16:9", imageSize: "2K" }],
  [{ size: "4096x4096" }, { aspectRatio: "1:1", imageSize: "4K" }],
  [{ size: "512x512" }, { aspectRatio: "1:1", imageSize: "512" }],
  [
    { size: "2K", aspect_ratio: "21:9" },
    { aspectRatio: "21:9", imageSize: "2K" },
  ],
  [{ size: "1K" }, undefined],
] as const)("the form %j becomes %j", (fields, imageConfig) => {
  expect(whyNot(fields)).toBeUndefined();
  expect(sentFor(fields)).toEqual({
    responseModalities: ["IMAGE"],
    ...(imageConfig && { imageConfig }),
  });
});

test.each([
  [{ size: "1000x400" }, "size"],
  [{ size: "8192x8192" }, "size"],
  [{ size: "1024x1024", aspect_ratio: "3:2" }, "aspect_ratio"],
  [{ output_compression: 50 }, "output_compression"],
])("the form %j is refused by the name of its field", (fields, param) => {
  expect(whyNot(fields)?.details.param).toBe(param);
});

test("a seed is sent where it fits, and named as ignored where it does not", () => {
  expect(sentFor({ seed: 7 }).seed).toBe(7);
  const { ignored, body } = dialect.buildRequest(imageCall({ seed: 2 ** 31, style: "vivid" }));
  expect(JSON.parse(body).generationConfig.seed).toBeUndefined();
  expect(ignored).toEqual(["seed", "style"]);
});

test("a model of Vertex AI is asked under its publisher", () => {
  const call = imageCall();
  const provider = { ...call.provider, cloud: "vertex" } as const;
  const { path } = dialect.buildRequest({ ...call, provider });
  expect(path).toBe("/publishers/google/models/gemini-3-pro-image:generateContent");
});

describe("an answer", () => {
  const image = inline("image/jpeg", "the image");
  const usage = {
    promptTokenCount: 300,
    candidatesTokenCount: 1_120,
    thoughtsTokenCount: 80,
    totalTokenCount: 1_500,
    promptTokensDetails: [
      { modality: "TEXT", tokenCount: 42 },
      { modality: "IMAGE", tokenCount: 258 },
    ],
    candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: 1_120 }],
  };

  test("is the image without the drafts of a model that thinks, billed by the tokens of each kind", () => {
    const draft = { thought: true, ...inline("image/png", "a draft") };
    const parts = [{ thought: true, text: "Hm." }, draft, { text: "Here:" }, image];
    const whole = parse(answer({ content: { parts }, finishReason: "STOP" }, usage));
    expect(whole.content).toMatchObject({
      kind: "images",
      images: [{ base64: image.inlineData.data }],
      outputFormat: "jpeg",
    });
    expect(whole.usage).toEqual({
      promptTokens: 300,
      completionTokens: 1_200,
      reasoningTokens: 80,
      cachedTokens: 0,
      cacheWriteTokens: 0,
      imagePromptTokens: 258,
      imageCompletionTokens: 1_120,
      units: [{ unit: "images", count: 1 }],
    });
    expect(whole.upstreamId).toBe("rEsp0nse_1d");
  });

  test("whose counts have no kinds is billed as an image, apart from its thoughts", () => {
    const { promptTokensDetails: _, candidatesTokensDetails: __, ...plain } = usage;
    const whole = parse(answer({ content: { parts: [image] }, finishReason: "STOP" }, plain));
    expect(whole.usage?.imageCompletionTokens).toBe(1_120);
  });

  test("that nobody reads is billed the same", () => {
    const unread = dialect.parseUnread(imageCall(), { usageMetadata: usage }, new Headers());
    expect(unread.usage).toMatchObject({ imageCompletionTokens: 1_120, imagePromptTokens: 258 });
  });

  test.each([
    ["a prompt that was blocked", { candidates: [], promptFeedback: { blockReason: "SAFETY" } }],
    ["an image that was withheld", { candidates: [{ finishReason: "IMAGE_SAFETY" }] }],
  ])("to %s is a refusal of the prompt", (_what, body) => {
    const fault = faultOf(JSON.stringify({ ...body, usageMetadata: usage }));
    expect([fault.code, fault.details.param]).toEqual(["content_filter", "prompt"]);
  });

  test("in words alone is no image, and another provider is asked", () => {
    const parts = [{ text: "I would rather not." }];
    const fault = faultOf(answer({ content: { parts }, finishReason: "STOP" }, usage));
    expect([fault.code, fault.details.upstreamText]).toEqual([
      "bad_gateway",
      "I would rather not.",
    ]);
  });

  test("that is an error keeps its meaning", () => {
    const error = { code: 429, message: "Quota exceeded.", status: "RESOURCE_EXHAUSTED" };
    expect(faultOf(JSON.stringify({ error })).code).toBe("upstream_rate_limited");
  });
});
