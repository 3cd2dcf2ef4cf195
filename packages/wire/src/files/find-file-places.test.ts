// What a request that names a file becomes, in each language: the request that sends it.
import { describe, expect, test } from "bun:test";
import { Fault, formatFileId, newId, type ObjectId, parseFileId } from "@turnpike/base";
import { fillFilePlaces, findFilePlaces, whyNotTaken } from "./find-file-places.ts";
import type { NamedFile } from "./naming-parts.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const fileOf = (mediaType: string, filename: string, content: string): NamedFile => ({
  mediaType,
  filename,
  base64: base64(content),
});

const image = fileOf("image/png", "cat.png", "the bytes of an image");
const pdf = fileOf("application/pdf", "a.pdf", "%PDF-1.7");
const notes = fileOf("text/plain", "notes.txt", 'a "quoted" line\n');
const sound = fileOf("audio/wav", "a.wav", "RIFF");
const urlOf = ({ mediaType, base64: data }: NamedFile) => `data:${mediaType};base64,${data}`;

const id = formatFileId(newId<ObjectId>());

/** The request with `file` for every id. */
function fill(body: object | string, file: NamedFile): unknown {
  const raw = typeof body === "string" ? body : JSON.stringify(body);
  const places = findFilePlaces(raw) ?? [];
  return JSON.parse(fillFilePlaces(raw, places, new Map(places.map((place) => [place.id, file]))));
}

const paramsOf = (body: object) =>
  (findFilePlaces(JSON.stringify(body)) ?? []).map(({ param }) => param);

function refusalOf(body: object): unknown {
  try {
    findFilePlaces(JSON.stringify(body));
  } catch (thrown) {
    if (thrown instanceof Fault) return [thrown.code, thrown.details.param];
    throw thrown;
  }
  return undefined;
}

const chat = (part: object) => ({ messages: [{ role: "user", content: [part] }] });
const responses = (part: object) => ({ input: [{ role: "user", content: [part] }] });
const gemini = (part: object) => ({ contents: [{ parts: [{ text: "a" }, part] }] });
const interaction = (part: object) => ({ input: [{ type: "user_input", content: [part] }] });
const inChat = { type: "file", file: { file_id: id, filename: "mine" }, cache_control: {} };
const inInput = { type: "input_file", file_id: id };
const inBlock = (type: string) => ({ type, source: { type: "file", file_id: id } });

const wav = { type: "input_audio", input_audio: { data: sound.base64, format: "wav" } };
const pdfData = { filename: pdf.filename, file_data: urlOf(pdf) };

describe.each([
  [
    "a document in chat",
    chat(inChat),
    pdf,
    chat({ cache_control: {}, type: "file", file: pdfData }),
  ],
  [
    "an image in chat",
    chat(inChat),
    image,
    chat({ cache_control: {}, type: "image_url", image_url: { url: urlOf(image) } }),
  ],
  ["audio in chat", chat(inChat), sound, chat({ cache_control: {}, ...wav })],
  [
    "a text in chat",
    chat(inChat),
    notes,
    chat({ cache_control: {}, type: "text", text: 'a "quoted" line\n' }),
  ],
  ["a document in a response", responses(inInput), pdf, responses({ ...inInputOf(pdf) })],
  [
    "an image as a file in a response",
    responses(inInput),
    image,
    responses({ type: "input_image", image_url: urlOf(image) }),
  ],
  [
    "an image in a response",
    responses({ type: "input_image", file_id: id, detail: "low" }),
    image,
    responses({ type: "input_image", image_url: urlOf(image), detail: "low" }),
  ],
  [
    "a text in a response",
    responses(inInput),
    notes,
    responses({ type: "input_text", text: 'a "quoted" line\n' }),
  ],
  ["audio in a response", responses(inInput), sound, responses(wav)],
  [
    "an image in messages",
    chat(inBlock("image")),
    image,
    chat({ type: "image", source: sourceOf(image) }),
  ],
  [
    "a document in messages",
    chat({ ...inBlock("document"), title: "A" }),
    pdf,
    chat({ type: "document", source: sourceOf(pdf), title: "A" }),
  ],
  [
    "a text in messages",
    chat(inBlock("document")),
    notes,
    chat({
      type: "document",
      source: { type: "text", media_type: "text/plain", data: 'a "quoted" line\n' },
    }),
  ],
  [
    "a file in Gemini's contents",
    gemini({ fileData: { fileUri: id, mimeType: "image/jpeg", displayName: "b" } }),
    image,
    gemini({ inlineData: { displayName: "b", mimeType: "image/png", data: image.base64 } }),
  ],
  [
    "a file in Gemini's contents, as Google's clients name it",
    gemini({ file_data: { file_uri: `files/${id}`, mime_type: "image/jpeg" } }),
    pdf,
    gemini({ inlineData: { mimeType: "application/pdf", data: pdf.base64 } }),
  ],
  [
    "an image in an interaction",
    interaction({ type: "image", uri: id }),
    image,
    interaction({ type: "image", mime_type: "image/png", data: image.base64 }),
  ],
  [
    "images to edit",
    { images: [{ file_id: id }], mask: { file_id: id }, prompt: "a" },
    image,
    { images: [{ image_url: urlOf(image) }], mask: { image_url: urlOf(image) }, prompt: "a" },
  ],
] as const)("%s", (_name, named, file, sent) => {
  test("becomes the same request with its contents", () => {
    expect(fill(named, file)).toEqual(sent);
  });
});

function inInputOf(file: NamedFile) {
  return { type: "input_file", filename: file.filename, file_data: urlOf(file) };
}

function sourceOf({ mediaType, base64: data }: NamedFile) {
  return { type: "base64", media_type: mediaType, data };
}

