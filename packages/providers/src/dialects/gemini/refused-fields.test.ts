// What is refused because Gemini does not support it, and what is dropped because it changes nothing.
import { describe, expect, test } from "bun:test";
import { messagesLanguage, responsesLanguage } from "@turnpike/wire";
import { whyUntranslatable } from "../../why-untranslatable.ts";
import { buildRequest } from "./build-request.ts";
import { geminiCall } from "./sample-response.fixture.ts";

const user = { role: "user", content: "Hello" };
const refusedParam = (body: object) => {
  const { provider, request } = geminiCall(body);
  const fault = whyUntranslatable({ provider, upstreamModel: "model-1" }, request);
  if (fault !== undefined) expect(fault.code).toBe("unsupported_parameter");
  return fault?.details.param;
};

const turn = (...calls: object[]) => ({ role: "assistant", content: null, tool_calls: calls });
const result = (id: string, content: unknown) => ({ role: "tool", tool_call_id: id, content });

describe("what Gemini does not support is refused by name", () => {
  const inUser = (part: object) => ({ messages: [{ role: "user", content: [part] }] });
  test.each<[string, object]>([
    ["logit_bias", { logit_bias: { 1: 5 } }],
    ["some_new_field", { some_new_field: 1 }],
    [
      "functions",
      { functions: [{ name: "f" }], tools: [{ type: "function", function: { name: "g" } }] },
    ],
    ["prediction", { prediction: { type: "content", content: "x" } }],
    ["audio", { modalities: ["text"], audio: { voice: "alloy", format: "mp3" } }],
    ["moderation", { moderation: { model: "m" } }],
    ["reasoning_effort", { reasoning_effort: "heroic" }],
    ["reasoning.effort", { reasoning: { effort: "heroic" } }],
    ["messages[1].audio", { messages: [user, { role: "assistant", audio: { id: "audio_1" } }] }],
    [
      "messages[1].tool_calls[0].function.arguments",
      {
        messages: [
          user,
          turn({ id: "a", type: "function", function: { name: "f", arguments: "{broken" } }),
          result("a", "x"),
        ],
      },
    ],
    ["messages[1].tool_call_id", { messages: [user, result("lost", "x")] }],
    ["messages[0].content[0].file.file_id", inUser({ type: "file", file: { file_id: "file-1" } })],
    [
      "messages[0].content[0].image_url",
      inUser({ type: "image_url", image_url: { url: "cat.png" } }),
    ],
    [
      "messages[0].content[0].image_url",
      inUser({ type: "image_url", image_url: { url: "data:image/png,%89PNG" } }),
    ],
    ...[
      "https://x.example/a.mp4",
      "https://x.example/a.mp3?x=1",
      "https://x.example/a.pdf",
      "https://x.example/get?name=a.webm",
      "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
      "https://youtu.be./dQw4w9WgXcQ",
      "https://generativelanguage.googleapis.com/v1beta/files/abc",
    ].map((url): [string, object] => [
      "messages[0].content[0].image_url",
      inUser({ type: "image_url", image_url: { url } }),
    ]),
    ...[
      "https://generativelanguage.googleapis.com/v1beta/files/abc",
      "data:application/octet-stream;base64,AAAA",
      "data:application/zip;base64,UEsD",
      "https://x.example/a.docx",
    ].map((url): [string, object] => [
      "messages[0].content[0].file",
      inUser({ type: "file", file: { file_data: url } }),
    ]),
  ])("%s of %j", (param, body) => {
    expect(refusedParam(body)).toBe(param);
  });

  test("but not what asks for nothing, is for the gateway, or is published as harmless", () => {
    const harmless = {
      user: "u",
      safety_identifier: "s",
      metadata: { a: "b" },
      store: false,
      prompt_cache_key: "k",
      service_tier: "auto",
      verbosity: "low",
      logit_bias: {},
      modalities: ["text"],
      parallel_tool_calls: false,
      seed: null,
      provider: { order: ["google"] },
      usage: { include: true },
      tools: [],
    };
    expect(refusedParam(harmless)).toBeUndefined();
    expect(JSON.parse(buildRequest(geminiCall(harmless)).body)).toEqual({
      contents: [{ role: "user", parts: [{ text: "Hello" }] }],
    });
  });
});

test.each([messagesLanguage, responsesLanguage])(
  "a ban on parallel calls from callers of %s is dropped, and documented",
  async (language) => {
    const tools = [{ type: "function", function: { name: "f" } }];
    const call = geminiCall({ tools, parallel_tool_calls: false });
    const request = { ...call.request, language };
    expect(whyUntranslatable(call, request)).toBeUndefined();
    const { tools: sent } = JSON.parse(buildRequest({ ...call, request }).body);
    expect(sent).toEqual([{ functionDeclarations: [{ name: "f" }] }]);
    const page = await Bun.file(`${import.meta.dir}/../../../../../docs/dialects.md`).text();
    expect(page).toContain("`disable_parallel_tool_use` of `/v1/messages` are ignored");
  },
);

test("more stop sequences than can be looked for are refused by the caller's own name for them", () => {
  const { provider, request } = geminiCall();
  const why = (count: number, chars = 3) => {
    const stop = Array.from({ length: count }, (_, index) => `${index}`.padStart(chars, "s"));
    const asked = { ...request, parsed: { ...request.parsed, stop }, language: messagesLanguage };
    return whyUntranslatable({ provider, upstreamModel: "model-1" }, asked)?.details.param;
  };
  expect([why(5, 300), why(69)]).toEqual([undefined, undefined]);
  expect([why(6, 257), why(70)]).toEqual(["stop_sequences", "stop_sequences"]);
});
