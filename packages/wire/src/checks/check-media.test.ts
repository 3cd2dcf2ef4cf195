// Media that would be read as another kind than they are priced as, or with rights the caller lacks.
import { describe, expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { parseChatRequest } from "../chat/parse-chat-request.ts";
import { parseMessagesRequest } from "../messages/parse-messages-request.ts";
import { parseResponsesRequest } from "../responses/parse-responses-request.ts";

function refusal(parse: () => unknown) {
  try {
    parse();
  } catch (error) {
    if (error instanceof Fault) return { code: error.code, param: error.details.param };
    throw error;
  }
  return undefined;
}

type Part = Readonly<Record<string, unknown>>;
const headers = new Headers();

const chat = (part: Part) =>
  refusal(() =>
    parseChatRequest(JSON.stringify({ model: "m", messages: [{ role: "user", content: [part] }] })),
  );
const responses = (part: Part) =>
  refusal(() =>
    parseResponsesRequest(
      JSON.stringify({ model: "m", input: [{ role: "user", content: [part] }] }),
      headers,
    ),
  );
const messages = (block: Part) =>
  refusal(() => {
    const body = {
      model: "m",
      max_tokens: 9,
      messages: [
        {
          role: "assistant",
          content: [{ type: "tool_use", id: "t", name: "f", input: {} }],
        },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "t", content: [block] }, block],
        },
      ],
    };
    return parseMessagesRequest(JSON.stringify(body), headers);
  });

const notImages = [
  "data:video/mp4;base64,AAAA",
  "data:audio/mp3;base64,AAAA",
  "data:application/pdf;base64,JVBE",
  "data:,text",
  "DATA:Video/MP4;base64,AAAA",
  " da\tta:video/mp4;base64,AAAA",
];
const foreign = [
  "gs://bucket/private.png",
  "GS://bucket/private.png",
  "\n g\ts://bucket/private.png",
  "s3://bucket/private.png",
  "file:///etc/passwd",
  "http://169.254.169.254/latest/meta-data",
  "https://10.0.0.7/private.png",
  "http://localhost:8000/private.png",
  "http://2130706433/private.png",
  "http://0x7f.1/private.png",
  "http://[::1]/private.png",
  "http://[::ffff:10.0.0.7]/private.png",
  "http://[::7f00:1]/private.png",
  "http://metadata.google.internal/private.png",
  "//169.254.169.254/latest/meta-data",
  "//2130706433/private",
  "//localhost/private",
  "//user@ollama:8000/private",
  "\n /\t/[::1]/private.png",
  "\\\\127.0.0.1\\private.png",
  "HTTP:\\\\127.0.0.1\\private.png",
  "\n ht\ttp://127.0.0.1/private.png",
  "http://168.63.129.16/private.png",
  "http://ollama.:8000/private.png",
  // Hosts that other URL parsers find elsewhere, or not at all.
  "http://public.example\\@127.0.0.1/private.png",
  "//public.example\\@127.0.0.1/private.png",
  "http://public.example@127.0.0.1@public.example/private.png",
  "http://127.0.0.1:80:80/private.png",
  "http://[fe80::1%25eth0]/private.png",
  `//public.${"x".repeat(600)}@127.0.0.1/private.png`,
  `http://public.${"\t".repeat(600)}example\\@127.0.0.1/private.png`,
];
const videos = [
  "data:video/mp4;base64,AAAA",
  "data:application/mp4;base64,AAAA",
  "https://x.example/a.MP4?x=1",
  "https://x.example/get?name=a.webm",
  "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
  "https://youtu.be/dQw4w9WgXcQ",
];

describe("an image of another media type, or an address that only the operator can read, is refused by name", () => {
  test.each([...notImages, ...foreign])("%j as an image", (url) => {
    const refused = { code: "invalid_value" as const };
    const place = "messages[0].content[0].image_url";
    expect(chat({ type: "image_url", image_url: { url } })).toEqual({
      ...refused,
      param: `${place}.url`,
    });
    expect(chat({ type: "image_url", image_url: url })).toEqual({ ...refused, param: place });
    expect(responses({ type: "input_image", image_url: url })).toEqual({
      ...refused,
      param: "input[0].content[0].image_url",
    });
    expect(messages({ type: "image", source: { type: "url", url } })).toEqual({
      ...refused,
      param: "messages[1].content[0].content[0].source.url",
    });
  });

  test.each(["video/mp4", "audio/mp3", "", " Video/mp4", "application/pdf"])(
    "the media type %j of an image of /v1/messages",
    (media_type) => {
      expect(
        messages({ type: "image", source: { type: "base64", media_type, data: "AA" } }),
      ).toEqual({
        code: "invalid_value",
        param: "messages[1].content[0].content[0].source.media_type",
      });
    },
  );

  test.each(foreign)("%j as a file or a video", (url) => {
    const refused = { code: "invalid_value" as const };
    const place = "messages[0].content[0]";
    for (const name of ["file_data", "file_url"]) {
      expect(chat({ type: "file", file: { [name]: url } })).toEqual({
        ...refused,
        param: `${place}.file.${name}`,
      });
      expect(responses({ type: "input_file", [name]: url })).toEqual({
        ...refused,
        param: `input[0].content[0].${name}`,
      });
    }
    expect(chat({ type: "video_url", video_url: { url } })).toEqual({
      ...refused,
      param: `${place}.video_url.url`,
    });
    expect(messages({ type: "document", source: { type: "url", url } })).toEqual({
      ...refused,
      param: "messages[1].content[0].content[0].source.url",
    });
  });
});