test("files are named wherever a language has parts", () => {
  const block = inBlock("image");
  const cases: readonly (readonly [object, string])[] = [
    [chat({ type: "tool_result", content: [block] }), "content[0].content[0].source.file_id"],
    [
      chat({ type: "document", source: { type: "content", content: [block] } }),
      "content[0].source.content[0].source.file_id",
    ],
  ];
  for (const [body, param] of cases) expect(paramsOf(body)).toEqual([`messages[0].${param}`]);
  expect(paramsOf({ input: [{ type: "function_call_output", output: [inInput] }] })).toEqual([
    "input[0].output[0].file_id",
  ]);
  const parts = [{ fileData: { fileUri: id } }];
  expect(paramsOf({ contents: { parts: [{ functionResponse: { parts } }] } })).toEqual([
    "contents.parts[0].functionResponse.parts[0].fileData.fileUri",
  ]);
  expect(paramsOf({ generateContentRequest: { contents: [{ parts }] } })).toEqual([
    "generateContentRequest.contents[0].parts[0].fileData.fileUri",
  ]);
});

test("what is the caller's own data is left alone", () => {
  const data = [{ ...inInput, ...inChat }];
  const bodies = [
    chat({ type: "tool_use", id: "t", name: "f", input: { content: data } }),
    chat({ type: "text", text: `{"file_id":"${id}"}` }),
    { input: [{ type: "function_call", arguments: JSON.stringify(data) }] },
    gemini({ functionCall: { name: "f", args: { parts: data } } }),
    gemini({ functionResponse: { name: "f", response: { parts: data } } }),
    { input: [{ type: "function_result", result: { type: "image", uri: id } }] },
    { ...chat({ type: "text", text: "a" }), metadata: { file_id: id }, tools: data },
  ];
  for (const body of bodies) expect(findFilePlaces(JSON.stringify(body))).toBeUndefined();
});

test("ids of other services are left alone", () => {
  for (const other of ["file-abc123", id.toUpperCase(), id.slice(5), `${id}0`, "files/a", ""]) {
    expect(paramsOf(chat({ type: "file", file: { file_id: other } }))).toEqual([]);
    expect(paramsOf(gemini({ fileData: { fileUri: other } }))).toEqual([]);
  }
  const address = `https://files.example/files/${id}`;
  expect(paramsOf(gemini({ fileData: { fileUri: address } }))).toEqual([]);
});

test("an id where no file can be named is refused by its place, and never sent on", () => {
  const code = "unsupported_parameter";
  expect(refusalOf({ file_id: id })).toEqual([code, "file_id"]);
  expect(refusalOf(chat({ type: "container_upload", file_id: id }))).toEqual([
    code,
    "messages[0].content[0].file_id",
  ]);
  expect(refusalOf(chat({ type: "text", text: "a", file_id: id }))).toEqual([
    code,
    "messages[0].content[0].file_id",
  ]);
});

test("a part has an id or contents", () => {
  const twice: readonly (readonly [object, string])[] = [
    [chat({ type: "file", file: { file_id: id, file_data: "AA" } }), "messages[0].content[0]"],
    [responses({ ...inInput, file_url: "https://a.example" }), "input[0].content[0]"],
    [interaction({ type: "image", uri: id, data: "AA" }), "input[0].content[0]"],
    [{ images: [{ file_id: id, image_url: "https://a.example" }] }, "images[0]"],
  ];
  for (const [body, param] of twice) expect(refusalOf(body)).toEqual(["malformed_request", param]);
});

test("more files than are looked up for one request are refused", () => {
  const naming = (count: number) => ({
    messages: [{ role: "user", content: Array.from({ length: count }, () => inChat) }],
  });
  expect(paramsOf(naming(100)).length).toBe(100);
  const param = "messages[0].content[100].file.file_id";
  expect(refusalOf(naming(101))).toEqual(["invalid_value", param]);
});

test("a place takes files of its kind, and of no other purpose than to be read", () => {
  const refused = (body: object, mediaType: string, purpose = "user_data") => {
    const [place] = findFilePlaces(JSON.stringify(body)) ?? [];
    return place && whyNotTaken(place, { purpose, mediaType })?.code;
  };
  for (const taking of [
    responses({ type: "input_image", file_id: id }),
    chat(inBlock("image")),
    { images: [{ file_id: id }] },
  ]) {
    expect(refused(taking, "image/png", "vision")).toBeUndefined();
    expect(refused(taking, "application/pdf")).toBe("invalid_value");
  }
  expect(refused(chat(inBlock("document")), "image/png")).toBe("invalid_value");
  expect(refused(chat(inBlock("document")), "text/plain")).toBeUndefined();
  expect(refused(chat(inChat), "application/octet-stream")).toBeUndefined();
  expect(refused(chat(inChat), "application/jsonl", "batch")).toBe("invalid_value");
});

test("every other byte of the request stays, and a request without an id is not parsed", () => {
  const raw = `{ "seed":9007199254740993, "messages" :[ {"role":"user","content":[ {"type":"text","text":"\\u0061"},
 {"type":"file","file":{"file_id":"${id}"}} ]}], "temperature": 1.0 }`;
  const places = findFilePlaces(raw) ?? [];
  const object = parseFileId(id);
  if (object === undefined) throw new Error("an id of ours does not parse");
  const part = JSON.stringify({ type: "file", file: pdfData });
  const named = `{"type":"file","file":{"file_id":"${id}"}}`;
  expect(fillFilePlaces(raw, places, new Map([[object, pdf]]))).toBe(raw.replace(named, part));
  expect(findFilePlaces('{"messages":[{"content":"file-1 and [broken"')).toBeUndefined();
});
