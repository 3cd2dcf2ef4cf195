import { expect, test } from "bun:test";
import { bytesInMemory, ChunkList, type FileBytes } from "./file-bytes.ts";
import { filenameWith, sanitizeFilename } from "./filename.ts";
import { bytesOf, inPieces } from "./form-body.fixture.ts";
import { readMultipart } from "./read-multipart.ts";
import { formEntries, writeMultipart } from "./write-multipart.ts";

function bytes(contents: Uint8Array): FileBytes {
  const list = new ChunkList();
  list.push(contents);
  return bytesInMemory(list);
}

const binary = Uint8Array.from({ length: 100_000 }, (_, index) => index % 256);
const fields = {
  model: "whisper-1",
  prompt: 'a "b"\r\n--turnpike',
  temperature: 0.5,
  stream: false,
  include: ["logprobs", "other"],
  chunking_strategy: { type: "server_vad", threshold: 0.5, absent: null },
  user: null,
};
const file = { name: "file", filename: "a.mp3", type: "audio/mpeg", bytes: bytes(binary) };

test("what is written is read again, field by field and byte by byte", async () => {
  const { contentType, contentLength, chunks } = writeMultipart(formEntries(fields), [file]);
  const sent = await bytesOf(chunks());
  expect(sent.length).toBe(contentLength);
  const form = await readMultipart(inPieces(sent, 1_000), contentType, {
    maxBytes: 200_000,
    files: { file: { maxBytes: 100_000 } },
    shapes: {
      temperature: "number",
      stream: "boolean",
      include: { list: "text" },
      chunking_strategy: { object: { threshold: "number" } },
    },
  });
  const { user, ...given } = fields;
  expect(form.fields).toEqual({
    ...given,
    chunking_strategy: { type: "server_vad", threshold: 0.5 },
  });
  const [read] = form.files;
  expect(read).toMatchObject({ field: "file", filename: "a.mp3", type: "audio/mpeg" });
  expect((await bytesOf(read?.bytes.chunks() ?? inPieces(binary))).equals(binary)).toBe(true);
});

test("another implementation reads the same", async () => {
  const body = writeMultipart([["image_name", 'ü"']], [{ ...file, name: "image[]" }]);
  const headers = { "content-type": body.contentType };
  const form = await new Response(body.stream(), { headers }).formData();
  expect(form.get("image_name")).toBe('ü"');
  const read = form.get("image[]");
  if (!(read instanceof File)) throw new Error("no file was read");
  expect([read.name, read.type]).toEqual(["a.mp3", "audio/mpeg"]);
  expect(Buffer.from(await read.arrayBuffer()).equals(binary)).toBe(true);
});

test("a body is sent any number of times, without a copy of its files", async () => {
  const body = writeMultipart([], [file]);
  const first = await bytesOf(body.chunks());
  expect((await new Response(body.stream()).bytes()).length).toBe(first.length);
  const { place } = file.bytes;
  const [kept] = place.kind === "memory" ? place.chunks : [];
  const sent: Uint8Array[] = [];
  for await (const chunk of body.chunks()) sent.push(chunk);
  expect(sent.some((chunk) => chunk === kept)).toBe(true);
});

test("each body has a boundary of its own", () => {
  const types = Array.from({ length: 10 }, () => writeMultipart([], []).contentType);
  expect(new Set(types).size).toBe(10);
});

test.each([
  ["../../etc/passwd", "passwd"],
  ["C:\\music\\song.mp3", "song.mp3"],
  [".htaccess", "htaccess"],
  ['a"b\r\nX: y.mp3', "a_bX_ y.mp3"],
  ["\u202egpm.exe", "gpm.exe"],
  ["", "file"],
  ["..", "file"],
  ["Lied ü.mp3", "Lied ü.mp3"],
])("the name %j is kept as %j", (name, kept) => {
  expect(sanitizeFilename(name, "file")).toBe(kept);
});

test.each([
  ["blob", "webm", "blob.webm"],
  ["recording.mp3", "webm", "recording.webm"],
  ["Lied ü.final.mp3", "mp3", "Lied_final.mp3"],
  ["…", "wav", "file.wav"],
  ["a\r\nb", "png", "ab.png"],
])("%j is sent on with the extension %s as %s", (name, extension, sent) => {
  expect(filenameWith(extension, name)).toBe(sent);
});
