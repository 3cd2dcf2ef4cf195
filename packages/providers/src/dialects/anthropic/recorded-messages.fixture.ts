// Streams as Anthropic's API sends them, after the examples of
// https://docs.claude.com/en/docs/build-with-claude/streaming.
import type { TokenUsage } from "@turnpike/wire";
import type { RecordedAnswer } from "../recorded-answer.fixture.ts";
import { chatCall, recordedTools } from "./sample-messages-call.fixture.ts";

type Event = { readonly type: string } & Readonly<Record<string, unknown>>;

const frame = (event: Event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const bodyOf = (...events: readonly Event[]) => events.map(frame).join("");

const startUsage = {
  input_tokens: 25,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  output_tokens: 1,
  service_tier: "standard",
};
const start = (usage: object = startUsage): Event => ({
  type: "message_start",
  message: {
    id: "msg_upstream",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-5-20250929",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  },
});
const ping: Event = { type: "ping" };
const begin = (index: number, content_block: object): Event => ({
  type: "content_block_start",
  index,
  content_block,
});
const fill = (index: number, type: string, member: string, value: string): Event => ({
  type: "content_block_delta",
  index,
  delta: { type, [member]: value },
});
const end = (index: number): Event => ({ type: "content_block_stop", index });
const last = (stop_reason: string, usage: object, stop_sequence: string | null = null): Event => ({
  type: "message_delta",
  delta: { stop_reason, stop_sequence },
  usage,
});
const stop: Event = { type: "message_stop" };
const error = (type: string): Event => ({ type: "error", error: { type, message: "Overloaded" } });

const textBlock = (index: number, ...parts: readonly string[]): Event[] => [
  begin(index, { type: "text", text: "" }),
  ...parts.map((part) => fill(index, "text_delta", "text", part)),
  end(index),
];
const toolBlock = (index: number, name: string, ...parts: readonly string[]): Event[] => [
  begin(index, { type: "tool_use", id: `toolu_${index}`, name, input: {} }),
  ...parts.map((part) => fill(index, "input_json_delta", "partial_json", part)),
  end(index),
];
const thinkingBlock = (index: number): Event[] => [
  begin(index, { type: "thinking", thinking: "", signature: "" }),
  fill(index, "thinking_delta", "thinking", "Let me "),
  fill(index, "thinking_delta", "thinking", "see."),
  fill(index, "signature_delta", "signature", "EqQBCgIYAhIM1gbcDa9GJwZA2b3h"),
  end(index),
];

const usual: TokenUsage = {
  promptTokens: 25,
  completionTokens: 15,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

const streams: readonly Omit<RecordedAnswer, "call">[] = [
  {
    name: "text",
    body: bodyOf(
      start(),
      ping,
      ...textBlock(0, "Grüße", " 😀!"),
      last("end_turn", { output_tokens: 15 }),
      stop,
    ),
    says: { text: "Grüße 😀!", finishes: [["stop", "end_turn"]], usage: usual },
  },
  {
    name: "text with other line ends and spaces",
    body: `: hello\r\n\r\n${bodyOf(start(), ...textBlock(0, "a"), last("max_tokens", { output_tokens: 15 }), stop).replaceAll("\n", "\r\n")}`,
    says: { text: "a", finishes: [["length", "max_tokens"]], usage: usual },
  },
  {
    name: "a tool call",
    body: bodyOf(
      start(),
      ...textBlock(0, "Okay."),
      ...toolBlock(1, "get_weather", "", '{"location":', ' "San', ' Francisco"}'),
      last("tool_use", { output_tokens: 15 }),
      stop,
    ),
    says: {
      text: "Okay.",
      calls: [{ id: "toolu_1", name: "get_weather", arguments: '{"location": "San Francisco"}' }],
      finishes: [["tool_calls", "tool_use"]],
      usage: usual,
    },
  },
  {
    name: "parallel tool calls, one of them without input",
    body: bodyOf(
      start(),
      ...toolBlock(0, "a", '{"x":1}'),
      ...toolBlock(1, "b"),
      ...toolBlock(2, "c", '{"y":', "2}"),
      last("tool_use", { output_tokens: 15 }),
      stop,
    ),
    says: {
      calls: [
        { id: "toolu_0", name: "a", arguments: '{"x":1}' },
        { id: "toolu_1", name: "b", arguments: "{}" },
        { id: "toolu_2", name: "c", arguments: '{"y":2}' },
      ],
      finishes: [["tool_calls", "tool_use"]],
      usage: usual,
    },
  },
  {
    name: "a call of a custom tool beside one of a function",
    body: bodyOf(
      start(),
      ...toolBlock(0, "apply_patch", "", '{"input":"*** Be', 'gin\\n"}'),
      ...toolBlock(1, "b", '{"x":1}'),
      last("tool_use", { output_tokens: 15 }),
      stop,
    ),
    says: {
      calls: [
        { id: "toolu_0", name: "apply_patch", arguments: "*** Begin\n", isCustom: true },
        { id: "toolu_1", name: "b", arguments: '{"x":1}' },
      ],
      finishes: [["tool_calls", "tool_use"]],
      usage: usual,
    },
  },
  {
    name: "thinking with its signature, then redacted thinking",
    body: bodyOf(
      start(),
      ...thinkingBlock(0),
      begin(1, { type: "redacted_thinking", data: "EmwKAhgBEgy3va3pzix" }),
      end(1),
      ...textBlock(2, "It is."),
      last("end_turn", { output_tokens: 15, output_tokens_details: { thinking_tokens: 9 } }),
      stop,
    ),
    says: {
      reasoning: "Let me see.",
      signatures: ["EqQBCgIYAhIM1gbcDa9GJwZA2b3h", "EmwKAhgBEgy3va3pzix"],
      text: "It is.",
      finishes: [["stop", "end_turn"]],
      usage: { ...usual, reasoningTokens: 9 },
    },
  },
  {
    name: "a prompt read from and written to the cache, with cumulative counts",
    body: bodyOf(
      start({
        ...startUsage,
        input_tokens: 5,
        cache_read_input_tokens: 200,
        cache_creation_input_tokens: 30,
        cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
      }),
      ...textBlock(0, "a"),
      last("end_turn", {
        input_tokens: 5,
        cache_read_input_tokens: 200,
        cache_creation_input_tokens: 30,
        output_tokens: 15,
      }),
      stop,
    ),
    says: {
      text: "a",
      finishes: [["stop", "end_turn"]],
      usage: {
        ...usual,
        promptTokens: 235,
        cachedTokens: 200,
        cacheWriteTokens: 30,
        cacheWrite1hTokens: 20,
        completionTokens: 15,
      },
    },
  },
  {
    name: "a stop sequence, and which one",
    body: bodyOf(
      start(),
      ...textBlock(0, "a"),
      last("stop_sequence", { output_tokens: 15 }, "END"),
      stop,
    ),
    says: { text: "a", finishes: [["stop", "stop_sequence"]], usage: usual },
  },
  {
    name: "a refusal",
    body: bodyOf(start(), ...textBlock(0, "I"), last("refusal", { output_tokens: 15 }), stop),
    says: { text: "I", finishes: [["content_filter", "refusal"]], usage: usual },
  },
  {
    name: "unknown events and blocks",
    body: bodyOf(
      start(),
      { type: "brand_new", payload: 1 },
      begin(0, { type: "server_tool_use", id: "srvtoolu_1", name: "x", input: {} }),
      fill(0, "brand_new_delta", "x", "y"),
      end(0),
      ...textBlock(1, "a"),
      last("end_turn", { output_tokens: 15 }),
      stop,
    ),
    says: { text: "a", finishes: [["stop", "end_turn"]], usage: usual },
  },
  {
    name: "an error before the first token keeps its meaning",
    body: bodyOf(start(), error("overloaded_error")),
    says: { fault: "upstream_overloaded", retryAfterMs: 1_000 },
  },
  {
    name: "an error inside the answer",
    body: bodyOf(start(), ...textBlock(0, "a").slice(0, 2), error("overloaded_error")),
    says: { text: "a", fault: "bad_gateway" },
  },
  {
    name: "an end without a reason",
    body: bodyOf(start(), ...textBlock(0, "a"), stop),
    says: { text: "a", fault: "bad_gateway" },
  },
  {
    name: "an end without message_stop",
    body: bodyOf(start(), ...textBlock(0, "a"), last("end_turn", { output_tokens: 15 })),
    says: { text: "a", finishes: [["stop", "end_turn"]], usage: usual, fault: "bad_gateway" },
  },
  {
    name: "garbage after the first token",
    body: `${bodyOf(start(), ...textBlock(0, "a"))}data: {not json\n\n`,
    says: { text: "a", fault: "bad_gateway" },
  },
];

export const messagesStreams: readonly RecordedAnswer[] = streams.map(({ name, body, says }) => ({
  name: `anthropic: ${name}`,
  call: chatCall({ stream: true, tools: recordedTools }),
  body,
  says: { upstreamId: "msg_upstream", ...says },
}));
