// Streams as services with OpenAI's chat completions send them.
import type { TokenUsage } from "@turnpike/wire";
import type { RecordedAnswer } from "../recorded-answer.fixture.ts";
import { sampleCall, upstreamChunk } from "./sample-call.fixture.ts";

const bodyOf = (...payloads: readonly string[]) =>
  payloads.map((payload) => `data: ${payload}\n\n`).join("");
const say = (content: string) => upstreamChunk({ content });
const finish = (reason: string) => upstreamChunk({}, { finish_reason: reason });
const call = (index: number, id: string | undefined, name: string | undefined, text: string) =>
  upstreamChunk({
    tool_calls: [{ index, id, type: id && "function", function: { name, arguments: text } }],
  });
const usage = JSON.stringify({
  id: "",
  choices: [],
  usage: {
    prompt_tokens: 25,
    completion_tokens: 15,
    prompt_tokens_details: { cached_tokens: 5 },
  },
});
const usual: TokenUsage = {
  promptTokens: 25,
  cachedTokens: 5,
  cacheWriteTokens: 0,
  completionTokens: 15,
  reasoningTokens: 0,
};

const streams: readonly Omit<RecordedAnswer, "call">[] = [
  {
    name: "text",
    body: bodyOf(
      upstreamChunk({ role: "assistant", content: "" }),
      say("Grüße"),
      say(" 😀!"),
      finish("stop"),
      usage,
      "[DONE]",
    ),
    says: { text: "Grüße 😀!", finishes: [["stop", "stop"]], usage: usual },
  },
  {
    name: "parallel tool calls in fragments",
    body: bodyOf(
      call(0, "c1", "a", ""),
      call(0, undefined, undefined, '{"x":'),
      call(0, undefined, undefined, "1}"),
      call(1, "c2", "b", "{}"),
      finish("tool_calls"),
      usage,
      "[DONE]",
    ),
    says: {
      calls: [
        { id: "c1", name: "a", arguments: '{"x":1}' },
        { id: "c2", name: "b", arguments: "{}" },
      ],
      finishes: [["tool_calls", "tool_calls"]],
      usage: usual,
    },
  },
  {
    name: "reasoning",
    body: bodyOf(
      upstreamChunk({ reasoning_content: "Let me " }),
      upstreamChunk({ reasoning_content: "see." }),
      say("It is."),
      finish("length"),
      "[DONE]",
    ),
    says: { reasoning: "Let me see.", text: "It is.", finishes: [["length", "length"]] },
  },
  {
    name: "an error inside the answer",
    body: bodyOf(say("a"), JSON.stringify({ error: { message: "busy", code: 429 } })),
    says: { text: "a", fault: "bad_gateway" },
  },
  {
    name: "an end before a finish",
    body: bodyOf(say("a"), "[DONE]"),
    says: { text: "a", fault: "bad_gateway" },
  },
];

export const chunkStreams: readonly RecordedAnswer[] = streams.map(({ name, body, says }) => ({
  name: `openai: ${name}`,
  call: sampleCall({ body: { stream: true }, language: "other" }),
  body,
  says: { upstreamId: "theirs", ...says },
}));
