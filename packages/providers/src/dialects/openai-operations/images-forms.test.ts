// Images of OpenRouter and of Together: what each is sent for the same request, what it is not asked for, and how both answer.
import { describe, expect, test } from "bun:test";
import type { ImageRequest } from "@turnpike/wire";
import type { OpenaiProvider, UpstreamCall } from "../../provider.ts";
import { imageCall, uploadedFile } from "../gemini-operations/sample-operations.fixture.ts";
import { sampleProvider } from "../openai/sample-call.fixture.ts";
import { imagesDialect as dialect } from "./images-dialect.ts";

function callOf(
  provider: "openrouter" | "together",
  fields: object,
  own: Partial<ImageRequest> = {},
): UpstreamCall<ImageRequest, OpenaiProvider> {
  const call = imageCall(fields);
  const request = { ...call.request, ...own };
  return { ...call, request, provider: sampleProvider(provider), upstreamModel: "a/b" };
}

async function sentFor(call: UpstreamCall<ImageRequest, OpenaiProvider>) {
  const { path, body, upload, ignored } = dialect.buildRequest(call);
  const text = upload === undefined ? body : await new Response(upload.stream()).text();
  return { path, body: JSON.parse(text), ignored };
}
const whyNot = (call: UpstreamCall<ImageRequest, OpenaiProvider>) =>
  dialect.whyUntranslatable?.(call, call.request)?.details.param;

const basics = { model: "a/b", prompt: "a lighthouse" };
const png = "data:image/png;base64,AAAA";
const file = { file: uploadedFile("image/png", "the image") };
const fileUrl = `data:image/png;base64,${Buffer.from("the image").toString("base64")}`;

describe("OpenRouter", () => {
  test("new images are asked for under its own path, in its own words", async () => {
    const fields = { n: 2, size: "2K", aspect_ratio: "21:9", quality: "high", user: "u" };
    const { path, body, ignored } = await sentFor(callOf("openrouter", fields));
    expect(path).toBe("/images");
    expect(body).toEqual({ ...basics, n: 2, size: "2K", aspect_ratio: "21:9", quality: "high" });
    expect(ignored).toEqual(["user"]);
  });

  test("images to edit are references, and files data URLs", async () => {
    const references = [{ url: "https://example.com/a.png" }, file];
    const { path, body } = await sentFor(callOf("openrouter", {}, { references }));
    expect(path).toBe("/images");
    expect(body.input_references).toEqual([
      { type: "image_url", image_url: { url: "https://example.com/a.png" } },
      { type: "image_url", image_url: { url: fileUrl } },
    ]);
  });

  test("a mask is refused by name", () => {
    expect(whyNot(callOf("openrouter", { image: png, mask: png }))).toBe("mask");
    expect(whyNot(callOf("openrouter", { image: png }))).toBeUndefined();
  });

  test("its answer says the format of an image, and what it cost there is nobody's price", () => {
    const usage = {
      prompt_tokens: 4,
      completion_tokens: 1_290,
      total_tokens: 1_294,
      completion_tokens_details: { image_tokens: 1_290 },
      cost: 0.04,
      is_byok: false,
    };
    const data = [{ b64_json: "AAAA", media_type: "image/webp" }];
    const text = JSON.stringify({ created: 1, data, usage });
    const whole = dialect.parseWhole(callOf("openrouter", {}), text, new Headers());
    expect(whole.content).toMatchObject({ images: [{ base64: "AAAA" }], outputFormat: "webp" });
    expect(whole.usage).toMatchObject({ completionTokens: 1_290, imageCompletionTokens: 1_290 });
    expect(JSON.stringify(whole.usage)).not.toContain("cost");
  });
});

describe("Together", () => {
  test("a size is two numbers, and base64 has a name of its own", async () => {
    const fields = { size: "1024x768", seed: 3, n: 1, output_format: "png", background: "opaque" };
    const { path, body, ignored } = await sentFor(callOf("together", fields));
    expect(path).toBe("/images/generations");
    expect(body).toEqual({
      ...basics,
      width: 1_024,
      height: 768,
      seed: 3,
      output_format: "png",
      response_format: "base64",
    });
    expect(ignored).toEqual(["background"]);
  });

  test("one image to edit goes to the same path", async () => {
    const { path, body } = await sentFor(callOf("together", {}, { references: [file] }));
    expect([path, body.image_url]).toEqual(["/images/generations", fileUrl]);
  });

  test.each([
    [{ size: "2K" }, "size"],
    [{ aspect_ratio: "1:1" }, "aspect_ratio"],
    [{ quality: "high" }, "quality"],
    [{ output_format: "webp" }, "output_format"],
    [{ output_compression: 5 }, "output_compression"],
    [{ image: [png, png] }, "image"],
    [{ image: png, mask: png }, "mask"],
  ])("%j is refused by name", (fields, param) => {
    expect(whyNot(callOf("together", fields))).toBe(param);
  });
});

test("a refusal of a field that only OpenAI's form has is final elsewhere", () => {
  const call = callOf("together", {});
  const sent = dialect.buildRequest(call);
  const refusal = "Unknown parameter: 'response_format'.";
  expect(dialect.retryAfterRefusal?.(call, sent, 400, refusal)).toBeUndefined();
});
