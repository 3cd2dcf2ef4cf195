// Tools whose names a provider refuses are renamed wherever a request has them, and the caller sees only its own names.
import { describe, expect, test } from "bun:test";
import {
  type DeltaEvent,
  messagesProtocol,
  parseChatRequest,
  responsesProtocol,
} from "@turnpike/wire";
import type { StreamEvent, UpstreamCall } from "../provider.ts";
import { chatCall, ownCall } from "./anthropic/sample-messages-call.fixture.ts";
import { dialectOf } from "./dialect-of.ts";
import { geminiCall } from "./gemini/sample-response.fixture.ts";
import { sampleCall } from "./openai/sample-call.fixture.ts";
import { ToolNames } from "./tool-names.ts";

const own = "1c_reload";
const tool = {
  type: "function",
  function: { name: own, parameters: { type: "object", properties: {} } },
};
const called = { id: "c1", type: "function", function: { name: own, arguments: "{}" } };
const body = {
  stream: true,
  tools: [tool],
  tool_choice: { type: "function", function: { name: own } },
  messages: [
    { role: "user", content: "Go." },
    { role: "assistant", content: null, tool_calls: [called] },
    { role: "tool", tool_call_id: "c1", content: "ok" },
  ],
};

/** Of deltas, and of chunks in the caller's own language. */
function namesSaid(events: readonly StreamEvent[]): unknown[] {
  return events.flatMap((event) => {
    if (event.kind === "deltas") return event.deltas.flatMap(nameOf);
    if (event.kind !== "chunk") return [];
    const { choices } = JSON.parse(event.json);
    const calls = choices[0]?.delta.tool_calls ?? [];
    return calls.flatMap((one: { function: { name?: string } }) => one.function.name ?? []);
  });
}

function nameOf(delta: DeltaEvent): string[] {
  return delta.kind === "tool_call" && delta.name !== undefined ? [delta.name] : [];
}

function streamed(call: UpstreamCall, text: string): unknown[] {
  const options = { maxEventBytes: 65_536, headers: new Headers() };
  const reader = dialectOf(call).openStream?.(call, options);
  return namesSaid([
    ...(reader?.push(new TextEncoder().encode(text)) ?? []),
    ...(reader?.end() ?? []),
  ]);
}

describe("at Gemini", () => {
  const call = geminiCall(body);
  const part = { functionCall: { name: "_1c_reload", args: {} } };
  const answer = {
    candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP" }],
  };

  test("declarations, the choice, calls and results have one name", () => {
    const sent = JSON.parse(dialectOf(call).buildRequest(call).body);
    expect(sent.tools[0].functionDeclarations[0].name).toBe("_1c_reload");
    expect(sent.toolConfig.functionCallingConfig.allowedFunctionNames).toEqual(["_1c_reload"]);
    expect(sent.contents[1].parts[0].functionCall.name).toBe("_1c_reload");
    expect(sent.contents[2].parts[0].functionResponse.name).toBe("_1c_reload");
  });

  test("an answer has the caller's own, streamed and whole", () => {
    expect(streamed(call, `data: ${JSON.stringify(answer)}\n\n`)).toEqual([own]);
    const whole = dialectOf(call).parseWhole(call, JSON.stringify(answer), new Headers());
    if (whole.content.kind !== "deltas") throw new Error("deltas were expected");
    expect(whole.content.deltas.flatMap(nameOf)).toEqual([own]);
  });
});

describe("at Kimi", () => {
  const call = sampleCall({ like: "moonshot", body });
  const messages = messagesProtocol.parse(
    JSON.stringify({
      model: "m",
      max_tokens: 9,
      stream: true,
      messages: [{ role: "user", content: "Go." }],
      tools: [{ name: own, input_schema: { type: "object" } }],
    }),
    new Headers(),
  );
  const delta = {
    tool_calls: [
      { index: 0, id: "c2", type: "function", function: { name: "t_1c_reload", arguments: "{}" } },
    ],
  };
  const chunk = (choice: object) =>
    `data: ${JSON.stringify({ id: "x", choices: [{ index: 0, ...choice }] })}\n\n`;
  const stream = chunk({ delta }) + chunk({ delta: {}, finish_reason: "tool_calls" });

  test("a caller of chat completions and one of messages see their own name", () => {
    const sent = dialectOf(call).buildRequest(call).body;
    expect(sent).not.toContain(`"${own}"`);
    expect(sent.split('"t_1c_reload"')).toHaveLength(4);
    expect(streamed(call, stream)).toEqual([own]);
    expect(streamed({ ...call, request: messages }, stream)).toEqual([own]);
    const { tool_calls } = delta;
    const message = { role: "assistant", content: null, tool_calls };
    const answer = { id: "x", choices: [{ index: 0, message, finish_reason: "tool_calls" }] };
    const whole = dialectOf(call).parseWhole(call, JSON.stringify(answer), new Headers());
    expect(JSON.stringify(whole.content)).toContain(`"name":"${own}"`);
  });

  test("a name that is accepted is not touched", () => {
    const plain = sampleCall({
      like: "moonshot",
      body: { tools: [{ type: "function", function: { name: "f" } }] },
    });
    expect(dialectOf(plain).buildRequest(plain).body).toContain('"name":"f"');
  });
});

