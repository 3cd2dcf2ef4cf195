// Which images and audio of an answer are kept: those that are what they seem, within a bound, and never a preview.
import { expect, test } from "bun:test";
import { wavFile } from "@turnpike/testing";
import { audioOf, findImages, mediaMaxBytes } from "./find-media.ts";

const png = Buffer.from(
  "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0",
  "latin1",
);
const b64 = png.toString("base64");
const large = Buffer.concat([png, Buffer.alloc(mediaMaxBytes)]).toString("base64");

test("images of a whole answer are found, with spaces and escaped slashes too", () => {
  const answer = `{"data": [{"b64_json" : "${b64.replaceAll("/", "\\/")}"},{"b64_json":"${b64}"}]}`;
  const image = { type: "image/png", base64: b64 };
  expect(findImages(answer, false)).toEqual([image, image]);
});

test("what is no image, has scripts, or is too large is left out, and others are not", () => {
  const data = [Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>").toString("base64")];
  const answer = (all: readonly string[]) =>
    JSON.stringify({ data: all.map((b64_json) => ({ b64_json })) });
  expect(findImages(answer([...data, "aGVsbG8=", large]), false)).toEqual([]);
  expect(findImages(answer([large, b64]), false)).toHaveLength(1);
  expect(findImages(answer(Array.from({ length: 99 }, () => b64)), false)).toHaveLength(10);
});

test("a text that looks like the member of an answer has no images", () => {
  const content = JSON.stringify({ b64_json: b64 });
  expect(findImages(JSON.stringify({ choices: [{ message: { content } }] }), false)).toEqual([]);
});

test("of a stream, previews are not kept, and one that breaks off has nothing", () => {
  const event = (type: string) => `data: ${JSON.stringify({ b64_json: b64, type })}\n\n`;
  const preview = event("image_generation.partial_image");
  expect(findImages(preview + preview, true)).toEqual([]);
  expect(findImages(preview + event("image_generation.completed"), true)).toHaveLength(1);
  const last = event("image_generation.completed");
  expect(findImages(last.slice(0, last.indexOf(b64) + 9), true)).toEqual([]);
});

test("an event that repeats the name of the data is read once, however often it does", () => {
  const names = Array.from({ length: 300_000 }, () => "b64_json");
  const echoed = `data: ${JSON.stringify({ type: "response.created", tools: [{ enum: names }] })}\n\n`;
  const type = "image_generation.completed";
  const drawn = `data: ${JSON.stringify({ b64_json: b64, type })}\n\n`;
  expect(findImages(echoed + drawn, true)).toEqual([{ type: "image/png", base64: b64 }]);
});

test("audio is told by its content", () => {
  expect(audioOf(wavFile({ seconds: 1 }))?.type).toBe("audio/wav");
  expect(audioOf(png)).toBeUndefined();
  expect(audioOf(Buffer.from("hello"))).toBeUndefined();
});
