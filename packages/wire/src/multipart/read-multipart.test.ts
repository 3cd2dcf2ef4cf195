import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import fc from "fast-check";
import {
  bytesOf,
  faultOf,
  filePart,
  formBody,
  inPieces,
  type SamplePart,
  sampleBoundary,
  sampleType,
  textPart,
} from "./form-body.fixture.ts";
import { type MultipartOptions, readMultipart } from "./read-multipart.ts";

const mebibyte = 1024 * 1024;
const bounds: MultipartOptions = {
  maxBytes: 30 * mebibyte,
  files: { file: { maxBytes: 25 * mebibyte }, image: { maxBytes: mebibyte, maxCount: 16 } },
  shapes: {
    n: "number",
    stream: "boolean",
    include: { list: "text" },
    chunking_strategy: { object: { threshold: "number" } },
  },
};

function read(parts: readonly SamplePart[], options: Partial<MultipartOptions> = {}) {
  return readMultipart(inPieces(formBody(parts)), sampleType, { ...bounds, ...options });
}

async function contentsOf(reading: ReturnType<typeof readMultipart>) {
  const { fields, files } = await reading;
  const contents = files.map(async ({ bytes, ...file }) => ({
    ...file,
    text: (await bytesOf(bytes.chunks())).toString("latin1"),
    size: bytes.size,
  }));
  return { fields, files: await Promise.all(contents) };
}

function sha256Of(text: string): string {
  return createHash("sha256").update(text, "latin1").digest("hex");
}

/** What looks like boundaries inside a file, and ends like the beginning of one. */
const tricky = `\r\n--${sampleBoundary.slice(0, -1)}\r\n\r\r\n--\n--${sampleBoundary}\r\n-`;

const sample = formBody([
  filePart("file", tricky, { filename: "C:\\music\\a b.MP3", type: "Audio/MPEG; x=y" }),
  textPart("model", "openai/whisper-1"),
  textPart("prompt", "zwölf\r\nZeilen"),
  textPart("empty", ""),
]);
const sampleContents = {
  fields: { model: "openai/whisper-1", prompt: "zwölf\r\nZeilen", empty: "" },
  files: [
    {
      field: "file",
      filename: "a b.MP3",
      type: "audio/mpeg",
      text: tricky,
      size: tricky.length,
      sha256: sha256Of(tricky),
    },
  ],
};

test("a body is read the same wherever it is divided", async () => {
  for (let pieceBytes = 1; pieceBytes <= sample.length; pieceBytes += 1) {
    const reading = readMultipart(inPieces(sample, pieceBytes), sampleType, bounds);
    expect(await contentsOf(reading)).toEqual(sampleContents);
  }
});

test("any contents are read byte for byte from any pieces", async () => {
  const bit = fc.constantFrom("\r\n--b", "\r", "\n", "-", "--", "b", "\r\n", "x", "--b--", "é");
  const body = fc.array(bit, { maxLength: 12 }).map((bits) => bits.join(""));
  const isWhole = (text: string) => !`\r\n${text}`.includes("\r\n--b");
  await fc.assert(
    fc.asyncProperty(
      fc.array(body.filter(isWhole), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 40 }),
      async (bodies, pieceBytes) => {
        const parts = bodies.map((text, index) => textPart(`f${index}`, text));
        const pieces = inPieces(formBody(parts, "b"), pieceBytes);
        const { fields } = await readMultipart(pieces, "multipart/form-data; boundary=b", bounds);
        expect(Object.values(fields)).toEqual(bodies);
      },
    ),
    { numRuns: 500 },
  );
});

test("a body that is cut at any byte is refused with 400", async () => {
  for (let end = 0; end < sample.length - 2; end += 1) {
    const reading = readMultipart(inPieces(sample.slice(0, end), 7), sampleType, bounds);
    const fault = await faultOf(reading);
    expect([end, fault.code]).toEqual([end, "malformed_request"]);
  }
});

test("what precedes the first boundary, pads one or follows the last is ignored", async () => {
  const text = `Hello.\r\n--b \t\r\ncontent-disposition: form-data; name=n\r\n\r\n2\r\n--b--and more\r\n--b`;
  for (const pieceBytes of [1, 2, 3, 1_000]) {
    const pieces = inPieces(Buffer.from(text), pieceBytes);
    const form = await readMultipart(
      pieces,
      'multipart/form-data; charset=x; boundary="b"',
      bounds,
    );
    expect(form.fields).toEqual({ n: 2 });
  }
});

test("a form written by another implementation is read", async () => {
  const form = new FormData();
  form.set("model", 'a "quoted" model');
  form.append(
    "image[]",
    new File([new Uint8Array([0, 13, 10, 255])], 'ü "x".png', { type: "image/png" }),
  );
  form.append("image[]", new Blob(["two"]));
  const sent = new Response(form);
  const type = sent.headers.get("content-type");
  const read = readMultipart(inPieces(await sent.bytes(), 5), type, bounds);
  expect(await contentsOf(read)).toMatchObject({
    fields: { model: 'a "quoted" model' },
    files: [
      { field: "image", filename: "ü _x_.png", type: "image/png", text: "\0\r\nÿ" },
      { field: "image", text: "two" },
    ],
  });
});

