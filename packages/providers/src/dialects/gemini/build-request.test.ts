// A chat completions request as sent to Gemini.
import { describe, expect, test } from "bun:test";
import { buildRequest } from "./build-request.ts";
import { geminiCall } from "./sample-response.fixture.ts";

const user = { role: "user", content: "Hello" };
const asked = (body: object = {}, upstreamModel?: string) =>
  JSON.parse(buildRequest(geminiCall(body, upstreamModel)).body);
const png = "data:image/png;base64,iVBORw0KGgo=";
const call = (id: string, more: object = {}) => ({
  id,
  type: "function",
  function: { name: `tool_${id}`, arguments: '{"n":1}' },
  ...more,
});
const signed = (signature: string) => ({
  extra_content: { google: { thought_signature: signature } },
});
const result = (id: string, content: unknown, more: object = {}) => ({
  role: "tool",
  tool_call_id: id,
  content,
  ...more,
});
const turn = (...calls: object[]) => ({ role: "assistant", content: null, tool_calls: calls });

test("whole and streamed answers have different addresses", () => {
  expect(buildRequest(geminiCall())).toMatchObject({
    path: "/models/gemini-3-flash-preview:generateContent",
    accept: "application/json",
  });
  expect(buildRequest(geminiCall({ stream: true }, "tunedModels/mine"))).toMatchObject({
    path: "/tunedModels/mine:streamGenerateContent?alt=sse",
    accept: "text/event-stream",
  });
});

describe("the conversation", () => {
  test("instructions are separate, in their order, and roles are Gemini's", () => {
    const { systemInstruction, contents } = asked({
      messages: [
        { role: "system", content: "Be brief." },
        user,
        { role: "assistant", content: [{ type: "text", text: "Hi" }] },
        { role: "developer", content: "Be kind." },
        { role: "user", name: "Ada", content: "And you?" },
      ],
    });
    expect(systemInstruction).toEqual({ parts: [{ text: "Be brief." }, { text: "Be kind." }] });
    expect(contents).toEqual([
      { role: "user", parts: [{ text: "Hello" }] },
      { role: "model", parts: [{ text: "Hi" }] },
      { role: "user", parts: [{ text: "Ada: And you?" }] },
    ]);
  });

  test("instructions without messages become the question", () => {
    const body = asked({ messages: [{ role: "system", content: "Write a haiku." }] });
    expect(body.contents).toEqual([{ role: "user", parts: [{ text: "Write a haiku." }] }]);
    expect(body.systemInstruction).toBeUndefined();
  });

  test("media are sent as data, or by their address with the media type they were priced as", () => {
    const content = [
      { type: "image_url", image_url: { url: png } },
      { type: "image_url", image_url: "https://x.example/cat.jpeg?size=2" },
      { type: "image_url", image_url: { url: "https://x.example/cat" } },
      { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBE" } },
      { type: "file", file: { file_url: "https://x.example/b.pdf" } },
      { type: "file", file: { file_url: "https://x.example/b" } },
      { type: "file", file: { file_data: "data:audio/mp3;base64,SUQz" } },
      { type: "input_audio", input_audio: { data: "UklG", format: "wav" } },
      { type: "video_url", video_url: { url: "https://x.example/c.mp4" } },
      { type: "text", text: "" },
    ];
    const [{ parts }] = asked({ messages: [{ role: "user", content }] }).contents;
    expect(parts).toEqual([
      { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } },
      { fileData: { mimeType: "image/jpeg", fileUri: "https://x.example/cat.jpeg?size=2" } },
      { fileData: { mimeType: "image/jpeg", fileUri: "https://x.example/cat" } },
      { inlineData: { mimeType: "application/pdf", data: "JVBE" } },
      { fileData: { mimeType: "application/pdf", fileUri: "https://x.example/b.pdf" } },
      { fileData: { mimeType: "application/pdf", fileUri: "https://x.example/b" } },
      { inlineData: { mimeType: "audio/mp3", data: "SUQz" } },
      { inlineData: { mimeType: "audio/wav", data: "UklG" } },
      { fileData: { mimeType: "video/mp4", fileUri: "https://x.example/c.mp4" } },
    ]);
  });

  test("results of parallel calls form one turn, each with the name of its call", () => {
    const { contents } = asked({
      messages: [
        user,
        turn(call("a", signed("sigA")), call("b")),
        result("a", "sunny"),
        result("b", [{ type: "text", text: "no such city" }], { is_error: true }),
        user,
      ],
    });
    expect(contents.slice(1)).toEqual([
      {
        role: "model",
        parts: [
          { functionCall: { id: "a", name: "tool_a", args: { n: 1 } }, thoughtSignature: "sigA" },
          { functionCall: { id: "b", name: "tool_b", args: { n: 1 } } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "a", name: "tool_a", response: { output: "sunny" } } },
          { functionResponse: { id: "b", name: "tool_b", response: { error: "no such city" } } },
          { text: "Hello" },
        ],
      },
    ]);
  });

  test("each round of calls has its own turn of results", () => {
    const { contents } = asked({
      messages: [user, turn(call("a")), result("a", "1"), turn(call("b")), result("b", "2")],
    });
    const names = contents.map(({ role, parts }: { role: string; parts: object[] }) => [
      role,
      ...parts.flatMap((part) => Object.keys(part).filter((key) => key.startsWith("function"))),
    ]);
    expect(names.slice(1)).toEqual([
      ["model", "functionCall"],
      ["user", "functionResponse"],
      ["model", "functionCall"],
      ["user", "functionResponse"],
    ]);
  });

  test("images of a tool are part of its result in Gemini 3, and follow it in earlier models", () => {
    const picture = { type: "image_url", image_url: { url: png } };
    const messages = [user, turn(call("a")), result("a", [{ type: "text", text: "x" }, picture])];
    const inline = { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } };
    const response = { id: "a", name: "tool_a", response: { output: "x" } };
    expect(asked({ messages }).contents[2].parts).toEqual([
      { functionResponse: { ...response, parts: [inline] } },
    ]);
    expect(asked({ messages }, "gemini-2.5-pro").contents[2].parts).toEqual([
      { functionResponse: response },
      inline,
    ]);
  });

  test("a call without its signature is marked for Gemini 3, which refuses it otherwise", () => {
    const messages = [user, turn(call("a"), call("b")), result("a", "1"), result("b", "2")];
    const signatures = (model?: string) =>
      asked({ messages }, model).contents[1].parts.map(
        (part: { thoughtSignature?: string }) => part.thoughtSignature,
      );
    expect(signatures()).toEqual(["skip_thought_signature_validator", undefined]);
    expect(signatures("gemini-2.5-flash")).toEqual([undefined, undefined]);
  });

  test("signatures of thoughts and texts are sent back; another provider's reasoning is not", () => {
    const details = [
      { type: "reasoning.text", text: "Hm.", signature: "gemini:dGhvdWdodA==", index: 0 },
      { type: "reasoning.text", text: "Foreign.", signature: "EqQBCkYIAxgCKkA", index: 1 },
      { type: "reasoning.encrypted", data: "gemini:dGV4dA==", index: 2 },
      { type: "reasoning.encrypted", data: "redacted-elsewhere", index: 3 },
    ];
    const messages = [user, { role: "assistant", content: "Hi", reasoning_details: details }, user];
    expect(asked({ messages }).contents[1].parts).toEqual([
      { text: "Hm.", thought: true, thoughtSignature: "dGhvdWdodA==" },
      { text: "Hi", thoughtSignature: "dGV4dA==" },
    ]);
  });
});

