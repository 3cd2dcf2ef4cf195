// Whole messages as Anthropic's API returns them, good and bad.
import type { RecordedAnswer } from "../recorded-answer.fixture.ts";
import { chatCall, recordedTools } from "./sample-messages-call.fixture.ts";

const message = (content: readonly object[], stop_reason: string, usage: object = {}) =>
  JSON.stringify({
    id: "msg_upstream",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-5-20250929",
    content,
    stop_reason,
    stop_sequence: null,
    usage: { input_tokens: 25, output_tokens: 15, ...usage },
  });

const usual = {
  promptTokens: 25,
  completionTokens: 15,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};
const upstreamId = "msg_upstream";
const error = (type: string) =>
  JSON.stringify({ type: "error", error: { type, message: "Overloaded" }, request_id: "req_1" });

const wholes: readonly Omit<RecordedAnswer, "call">[] = [
  {
    name: "thinking, text and parallel calls",
    body: message(
      [
        { type: "thinking", thinking: "Hm.", signature: "sig" },
        { type: "redacted_thinking", data: "xx" },
        { type: "text", text: "Okay." },
        { type: "tool_use", id: "toolu_1", name: "a", input: { x: 1 } },
        { type: "tool_use", id: "toolu_2", name: "b", input: {} },
      ],
      "tool_use",
    ),
    says: {
      reasoning: "Hm.",
      signatures: ["sig", "xx"],
      text: "Okay.",
      calls: [
        { id: "toolu_1", name: "a", arguments: '{"x":1}' },
        { id: "toolu_2", name: "b", arguments: "{}" },
      ],
      finishes: [["tool_calls", "tool_use"]],
      usage: usual,
      upstreamId,
    },
  },
  {
    name: "a call of a custom tool",
    body: message(
      [{ type: "tool_use", id: "toolu_1", name: "apply_patch", input: { input: "*** Begin\n" } }],
      "tool_use",
    ),
    says: {
      calls: [{ id: "toolu_1", name: "apply_patch", arguments: "*** Begin\n", isCustom: true }],
      finishes: [["tool_calls", "tool_use"]],
      usage: usual,
      upstreamId,
    },
  },
  {
    name: "a refusal, with a cache read",
    body: message([{ type: "text", text: "No." }], "refusal", { cache_read_input_tokens: 100 }),
    says: {
      text: "No.",
      finishes: [["content_filter", "refusal"]],
      usage: { ...usual, promptTokens: 125, cachedTokens: 100 },
      upstreamId,
    },
  },
  {
    name: "usage that cannot be billed",
    body: message([{ type: "text", text: "a" }], "end_turn", { output_tokens: -1 }),
    says: { text: "a", finishes: [["stop", "end_turn"]], upstreamId },
  },
  {
    name: "an overload inside a 200",
    body: error("overloaded_error"),
    says: { fault: "upstream_overloaded", retryAfterMs: 1_000 },
  },
  { name: "another error inside a 200", body: error("api_error"), says: { fault: "bad_gateway" } },
  { name: "no message at all", body: '{"type":"message"}', says: { fault: "bad_gateway" } },
];

export const messagesWholes: readonly RecordedAnswer[] = wholes.map((whole) => ({
  ...whole,
  name: `anthropic: ${whole.name}`,
  call: chatCall({ tools: recordedTools }),
}));
