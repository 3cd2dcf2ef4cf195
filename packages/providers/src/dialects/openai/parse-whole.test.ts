import { expect, test } from "bun:test";
import { Fault, type JsonObject } from "@turnpike/base";
import { parseUnread, parseWhole } from "./parse-whole.ts";
import { sampleCall } from "./sample-call.fixture.ts";

function read(choice: Record<string, unknown>, rest: Record<string, unknown> = {}) {
  const text = JSON.stringify({ id: "theirs", choices: [choice], ...rest });
  const { content, finish, deliveredTokens } = parseWhole(sampleCall(), text, new Headers());
  const body: JsonObject = content.kind === "body" ? content.body : {};
  return { body, finish, deliveredTokens };
}

function refusedCode(choice: Record<string, unknown>): string {
  try {
    read(choice);
    return "none";
  } catch (thrown) {
    return thrown instanceof Fault ? thrown.code : String(thrown);
  }
}

test("nullables that many servers omit are explicit, usage is removed", () => {
  const { body } = read({ message: { content: "Hi" }, finish_reason: "stop" }, { usage: {} });
  expect(body).toEqual({
    id: "chatcmpl-ours",
    object: "chat.completion",
    created: 1_700_000_000,
    model: "vendor/model",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: "Hi", refusal: null },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
  });
});

test("empty tool calls are dropped, real ones are put in order", () => {
  const none = read({ message: { content: "x", tool_calls: [] }, finish_reason: "tool_calls" });
  expect(JSON.stringify(none.body)).not.toContain('"tool_calls":');
  expect(none.finish).toEqual({ reason: "stop", native: "tool_calls" });

  const tool_calls = [{ index: 0, function: { name: "f", arguments: { a: 1 } } }];
  const { body, finish } = read({ message: { tool_calls }, finish_reason: "stop" });
  expect(finish?.reason).toBe("tool_calls");
  expect(body).toMatchObject({
    choices: [
      {
        message: {
          content: null,
          tool_calls: [
            {
              id: expect.stringMatching(/^call_[0-9a-f]{24}$/),
              type: "function",
              function: { name: "f", arguments: '{"a":1}' },
            },
          ],
        },
        finish_reason: "tool_calls",
        native_finish_reason: "stop",
      },
    ],
  });
});

test("thinking is mirrored and never in content", () => {
  const content = [
    { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
    { type: "text", text: "so" },
  ];
  const messages = [
    { content },
    { content: "so", reasoning: "hm" },
    { content: "so", reasoning_content: "hm", reasoning: null },
  ];
  for (const message of messages) {
    expect(read({ message, finish_reason: "stop" }).body).toMatchObject({
      choices: [{ message: { content: "so", reasoning: "hm", reasoning_content: "hm" } }],
    });
  }
});

test("unknown members are passed on; nulls that typed clients refuse are not", () => {
  const choice = { message: { content: "x", annotations: [], audio: null }, finish_reason: "stop" };
  const rest = { citations: ["u"], system_fingerprint: null, service_tier: "flex", x_groq: {} };
  const { body } = read({ ...choice, stop_reason: 5, error: null }, { ...rest, error: null });
  const { citations, service_tier } = body;
  expect([citations, service_tier]).toEqual([["u"], "flex"]);
  expect(body).toMatchObject({ choices: [{ stop_reason: 5, message: { annotations: [] } }] });
  expect(JSON.stringify(body)).not.toMatch(/error|audio|system_fingerprint|x_groq/);
});

test("a choice that failed is a failure, whatever its text", () => {
  const message = { content: "half" };
  expect(refusedCode({ message, finish_reason: "error" })).toBe("bad_gateway");
  expect(refusedCode({ message, finish_reason: "stop", error: { message: "x" } })).toBe(
    "bad_gateway",
  );
  expect(refusedCode({ message, error: { code: 400, message: "x" } })).toBe("upstream_rejected");
});

test("delivered tokens are estimated from everything the model wrote", () => {
  const tool_calls = [{ id: "c", function: { name: "find", arguments: "12345678" } }];
  const message = { content: "äöüß", reasoning: "1234", tool_calls };
  expect(read({ message, finish_reason: "stop" }).deliveredTokens).toBe((8 + 4 + 4 + 8) / 4);
});

test("an answer without a client whose body is not a complete object is a failure of the upstream", () => {
  const call = sampleCall();
  let thrown: unknown;
  try {
    parseUnread(call, undefined, new Headers());
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(Fault);
  expect(parseUnread(call, { id: "a" }, new Headers())).toMatchObject({
    kind: "unread",
    upstreamId: "a",
  });
});

test("an answer in audio counts as its transcript and the length of its data", () => {
  const speech = { modalities: ["text", "audio"], audio: { voice: "alloy", format: "wav" } };
  const audio = { id: "audio_1", transcript: "Hi there", data: "A".repeat(64_000), expires_at: 1 };
  const text = JSON.stringify({
    choices: [
      { message: { content: null, audio }, finish_reason: "stop" },
      { message: { content: "Text", audio: null }, finish_reason: "stop" },
    ],
  });
  const answer = parseWhole(sampleCall({ body: speech }), text, new Headers());
  // A second, and twelve bytes of text.
  expect(answer).toMatchObject({ deliveredTokens: 20 + 3, deliveredAudioTokens: 20 });
});
