// Streams as services that speak OpenAI's chat completions send them.
import type { RecordedDialect, RecordedStream } from "../recorded-stream.fixture.ts";
import { EventStream } from "./event-stream.ts";
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
const usual = { promptTokens: 25, cachedTokens: 5, completionTokens: 15 };

const streams: readonly RecordedStream[] = [
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
    says: { text: "Grüße 😀!", finish: "stop", usage: usual },
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
        ["a", '{"x":1}'],
        ["b", "{}"],
      ],
      finish: "tool_calls",
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
    says: { reasoning: "Let me see.", text: "It is.", finish: "length" },
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

const options = { maxEventBytes: 1024 * 1024, headers: new Headers() };
const open = (language?: string) =>
  new EventStream(sampleCall({ body: { stream: true }, ...(language && { language }) }), options);

export const recordedChunks: RecordedDialect = {
  dialect: "openai-compatible",
  translated: () => open("other"),
  own: () => open(),
  streams,
};
