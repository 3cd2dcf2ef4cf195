// Conversations that change their model in the middle, as agents do: what one provider wrote, sent to the next.
import { describe, expect, test } from "bun:test";
import { chatProtocol, parseChatRequest } from "@turnpike/wire";
import { buildRequest as askClaude } from "./anthropic/build-request.ts";
import { chatCall, ownCall } from "./anthropic/sample-messages-call.fixture.ts";
import { dialectOf } from "./dialect-of.ts";
import { buildRequest as askGemini } from "./gemini/build-request.ts";
import { geminiCall } from "./gemini/sample-response.fixture.ts";
import { buildRequest as askChat } from "./openai/build-request.ts";
import { sampleCall } from "./openai/sample-call.fixture.ts";

const user = { role: "user", content: "Go." };
const called = (id: string, more: object = {}) => ({
  role: "assistant",
  content: "",
  ...more,
  tool_calls: [{ id, type: "function", function: { name: "f", arguments: "{}" } }],
});
const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "ok" });
const sentTo = (like: string, messages: readonly object[]) =>
  JSON.parse(askChat(sampleCall({ like, body: { messages } })).body).messages;

describe("reasoning beside calls", () => {
  const given: [string, object][] = [
    ["reasoning_content", { reasoning_content: "Need f." }],
    ["reasoning", { reasoning: "Need f." }],
    [
      "reasoning_details",
      { reasoning_details: [{ type: "reasoning.text", text: "Need f.", index: 0 }] },
    ],
    [
      "fragments",
      {
        reasoning_details: ["Need", " f."].map((text) => ({
          type: "reasoning.text",
          text,
          index: 0,
        })),
      },
    ],
  ];
  test.each(given)("given as %s reaches DeepSeek and Kimi", (_, more) => {
    for (const like of ["deepseek", "moonshot"]) {
      expect(sentTo(like, [user, called("c1", more), result("c1")])[1].reasoning_content).toBe(
        "Need f.",
      );
    }
  });

  test("is never missing there, and is not invented where nothing is called", () => {
    for (const like of ["deepseek", "moonshot"]) {
      const [, calling] = sentTo(like, [user, called("c1"), result("c1")]);
      expect(calling.reasoning_content.trim()).not.toBe("");
      expect(sentTo(like, [user, { role: "assistant", content: "Hi" }, user])[1]).toEqual({
        role: "assistant",
        content: "Hi",
      });
    }
  });
});

describe("Gemini's signature of a call", () => {
  const part = { functionCall: { name: "f", args: {} }, thoughtSignature: "c2ln" };
  const call = geminiCall({ tools: [{ type: "function", function: { name: "f" } }] });
  const body = JSON.stringify({
    candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP" }],
  });

  const backAgain = (message: object, id: string) => {
    const asked = geminiCall({ messages: [user, message, result(id)] });
    return JSON.parse(askGemini(asked).body).contents[1].parts.at(-1).thoughtSignature;
  };

  test("comes back in `reasoning_details` alone, or in `extra_content` alone", () => {
    const { content } = dialectOf(call).parseWhole(call, body, new Headers());
    const whole = chatProtocol.writeWhole(content, call.identity, undefined, call.request);
    const { reasoning_details, tool_calls } = JSON.parse(whole).choices[0].message;
    const [{ id, extra_content: _, ...plain }] = tool_calls;
    const base = { role: "assistant", content: "" };
    expect(backAgain({ ...base, reasoning_details, tool_calls: [{ id, ...plain }] }, id)).toBe(
      "c2ln",
    );
    expect(backAgain({ ...base, tool_calls }, id)).toBe("c2ln");
    expect(backAgain({ ...base, tool_calls: [{ id, ...plain }] }, id)).toBe(
      "skip_thought_signature_validator",
    );
  });

  test("is streamed in both places", () => {
    const request = parseChatRequest(
      JSON.stringify({ model: "m", stream: true, messages: [user] }),
    );
    const reader = dialectOf(call).openStream?.(
      { ...call, request },
      { maxEventBytes: 65_536, headers: new Headers() },
    );
    const events = reader?.push(new TextEncoder().encode(`data: ${body}\n\n`)) ?? [];
    const writer = chatProtocol.stream?.open(request, call.identity);
    const frames = events.flatMap((event) =>
      event.kind === "deltas" ? [writer?.writeDeltas(event.deltas)] : [],
    );
    const [chunk] = frames
      .join("")
      .split("\n\n")
      .filter((frame) => frame.includes("tool_calls"));
    const { delta } = JSON.parse(String(chunk).slice("data: ".length)).choices[0];
    const [{ id }] = delta.tool_calls;
    expect(delta.reasoning_details).toEqual([
      { type: "reasoning.encrypted", data: "c2ln", id, format: "google-gemini-v1", index: 0 },
    ]);
  });

  test("is nothing to Claude", () => {
    const details = [
      { type: "reasoning.encrypted", data: "c2ln", id: "c1", format: "google-gemini-v1", index: 0 },
    ];
    const messages = [user, called("c1", { reasoning_details: details }), result("c1")];
    expect(askClaude(chatCall({ messages })).body).not.toContain("redacted_thinking");
  });
});

