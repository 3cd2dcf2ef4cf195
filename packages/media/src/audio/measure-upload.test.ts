import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mp3File, smallImage, wavFile } from "@turnpike/testing";
import { openSpool, readMultipart } from "@turnpike/wire";
import { audioFormats, imageFormats } from "../content/media-format.ts";
import { measureImage } from "../images/measure-image.ts";
import { openAudioMeter } from "./open-audio-meter.ts";

const directory = mkdtempSync(join(tmpdir(), "turnpike-upload-"));
const meter = openAudioMeter({ waitMaxMs: 120_000 });
afterAll(async () => {
  await meter.close();
  rmSync(directory, { recursive: true });
});

const files = {
  file: { maxBytes: 25 * 1024 * 1024, maxCount: 2 },
  image: { maxBytes: 1024 * 1024 },
};

test("uploads are measured where they are kept, in memory and on disk", async () => {
  const image = smallImage("webp", { width: 30, height: 20, color: [1, 2, 3] });
  const form = new FormData();
  form.append("file[]", new File([new Uint8Array(mp3File(500))], "short.mp3"));
  form.append("file[]", new File([new Uint8Array(wavFile({ seconds: 60 }))], "long.wav"));
  form.append("image", new File([new Uint8Array(image)], "blob"));
  const sent = new Request("http://localhost", { method: "POST", body: form });
  const store = openSpool({ directory });
  const type = sent.headers.get("content-type");
  const options = { maxBytes: 30 * 1024 * 1024, files, store };
  const received = await readMultipart(sent.body ?? new ReadableStream(), type, options);
  const [short, long, picture] = received.files.map(({ bytes }) => bytes);
  if (!short || !long || !picture) throw new Error("a file was not read");
  expect([short.place.kind, long.place.kind]).toEqual(["memory", "file"]);
  const audio = { param: "file", formats: audioFormats };
  expect((await meter.measure(short, audio)).durationMs).toBe(18_000);
  expect((await meter.measure(long, audio)).durationMs).toBe(60_000);
  expect(await measureImage(picture, { param: "image", formats: imageFormats })).toEqual({
    format: "webp",
    width: 30,
    height: 20,
  });
  await store.close();
});
