import { afterAll, expect, test } from "bun:test";
import { inputImageTokensOf } from "./answer-images.ts";
import { eventsOf, post, postJson } from "./call-upstream.fixture.ts";
import { fieldsOf } from "./parse-chat-body.ts";
import { startScriptedUpstream } from "./scripted-upstream.ts";
import { smallImage } from "./small-images.ts";

const upstream = await startScriptedUpstream();
afterAll(() => upstream.close());
const path = "/v1/images/edits";
const png = smallImage("png", { width: 100, height: 50, color: [1, 2, 3] });
const jpeg = smallImage("jpeg", { width: 64, height: 64, color: [1, 2, 3] });
const webp = smallImage("webp", { width: 32, height: 32, color: [1, 2, 3] });

type Upload = readonly [field: string, bytes: Uint8Array, filename: string, type: string];
const one: Upload = ["image", png, "a.png", "image/png"];

function form(uploads: readonly Upload[], fields: Readonly<Record<string, string>> = {}): FormData {
  const body = new FormData();
  const all = { model: "sandbox-image", prompt: "a hat", ...fields };
  for (const [name, value] of Object.entries(all)) body.set(name, value);
  for (const [field, bytes, filename, type] of uploads) {
    body.append(field, new File([new Uint8Array(bytes)], filename, { type }));
  }
  return body;
}

test("the images of a form count in the usage, by their size", async () => {
  const uploads: readonly Upload[] = [
    ["image[]", png, "a.png", "image/png"],
    ["image[]", jpeg, "b.jpg", "image/jpeg"],
    ["image[]", webp, "c.webp", "image/webp"],
  ];
  const { status, answer } = await postJson(upstream, path, form(uploads));
  expect(status).toBe(200);
  expect(inputImageTokensOf(100, 50)).toBe(8);
  expect(fieldsOf(answer.usage).input_tokens_details).toEqual({
    text_tokens: 2,
    image_tokens: 8 + 4 + 1,
  });
});

test("an edit streams events of its own, with numbers and booleans sent as text", async () => {
  const body = form([one], { stream: "true", partial_images: "1", n: "1" });
  const events = await eventsOf(await post(upstream, path, body));
  expect(events.map(({ type }) => type)).toEqual([
    "image_edit.partial_image",
    "image_edit.completed",
  ]);
});

test("an edit as JSON takes data addresses", async () => {
  const image_url = `data:image/png;base64,${png.toString("base64")}`;
  const body = {
    model: "m",
    prompt: "a hat",
    images: [{ image_url }, { image_url: "https://example.com/a.png" }],
  };
  const { answer } = await postJson(upstream, path, body);
  expect(fieldsOf(fieldsOf(answer.usage).input_tokens_details).image_tokens).toBe(8);
});

test("what is received is recorded byte for byte", async () => {
  await post(upstream, path, form([one], { prompt: '#script {"tag":"edit"}' }));
  const request = await upstream.waitFor(({ tag }) => tag === "edit");
  expect(request.rawBody.includes(png)).toBe(true);
});

test.each<[string, FormData, string | null, string | null]>([
  ["no image", form([]), "missing_required_parameter", "image"],
  ["two images under a name for one", form([one, one]), "duplicate_parameter", "image"],
  [
    "17 images",
    form(Array.from({ length: 17 }, (): Upload => ["image[]", png, "a.png", "image/png"])),
    "array_above_max_length",
    "image",
  ],
  [
    "a name without an extension",
    form([["image", png, "blob", "image/png"]]),
    "unsupported_file_mimetype",
    "image",
  ],
  [
    "a type that says nothing",
    form([["image", png, "a.png", "application/octet-stream"]]),
    "unsupported_file_mimetype",
    "image",
  ],
  [
    "contents of another type",
    form([["image", jpeg, "a.png", "image/png"]]),
    "invalid_image_format",
    "image",
  ],
  [
    "a mask that is no PNG",
    form([one, ["mask", jpeg, "m.jpg", "image/jpeg"]]),
    "invalid_value",
    "mask",
  ],
  [
    "a file in another field",
    form([one, ["picture", png, "a.png", "image/png"]]),
    "unknown_parameter",
    "picture",
  ],
  ["a number that is none", form([one], { n: "two" }), "invalid_type", "n"],
  [
    "a field that GPT image models do not have",
    form([one], { response_format: "b64_json" }),
    "unknown_parameter",
    "response_format",
  ],
])("%s is refused", async (_, body, code, param) => {
  const { status, error } = await postJson(upstream, path, body);
  expect([status, error.code, error.param]).toEqual([400, code, param]);
});

test.each([
  [[{ file_id: "file-1" }], "image_file_not_found"],
  [[{ image_url: "http://example.com/a.png" }], "invalid_value"],
  [[], "empty_array"],
])("the images %j are refused in JSON", async (images, code) => {
  const { status, error } = await postJson(upstream, path, { model: "m", prompt: "a hat", images });
  expect([status, error.code]).toEqual([400, code]);
});