describe("tools", () => {
  const schema = { type: "object", properties: { city: { $ref: "#/$defs/c" } }, $defs: { c: {} } };
  const weather = {
    type: "function",
    function: { name: "weather", description: "d", parameters: schema },
  };
  const patch = { type: "custom", custom: { name: "patch", description: "p" } };

  test("are declared with their full schema; a custom tool takes one text", () => {
    const [{ functionDeclarations }] = asked({ tools: [weather, patch] }).tools;
    expect(functionDeclarations[0]).toEqual({
      name: "weather",
      description: "d",
      parametersJsonSchema: schema,
    });
    expect(functionDeclarations[1].parametersJsonSchema.required).toEqual(["input"]);
  });

  const strict = { type: "function", function: { ...weather.function, strict: true } };
  const named = (name: string) => ({ type: "function", function: { name } });
  test.each<[string, object, unknown]>([
    ["nothing", {}, undefined],
    ["auto", { tool_choice: "auto" }, { mode: "AUTO" }],
    ["strict", { tools: [strict] }, { mode: "VALIDATED" }],
    ["none", { tool_choice: "none" }, { mode: "NONE" }],
    ["required", { tool_choice: "required" }, { mode: "ANY" }],
    [
      "a name",
      { tool_choice: named("weather") },
      { mode: "ANY", allowedFunctionNames: ["weather"] },
    ],
    [
      "a custom tool",
      { tool_choice: { type: "custom", custom: { name: "patch" } } },
      { mode: "ANY", allowedFunctionNames: ["patch"] },
    ],
    [
      "some, if any",
      {
        tool_choice: {
          type: "allowed_tools",
          allowed_tools: { mode: "auto", tools: [named("weather")] },
        },
      },
      { mode: "VALIDATED", allowedFunctionNames: ["weather"] },
    ],
    [
      "one of some",
      {
        tool_choice: {
          type: "allowed_tools",
          allowed_tools: { mode: "required", tools: [named("weather")] },
        },
      },
      { mode: "ANY", allowedFunctionNames: ["weather"] },
    ],
  ])("choosing %s", (_, body, config) => {
    const { toolConfig } = asked({ tools: [weather, patch], ...body });
    expect(toolConfig?.functionCallingConfig).toEqual(config as never);
  });
});
