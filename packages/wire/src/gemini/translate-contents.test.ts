// The messages that a conversation of Gemini's API becomes, and what of one is refused.
import { expect, test } from "bun:test";
import { isObject } from "@turnpike/base";
import { parseGeminiRequest } from "./parse-gemini-request.ts";
import { hello, parse, refusalOf, target } from "./sample-request.fixture.ts";
import { sealSignature } from "./thought-signature.ts";

const messagesOf = (...contents: object[]) => parse({ contents }).parsed.messages;
const call = (name: string, more: object = {}) => ({ functionCall: { name, args: {}, ...more } });
const result = (name: string, response: object, more: object = {}) => ({
  functionResponse: { name, response, ...more },
});

test("a value in place of a list of one, and either spelling of a name", () => {
  const contents = { role: "user", parts: { text: "Hello" } };
  const snake = { system_instruction: { parts: { text: "Be brief." } }, contents };
  expect(parse(snake).parsed.messages).toEqual([
    { role: "system", content: "Be brief." },
    { role: "user", content: "Hello" },
  ]);
});

test("pieces of a streamed answer are one message with one text", () => {
  const pieces = ["a", "b", "c"].map((text) => ({ role: "model", parts: [{ text }] }));
  expect(messagesOf(hello, ...pieces, hello)).toMatchObject([
    {},
    { role: "assistant", content: "abc" },
    {},
  ]);
});

test("calls without ids are matched by name and order", () => {
  const messages = messagesOf(
    hello,
    { role: "model", parts: [call("f"), call("g"), call("f", { args: { n: 1 } })] },
    {
      role: "function",
      parts: [result("g", { x: 1 }), result("f", { output: "1" }), result("f", { error: "2" })],
    },
  );
  expect(messages).toMatchObject([
    {},
    { tool_calls: [{ id: "call_1" }, { id: "call_2" }, { id: "call_3" }] },
    { role: "tool", tool_call_id: "call_2", content: '{"x":1}' },
    { role: "tool", tool_call_id: "call_1", content: "1" },
    { role: "tool", tool_call_id: "call_3", content: "2", is_error: true },
  ]);
});

test.each<[string, object[], string]>([
  [
    "a call without a result",
    [hello, { role: "model", parts: [call("f")] }, hello],
    "contents[1].parts[0].functionCall",
  ],
  [
    "a result without a call",
    [{ parts: [result("f", {})] }],
    "contents[0].parts[0].functionResponse",
  ],
  [
    "a result of another call",
    [{ role: "model", parts: [call("f")] }, { parts: [result("g", {})] }],
    "contents[1].parts[0].functionResponse",
  ],
  [
    "two contents in one part",
    [{ parts: [{ text: "a", functionCall: { name: "f" } }] }],
    "contents[0].parts[0]",
  ],
  [
    "a private address",
    [{ parts: [{ fileData: { fileUri: "http://10.0.0.1/a.png" } }] }],
    "contents[0].parts[0].fileData.fileUri",
  ],
  [
    "a file of Google's",
    [
      {
        parts: [
          { fileData: { fileUri: "https://generativelanguage.googleapis.com/v1beta/files/a" } },
        ],
      },
    ],
    "contents[0].parts[0].fileData.fileUri",
  ],
  ["an unknown role", [{ role: "assistant", parts: [] }], "contents[0].role"],
])("%s is refused", (_, contents, param) => {
  expect(refusalOf({ contents })[1]).toBe(param);
});

test("media by their types, in either alphabet of base64", () => {
  const inline = (mimeType: string, data = "AB-_") => ({ inlineData: { mimeType, data } });
  const parts = [
    inline("image/png"),
    inline("audio/mpeg"),
    inline("audio/flac"),
    inline("application/pdf"),
    inline("text/plain", Buffer.from("words").toString("base64")),
    { fileData: { fileUri: "https://x.example/a", mimeType: "image/webp" } },
    { file_data: { file_uri: "https://x.example/b.pdf" } },
  ];
  const [message] = [messagesOf({ parts })].flat();
  expect(isObject(message) && message.content).toEqual([
    { type: "image_url", image_url: { url: "data:image/png;base64,AB+/" } },
    { type: "input_audio", input_audio: { data: "AB+/", format: "mp3" } },
    { type: "file", file: { file_data: "data:audio/flac;base64,AB+/" } },
    {
      type: "file",
      file: { filename: "document.pdf", file_data: "data:application/pdf;base64,AB+/" },
    },
    { type: "text", text: "words" },
    { type: "image_url", image_url: { url: "https://x.example/a" } },
    { type: "file", file: { filename: "document.pdf", file_url: "https://x.example/b.pdf" } },
  ]);
});

test("signatures: Gemini's are marked, ours are opened, in either alphabet, and placeholders say nothing", () => {
  const detail = { type: "reasoning.text", signature: "claude??>>", format: "anthropic" };
  const sealed = sealSignature({ details: [detail], callExtras: new Map() });
  const inCall = sealSignature({ details: [], callExtras: new Map([["x", { own: 1 }]]) });
  const parts = [
    { text: "Hm.", thought: true, thoughtSignature: "Z2Vt" },
    { text: "So", thought: true },
    {
      text: ".",
      thought: true,
      thoughtSignature: sealed.replaceAll("+", "-").replaceAll("/", "_"),
    },
    { text: "Hi", thoughtSignature: "dGV4dA==" },
    { ...call("f"), thoughtSignature: "Y2FsbA==" },
    { ...call("g"), thoughtSignature: inCall },
    { ...call("h"), thoughtSignature: "skip_thought_signature_validator" },
  ];
  const results = ["f", "g", "h"].map((name) => result(name, { output: "" }));
  const [, message] = [messagesOf(hello, { role: "model", parts }, { parts: results })].flat();
  expect(message).toEqual({
    role: "assistant",
    content: "Hi",
    reasoning_details: [
      { type: "reasoning.text", text: "Hm.", signature: "gemini:Z2Vt", index: 0 },
      { text: "So.", ...detail, index: 1 },
      { type: "reasoning.encrypted", data: "gemini:dGV4dA==", index: 2 },
    ],
    tool_calls: [
      {
        extra_content: { google: { thought_signature: "Y2FsbA==" } },
        id: "call_1",
        type: "function",
        function: { name: "f", arguments: "{}" },
      },
      { own: 1, id: "call_2", type: "function", function: { name: "g", arguments: "{}" } },
      { id: "call_3", type: "function", function: { name: "h", arguments: "{}" } },
    ],
  });
});

test("numbers in arguments keep their digits", () => {
  const raw = `{"contents":[{"role":"model","parts":[{"functionCall":{"name":"f","args":{"snake_name":12345678901234567890}}}]},
    {"parts":[{"functionResponse":{"name":"f","response":{}}}]}]}`;
  const sent = JSON.stringify(parseGeminiRequest(raw, target).parsed);
  expect(sent).toContain(String.raw`{\"snake_name\":12345678901234567890}`);
});
