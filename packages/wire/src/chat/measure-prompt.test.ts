import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseChatRequest } from "./parse-chat-request.ts";

const parse = (fields: object) => parseChatRequest(JSON.stringify({ model: "m", ...fields }));
const call = { name: "f", arguments: "{}" };
const bytes = (text: string) => Buffer.byteLength(text);

const text = fc.string({ unit: "grapheme", maxLength: 200 });

test("the bound covers every text of a request, wherever it is", () => {
  const request = fc.record({ content: text, name: text, args: text, result: text, extra: text });
  fc.assert(
    fc.property(request, ({ content, name, args, result, extra }) => {
      const call = { id: "1", type: "function", function: { name, arguments: args } };
      const messages = [
        { role: "user", content: [{ type: "text", text: content }], name },
        { role: "assistant", tool_calls: [call], reasoning_content: extra },
        { role: "tool", tool_call_id: "1", content: result },
      ];
      const tool = { name: "f", description: extra, parameters: { enum: [extra] } };
      const chat = parse({
        messages,
        tools: [{ type: "function", function: tool }],
        documents: [extra],
      });
      const said = [content, name, args, name, result, extra, extra, extra, extra];
      expect(chat.textBytes).toBeGreaterThanOrEqual(said.reduce((sum, one) => sum + bytes(one), 0));
      for (const one of [content, name, args, result, extra]) {
        expect(chat.promptText()).toContain(one);
      }
    }),
  );
});

test("definitions count twice, because upstreams render them again", () => {
  const messages = [{ role: "user", content: "a" }];
  const tools = [{ type: "function", function: { name: "f", description: "é".repeat(100) } }];
  const added = parse({ messages, tools }).textBytes - parse({ messages }).textBytes;
  expect(added).toBe(2 * bytes(JSON.stringify(tools)) + bytes(',"tools":'));
});

test("inline images are counted as images, not as text", () => {
  const image = (payload: string) => {
    const url = `data:image/png;base64,${payload}`;
    const chat = parse({
      messages: [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }],
    });
    return [chat.imageCount, chat.textBytes, chat.promptText().length];
  };
  expect(image("A".repeat(1_000_000))).toEqual(image("A".repeat(50)));
  expect(image("")[0]).toBe(1);
});

test("only an inline image is excluded from the count", () => {
  const long = "word ".repeat(1_000);
  const parts = [
    { type: "text", text: `data:image/png;base64,${long}` },
    { type: "image_url", image_url: { url: `https://example.com/${long}` } },
    { type: "image_url", image_url: { url: `data:image/png,${long}` } },
    { type: "input_audio", input_audio: { data: long, format: "wav" } },
  ];
  for (const part of parts) {
    const chat = parse({ messages: [{ role: "user", content: [part] }] });
    expect(chat.textBytes).toBeGreaterThan(long.length);
    expect(chat.promptText().length).toBeGreaterThanOrEqual(long.length);
  }
});

test("a file is counted in bytes, but its payload is not given to the tokenizer", () => {
  const file_data = `data:application/pdf;base64,${"A".repeat(1_000_000)}`;
  const part = { type: "file", file: { filename: "a.pdf", file_data } };
  const chat = parse({
    messages: [{ role: "user", content: [part, { type: "text", text: "Why?" }] }],
  });
  expect(chat.textBytes).toBeGreaterThan(1_000_000);
  expect(chat.promptText().length).toBeLessThan(200);
  expect(chat.promptText()).toContain("Why?");
});

test("the first image is named by its path", () => {
  const image = { type: "image_url", image_url: { url: "https://example.com/a.png" } };
  const text = { type: "text", text: "a" };
  const said = { role: "user", content: "b" };
  const messages = [said, { role: "user", content: [text, image, image] }];
  expect(parse({ messages }).firstImage).toBe("messages[1].content[1]");
  expect(parse({ messages: [said] }).firstImage).toBeUndefined();
});

test("files are counted separately, because their text has no bound", () => {
  const file = { type: "file", file: { file_id: "x" } };
  expect(parse({ messages: [{ role: "user", content: [file, file] }] }).fileCount).toBe(2);
});

test("an audio file has unknown length, however its type is given", () => {
  const audioFiles = [
    { file_data: "data:audio/mp3;base64,SUQz" },
    { file_data: " DATA:Audio/X-Wav;base64,UklG", filename: "a.pdf" },
    { file_url: "https://x.example/a.MP3?size=2" },
    { file_data: "https://x.example/download?name=a.ogg" },
    { filename: "a.flac", file_data: "ZkxhQw==" },
    { filename: "a.m4a", file_data: "data:application/octet-stream;base64,AAAA" },
  ];
  for (const file of audioFiles) {
    const content = [{ type: "file", file }];
    for (const messages of [
      [{ role: "user", content }],
      [
        { role: "assistant", tool_calls: [{ id: "1", type: "function", function: call }] },
        { role: "tool", tool_call_id: "1", content },
      ],
    ]) {
      const { fileCount, extras, priceChanging } = parse({ messages });
      expect(priceChanging).toEqual([{ kind: "field", name: "input_audio" }]);
      expect([fileCount, extras?.audioSeconds]).toEqual([1, Number.POSITIVE_INFINITY]);
    }
  }
  const pdf = { filename: "a.mp3", file_data: "data:application/pdf;base64,AAAA" };
  const messages = [{ role: "user", content: [{ type: "file", file: pdf }] }];
  expect(parse({ messages }).priceChanging).toEqual([]);
});

test("the text for the tokenizer contains the messages but not the labels", () => {
  const chat = parse({
    temperature: 0.5,
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: [{ type: "text", text: "Why?" }] },
    ],
  });
  expect(chat.promptText()).toBe("Be brief.\nWhy?");
});