describe("media of /v1/messages are checked where Anthropic takes nothing but texts, too", () => {
  const file = { type: "document", source: { type: "url", url: "file:///etc/passwd" } };
  const result = { type: "search_result", source: "a", title: "b", content: [file] };
  const inDocument = { type: "document", source: { type: "content", content: [file] } };
  const user = { role: "user", content: "Hi" };
  const first = "messages[0].content[0]";
  test.each<[string, Part, string]>([
    ["instructions", { system: [file], messages: [user] }, "system[0].source.url"],
    [
      "instructions in between",
      { messages: [user, { role: "system", content: [file] }, user] },
      "messages[1].content[0].source.url",
    ],
    [
      "a result of a search",
      { messages: [{ role: "user", content: [result] }] },
      `${first}.content[0].source.url`,
    ],
    [
      "a document",
      { messages: [{ role: "user", content: [inDocument] }] },
      `${first}.source.content[0].source.url`,
    ],
    [
      "a result of a search in a document",
      {
        messages: [
          {
            role: "user",
            content: [{ type: "document", source: { type: "content", content: [result] } }],
          },
        ],
      },
      `${first}.source.content[0].content[0].source.url`,
    ],
  ])("in %s", (_, body, param) => {
    const sent = JSON.stringify({ model: "m", max_tokens: 9, ...body });
    expect(refusal(() => parseMessagesRequest(sent, headers))).toEqual({
      code: "invalid_value",
      param,
    });
  });
});

test("a part that names its media is refused: vLLM would read it as another, or as those of somebody else", () => {
  const image_url = "https://x.example/a.png";
  const code = "unsupported_parameter";
  for (const part of [
    { type: "text", text: "a", image_url },
    { type: "image_url", image_url },
  ]) {
    expect(chat({ ...part, uuid: "u" })).toEqual({ code, param: "messages[0].content[0].uuid" });
    expect(chat({ ...part, uuid: null })).toBeUndefined();
  }
  const named = { url: image_url, content_hash: "h" };
  const place = "messages[0].content[0].image_url.content_hash";
  expect(chat({ type: "image_url", image_url: named })).toEqual({ code, param: place });
  const part = { type: "input_text", text: "a", image_url, uuid: "u" };
  expect(responses(part)).toEqual({ code, param: "input[0].content[0].uuid" });
});

describe("a video as a file is refused by name, because it has no price", () => {
  const code = "unsupported_parameter";
  test.each(videos)("%j", (url) => {
    for (const name of ["file_data", "file_url"]) {
      expect(chat({ type: "file", file: { filename: "a.pdf", [name]: url } })).toEqual({
        code,
        param: "messages[0].content[0].file",
      });
      expect(responses({ type: "input_file", filename: "a.pdf", [name]: url })).toEqual({
        code,
        param: "input[0].content[0]",
      });
    }
  });

  test("named by its file name, its media type or its address in any protocol", () => {
    const param = "messages[1].content[0].content[0].source";
    for (const [source, title] of [
      [{ type: "base64", media_type: "video/mp4", data: "AA" }, undefined],
      [{ type: "base64", media_type: "application/octet-stream", data: "AA" }, "a.mp4"],
      [{ type: "url", url: "https://youtu.be/dQw4w9WgXcQ" }, "a.pdf"],
    ]) {
      expect(messages({ type: "document", source, title })).toEqual({ code, param });
    }
    expect(chat({ type: "file", file: { filename: "a.mov", file_data: "AAAA" } })).toEqual({
      code,
      param: "messages[0].content[0].file",
    });
  });
});

test("images and documents of every protocol are accepted as before", () => {
  for (const url of [
    "https://user:word@x.example:8443/a@b\\c.png",
    `https://x.example?${"@".repeat(600)}`,
    " https://x.example ",
    "data:image/png;base64,AAAA",
    "https://x.example/a",
    "AAAA",
    "HTTP://x.example/a",
  ]) {
    expect(chat({ type: "image_url", image_url: { url } })).toBeUndefined();
    expect(responses({ type: "input_image", image_url: url })).toBeUndefined();
    expect(messages({ type: "image", source: { type: "url", url } })).toBeUndefined();
  }
  for (const file_data of [
    "data:application/pdf;base64,JVBE",
    "JVBE",
    "https://x.example/a.pdf",
    "//x.example/a.pdf",
    "//4/AGEA",
    `//uQxAAA/${"Jm9+".repeat(1_000)}=`,
  ]) {
    expect(chat({ type: "file", file: { filename: "a.pdf", file_data } })).toBeUndefined();
    expect(responses({ type: "input_file", file_data })).toBeUndefined();
  }
  const source = { type: "base64", media_type: "application/pdf", data: "AA" };
  expect(messages({ type: "document", source, title: "About a.mp4" })).toBeUndefined();
});

test("audio in a document of /v1/messages or a file of /v1/responses is priced as audio", () => {
  const source = { type: "base64", media_type: "audio/mp3", data: "SUQz" };
  const asked = parseMessagesRequest(
    JSON.stringify({
      model: "m",
      max_tokens: 9,
      messages: [{ role: "user", content: [{ type: "document", source }] }],
    }),
    headers,
  );
  const part = { type: "input_file", file_url: "https://x.example/a.wav" };
  const input = [{ role: "user", content: [part] }];
  const answered = parseResponsesRequest(JSON.stringify({ model: "m", input }), headers);
  for (const { priceChanging, extras } of [asked, answered]) {
    expect(priceChanging).toEqual([{ kind: "field", name: "input_audio" }]);
    expect(extras?.audioSeconds).toBe(Number.POSITIVE_INFINITY);
  }
});