test.each([
  [
    "a list under one name",
    [
      ["include[]", "a"],
      ["include[]", "b"],
    ],
    { include: ["a", "b"] },
  ],
  ["a list of one without brackets", [["include", "a"]], { include: ["a"] }],
  [
    "a list by repetition",
    [
      ["include", "a"],
      ["include", "b"],
    ],
    { include: ["a", "b"] },
  ],
  [
    "a list by index, in any order",
    [
      ["include[1]", "b"],
      ["include[0]", "a"],
    ],
    { include: ["a", "b"] },
  ],
  ["a list as JSON", [["include", '["a","b"]']], { include: ["a", "b"] }],
  ["an unknown list", [["tags[]", "a"]], { tags: ["a"] }],
  [
    "numbers and booleans",
    [
      ["n", "3"],
      ["stream", "False"],
    ],
    { n: 3, stream: false },
  ],
  [
    "what is no number",
    [
      ["n", "three"],
      ["stream", "0"],
    ],
    { n: "three", stream: "0" },
  ],
  ["numbers that JSON would not have", [["n", "0x10"]], { n: "0x10" }],
  [
    "a prompt that looks like JSON or a number",
    [
      ["prompt", '{"a":1}'],
      ["user", "1"],
    ],
    { prompt: '{"a":1}', user: "1" },
  ],
  [
    "an object by its keys",
    [
      ["chunking_strategy[type]", "server_vad"],
      ["chunking_strategy[threshold]", "0.5"],
    ],
    { chunking_strategy: { type: "server_vad", threshold: 0.5 } },
  ],
  [
    "an object as JSON",
    [["chunking_strategy", '{"type":"server_vad"}']],
    { chunking_strategy: { type: "server_vad" } },
  ],
  ["a word instead of an object", [["chunking_strategy", "auto"]], { chunking_strategy: "auto" }],
  ["broken JSON", [["chunking_strategy", '{"type"']], { chunking_strategy: '{"type"' }],
] as const)("%s becomes members of one object", async (_, texts, fields) => {
  expect((await read(texts.map(([name, text]) => textPart(name, text)))).fields).toEqual(fields);
});

test("files are in the order of their indexes", async () => {
  const parts = [filePart("image[1]", "one"), filePart("image[0]", "zero")];
  const { files } = await contentsOf(read(parts));
  expect(files.map(({ text }) => text)).toEqual(["zero", "one"]);
});

test("a file input that was left empty is no file", async () => {
  const parts = [filePart("file", "", { filename: "" }), textPart("n", "1")];
  expect(await read(parts)).toEqual({ fields: { n: 1 }, files: [] });
});

test.each([
  ["a scalar twice", [textPart("model", "a"), textPart("model", "b")], "invalid_value", "model"],
  ["a file twice", [filePart("file", "a"), filePart("file", "b")], "invalid_value", "file"],
  [
    "the same index twice",
    [textPart("include[0]", "a"), textPart("include[00]", "b")],
    "invalid_value",
    "include",
  ],
  ["the same key twice", [textPart("a[b]", "1"), textPart("a[b]", "2")], "invalid_value", "a.b"],
  [
    "a list that is an object too",
    [textPart("a[]", "1"), textPart("a[b]", "2")],
    "invalid_value",
    "a",
  ],
  [
    "a file that is a text too",
    [filePart("image", "1"), textPart("image", "2")],
    "invalid_value",
    "image",
  ],
  ["a file in another field", [filePart("audio", "a")], "unknown_parameter", "audio"],
  ["a file in a member", [filePart("file[a]", "a")], "unknown_parameter", "file[a]"],
  ["a name of a prototype", [textPart("__proto__[a]", "1")], "malformed_request", undefined],
  ["a key of a prototype", [textPart("a[__proto__]", "1")], "malformed_request", undefined],
  ["members within members", [textPart("a[b][c]", "1")], "malformed_request", undefined],
  [
    "17 images",
    Array.from({ length: 17 }, () => filePart("image[]", "a")),
    "array_above_max_length",
    "image",
  ],
  [
    "text that is not UTF-8",
    [{ ...textPart("prompt", ""), body: new Uint8Array([0xff]) }],
    "malformed_request",
    "prompt",
  ],
  ["text with NUL", [textPart("prompt", "a\0b")], "malformed_request", "prompt"],
] as const)("%s is refused and names the field", async (_, parts, code, param) => {
  const fault = await faultOf(read(parts));
  expect([fault.code, fault.details.param]).toEqual([code, param]);
});