describe("Mistral", () => {
  const roles = (messages: readonly object[]) =>
    sentTo("mistral", messages)
      .map(({ role }: { role: string }) => role)
      .join(" ");

  test("gets what the user says after a result behind an answer, and a reminder with the result", () => {
    const said = [user, called("c1"), result("c1"), user];
    expect(roles(said)).toBe("user assistant tool assistant user");
    const reminder = "<system-reminder>be brief</system-reminder>";
    const reminded = sentTo("mistral", [...said.slice(0, 3), { role: "user", content: reminder }]);
    expect(reminded.at(-1)).toMatchObject({ role: "tool", content: `ok\n\n${reminder}` });
  });

  test("gets no empty answer, no instruction after an answer, and a beginning as what it is", () => {
    const empty = { role: "assistant", content: "" };
    const hi = { role: "assistant", content: "Hi" };
    expect(roles([user, empty, user, hi, { role: "system", content: "s" }])).toBe(
      "user user assistant user",
    );
    expect(sentTo("mistral", [user, hi]).at(-1)).toEqual({ ...hi, prefix: true });
  });

  test("gets a conversation that is in order as its caller wrote it", () => {
    const messages = [
      user,
      called("AbCdEf012"),
      result("AbCdEf012"),
      { role: "assistant", content: "Hi" },
      user,
    ];
    const raw = JSON.stringify({ model: "m", messages }, null, 1);
    expect(askChat(sampleCall({ like: "mistral", raw })).body).toBe(
      raw.replace('"m"', '"model-1"'),
    );
  });
});

test("OpenAI gets a digest for the long ids of vLLM, from its own callers too", () => {
  const id = `chatcmpl-tool-${"0".repeat(32)}`;
  const [, calling, answered] = sentTo("openai", [user, called(id), result(id)]);
  expect(calling.tool_calls[0].id).toMatch(/^[0-9a-f]{40}$/);
  expect(answered.tool_call_id).toBe(calling.tool_calls[0].id);
});

describe("a caller of Anthropic's own language", () => {
  const sent = (fields: object, upstreamModel = "claude-sonnet-4-5") =>
    JSON.parse(askClaude({ ...ownCall(fields), upstreamModel }).body);
  const use = (id: string) => ({ type: "tool_use", id, name: "f", input: {} });
  const answer = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "ok" });
  const text = (said: string) => ({ type: "text", text: said });

  test("may bring Kimi's ids", () => {
    const id = "functions.Bash:0";
    const { messages } = sent({
      messages: [
        user,
        { role: "assistant", content: [use(id)] },
        { role: "user", content: [answer(id)] },
      ],
    });
    expect(messages[1].content[0].id).toMatch(/^[a-zA-Z0-9_-]+$/);
    expect(messages[2].content[0].tool_use_id).toBe(messages[1].content[0].id);
  });

  test("may put texts before results, and texts that say nothing anywhere", () => {
    const { messages } = sent({
      messages: [
        { role: "user", content: [text(""), text("Go.")] },
        { role: "assistant", content: " " },
        { role: "assistant", content: [use("t1")] },
        { role: "user", content: [text("Look:"), answer("t1"), text("\n")] },
      ],
    });
    expect(messages).toEqual([
      { role: "user", content: [text("Go.")] },
      { role: "assistant", content: [use("t1")] },
      { role: "user", content: [answer("t1"), text("Look:")] },
    ]);
  });

  const begun = { messages: [user, { role: "assistant", content: "{ " }] };
  const format = { type: "json_schema", schema: { type: "object", properties: {} } };
  test("may begin an answer, which is continued where that is allowed", () => {
    expect(sent(begun).messages.at(-1)).toEqual({ role: "assistant", content: "{" });
    const refusing: [object, string][] = [
      [{ ...begun, output_format: format }, "claude-sonnet-4-5"],
      [{ ...begun, output_config: { format } }, "claude-sonnet-4-5"],
      [
        { ...begun, max_tokens: 4_000, thinking: { type: "enabled", budget_tokens: 1_024 } },
        "claude-sonnet-4-5",
      ],
      [begun, "claude-opus-4-6"],
    ];
    for (const [fields, model] of refusing) {
      expect(sent(fields, model).messages.at(-1)).toMatchObject({ role: "user" });
    }
  });

  test("may sample by temperature and top_p, of which newer models get the former", () => {
    const both = { temperature: 0.5, top_p: 0.5 };
    expect(sent(both, "claude-sonnet-4-20250514")).toMatchObject(both);
    for (const model of ["claude-opus-4-1", "claude-haiku-4-5", "anthropic.claude-opus-4-6-v1"]) {
      const { temperature, top_p: topP } = sent(both, model);
      expect([temperature, topP]).toEqual([0.5, undefined]);
    }
    expect(askClaude({ ...ownCall(both), upstreamModel: "claude-sonnet-4-5" }).ignored).toEqual([
      "top_p",
    ]);
  });

  test("may offer a tool whose schema is a union", () => {
    const input_schema = { type: "object", properties: { a: {} }, anyOf: [{ required: ["a"] }] };
    const { tools } = sent({ tools: [{ name: "f", input_schema, strict: true }] });
    expect(tools).toEqual([
      { name: "f", input_schema: { type: "object", properties: { a: {} }, required: ["a"] } },
    ]);
  });
});

test("another model behind Anthropic's API gets its unsigned thinking back, from callers of every language", () => {
  const thinking = { type: "thinking", thinking: "Need f.", signature: "" };
  const use = { type: "tool_use", id: "t1", name: "f", input: {} };
  const answered = {
    role: "user",
    content: [{ type: "tool_result", tool_use_id: "t1", content: "ok" }],
  };
  const fields = { messages: [user, { role: "assistant", content: [thinking, use] }, answered] };
  const kimi = { upstreamModel: "kimi-k3" };
  const own = JSON.parse(askClaude({ ...ownCall(fields), ...kimi }).body);
  expect(own.messages).toEqual(fields.messages);
  const messages = [user, called("t1", { reasoning: "Need f." }), result("t1")];
  const translated = JSON.parse(askClaude({ ...chatCall({ messages }), ...kimi }).body);
  expect(translated.messages[1].content).toEqual([thinking, use]);
  expect(JSON.parse(askClaude(chatCall({ messages })).body).messages[1].content).toEqual([use]);
});