test("at Claude a custom tool with foreign characters is called by its own name", () => {
  const tools = [{ type: "custom", custom: { name: "apply patch!" } }];
  const call = { ...chatCall({ tools, stream: true }) };
  const sent = JSON.parse(dialectOf(call).buildRequest(call).body);
  expect(sent.tools[0].name).toBe("apply_patch_");
  const block = { type: "tool_use", id: "t", name: "apply_patch_", input: { input: "x" } };
  const answer = { type: "message", role: "assistant", content: [block], stop_reason: "tool_use" };
  const whole = dialectOf(call).parseWhole(call, JSON.stringify(answer), new Headers());
  expect(JSON.stringify(whole.content)).toContain('"name":"apply patch!"');
  expect(JSON.stringify(whole.content)).toContain('"isCustom":true');
});

test("two tools never share a name, and one that is accepted keeps its own", () => {
  const given = ["a.b", "a b", "a_b", "x".repeat(90), `${"x".repeat(89)}y`];
  const names = new ToolNames(given, "letters_digits");
  const sent = given.map((name) => String(names.sent(name)));
  expect(new Set(sent).size).toBe(given.length);
  expect(sent[2]).toBe("a_b");
  for (const name of sent) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  expect(sent.map((name) => names.own(name))).toEqual(given);
});

test("a history that names a tool which is no longer offered is renamed alike", () => {
  const request = parseChatRequest(JSON.stringify({ model: "m", messages: body.messages }));
  const call = { ...geminiCall(), request };
  const { contents } = JSON.parse(dialectOf(call).buildRequest(call).body);
  expect(contents[1].parts[0].functionCall.name).toBe(contents[2].parts[0].functionResponse.name);
});

describe("calls of another provider's tools in a caller's own language", () => {
  const foreign = ["default_api:f", "a.b"];
  /** Claude takes twice as many characters as others. */
  const long = "x".repeat(100);

  test("are renamed for Claude, and those of tools that are offered are not", () => {
    const uses = [...foreign, "f", long].map((name, at) => ({
      type: "tool_use",
      id: `c${at}`,
      name,
      input: {},
    }));
    const results = uses.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: "ok" }));
    const call = ownCall({
      tools: ["f", long].map((name) => ({ name, input_schema: { type: "object" } })),
      messages: [
        { role: "user", content: "Go." },
        { role: "assistant", content: uses },
        { role: "user", content: results },
      ],
    });
    const { messages, tools } = JSON.parse(dialectOf(call).buildRequest(call).body);
    const sent = messages[1].content.map(({ name }: { name: string }) => name);
    expect(sent).toEqual(["default_api_f", "a_b", "f", long]);
    expect(tools[1].name).toBe(long);
  });

  test("are renamed for OpenAI's responses", () => {
    const input = [...foreign, "f"].flatMap((name, at) => [
      { type: "function_call", call_id: `c${at}`, name, arguments: "{}" },
      { type: "function_call_output", call_id: `c${at}`, output: "ok" },
    ]);
    const tools = [{ type: "function", name: "f", parameters: {}, strict: false }];
    const text = JSON.stringify({ model: "m", input, tools });
    const request = responsesProtocol.parse(text, new Headers());
    const call = { ...sampleCall({ like: "openai" }), request };
    const sent = JSON.parse(dialectOf(call).buildRequest(call).body).input;
    const names = sent.flatMap(({ name }: { name?: string }) => name ?? []);
    expect(names).toEqual(["default_api_f", "a_b", "f"]);
  });
});
