import { afterAll, expect, test } from "bun:test";
import { inflateSync } from "node:zlib";
import { imageTokensOf } from "./answer-images.ts";
import { flaggedWord } from "./answer-moderations.ts";
import { eventsOf, post, postJson } from "./call-upstream.fixture.ts";
import { fieldsOf } from "./parse-chat-body.ts";
import type { Script } from "./parse-script.ts";
import { startScriptedUpstream } from "./scripted-upstream.ts";

const upstream = await startScriptedUpstream();
afterAll(() => upstream.close());
const path = "/v1/images/generations";
const asked = { model: "sandbox-image", prompt: "a cat" };

async function draw(fields: object) {
  const { status, answer, error } = await postJson(upstream, path, { ...asked, ...fields });
  const data: readonly unknown[] = Array.isArray(answer.data) ? answer.data : [];
  const images = data.map(fieldsOf).map(({ b64_json }) => Buffer.from(String(b64_json), "base64"));
  return { status, answer, error, data: data.map(fieldsOf), images };
}

const scripted = (script: Script) => ({ prompt: `a cat #script ${JSON.stringify(script)}` });

test("the same prompt becomes the same image, another one another", async () => {
  const [first, again, other] = await Promise.all([draw({}), draw({}), draw({ prompt: "a dog" })]);
  expect(first.images).toEqual(again.images);
  expect(first.images).not.toEqual(other.images);
});

test("a PNG of the asked proportions has rows of one color", async () => {
  const { images, answer } = await draw({ size: "1536x1024", n: 2 });
  const [png = Buffer.alloc(0), second] = images;
  expect(answer).toMatchObject({ size: "1536x1024", output_format: "png", background: "opaque" });
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([64, 43]);
  const length = png.readUInt32BE(33);
  expect(inflateSync(png.subarray(41, 41 + length))).toHaveLength(43 * (1 + 64 * 3));
  expect(png.equals(second ?? png)).toBe(false);
});

test.each([
  ["jpeg", "ffd8ffe0"],
  ["webp", "52494646"],
])("an image is written as %s where that is asked for", async (output_format, start) => {
  const { images } = await draw({ output_format });
  expect(images[0]?.toString("hex", 0, 4)).toBe(start);
});

test("usage has a token for each part of the pixels, by quality", async () => {
  const square = await draw({ n: 2, quality: "high" });
  expect(square.answer.usage).toEqual({
    input_tokens: 2,
    input_tokens_details: { text_tokens: 2, image_tokens: 0 },
    output_tokens: 8_320,
    output_tokens_details: { image_tokens: 8_320, text_tokens: 0 },
    total_tokens: 8_322,
  });
  const large = await draw({ quality: "low", size: "3840x2160" });
  const tokens = imageTokensOf("low", 3_840, 2_160);
  expect(fieldsOf(large.answer.usage).output_tokens).toBe(tokens);
  const missing = await draw(scripted({ usage: "missing" }));
  expect(missing.answer.usage).toBeUndefined();
});

test("fewer images than asked for are answered where a script says so", async () => {
  const { images, answer } = await draw({ ...scripted({ images: 1 }), n: 3 });
  expect(images).toHaveLength(1);
  expect(fieldsOf(answer.usage).output_tokens).toBe(1_056);
});

test("a model that is sold by the image answers addresses that can be fetched, and no usage", async () => {
  const { answer, data } = await draw({ model: "sandbox-image-piece" });
  expect(answer.usage).toBeUndefined();
  const fetched = await fetch(String(data[0]?.url));
  expect(fetched.headers.get("content-type")).toBe("image/png");
  expect(Buffer.from(await fetched.arrayBuffer()).toString("latin1", 1, 4)).toBe("PNG");
  const inline = await draw({ model: "sandbox-image-piece", response_format: "b64_json" });
  expect(inline.images[0]?.toString("latin1", 1, 4)).toBe("PNG");
});

test("a stream has previews, and then the image with its usage", async () => {
  const body = { ...asked, stream: true, partial_images: 2 };
  const events = await eventsOf(await post(upstream, path, body));
  expect(events.map(({ type }) => type)).toEqual([
    "image_generation.partial_image",
    "image_generation.partial_image",
    "image_generation.completed",
  ]);
  expect(events.map(({ partial_image_index }) => partial_image_index)).toEqual([0, 1, undefined]);
  expect(fieldsOf(events[2]?.usage).output_tokens).toBe(1_056 + 200);
  expect(events[2]?.b64_json).toBe((await draw({})).data[0]?.b64_json);
});

test("a stream fails after two previews where a script says so", async () => {
  const body = {
    ...scripted({ errorAfterDeltas: 2 }),
    model: "m",
    stream: true,
    partial_images: 3,
  };
  const events = await eventsOf(await post(upstream, path, body));
  expect(events.map(({ type }) => type)).toEqual([
    "image_generation.partial_image",
    "image_generation.partial_image",
    "error",
  ]);
});

test("a stream is held before its image until its gate opens", async () => {
  const script = { gate: true, tag: "gated" };
  const response = await post(upstream, path, { ...scripted(script), model: "m", stream: true });
  const request = await upstream.waitFor(({ tag }) => tag === "gated");
  await draw({});
  expect(request.delivered.bytes).toBe(0);
  upstream.open("gated");
  expect((await eventsOf(response)).map(({ type }) => type)).toEqual([
    "image_generation.completed",
  ]);
});

test.each([
  [{ prompt: undefined }, "missing_required_parameter", "prompt"],
  [{ response_format: "b64_json" }, "unknown_parameter", "response_format"],
  [{ style: "vivid" }, "unknown_parameter", "style"],
  [{ n: 11 }, "integer_above_max_value", "n"],
  [{ n: 1.5 }, "invalid_type", "n"],
  [{ size: "1000x1000" }, "invalid_value", "size"],
  [{ size: "3072x512" }, "invalid_value", "size"],
  [{ size: "1K" }, "invalid_value", "size"],
  [{ quality: "hd" }, "invalid_value", "quality"],
  [{ partial_images: 1 }, "invalid_value", "partial_images"],
  [{ background: "transparent", output_format: "jpeg" }, "invalid_value", "background"],
  [{ output_compression: 50 }, "invalid_value", "output_compression"],
  [{ prompt: "x".repeat(32_001) }, "string_above_max_length", "prompt"],
  [{ prompt: `so ${flaggedWord}` }, "moderation_blocked", null],
])("%j is refused", async (fields, code, param) => {
  const { status, error } = await draw(fields);
  expect([status, error.code, error.param]).toEqual([400, code, param]);
});
