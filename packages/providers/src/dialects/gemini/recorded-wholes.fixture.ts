// Whole answers of generateContent.
import type { RecordedAnswer } from "../recorded-answer.fixture.ts";
import {
  call,
  calledOslo,
  candidate,
  counts,
  geminiCall,
  head,
  known,
  overloadError,
  plainUsage,
  quotaError,
  response,
  stop,
  tools,
  withSignature,
} from "./sample-response.fixture.ts";

function whole(
  name: string,
  body: object,
  says: RecordedAnswer["says"],
  asked: object = {},
): RecordedAnswer {
  // As the service formats it.
  const spelled = JSON.stringify(body, null, 2);
  return { name: `gemini whole: ${name}`, call: geminiCall(asked), body: spelled, says };
}

export const geminiWholes: readonly RecordedAnswer[] = [
  whole("text", response([candidate([{ text: "Hello" }], "STOP")]), {
    text: "Hello",
    finishes: stop(),
    usage: plainUsage,
    ...known,
  }),
  whole(
    "thoughts, text and two calls",
    response(
      [
        candidate(
          [
            { text: "Think.", thought: true },
            { text: "I'll look." },
            { ...call("Oslo"), thoughtSignature: "c2lnbmVk" },
            call("Rome", { id: "b2" }),
          ],
          "STOP",
        ),
      ],
      { ...counts, thoughtsTokenCount: 7, totalTokenCount: 20 },
    ),
    {
      reasoning: "Think.",
      text: "I'll look.",
      calls: [
        { ...calledOslo, extra: withSignature },
        { ...calledOslo, id: "b2", arguments: '{"city":"Rome"}' },
      ],
      finishes: stop("STOP", "tool_calls"),
      usage: { ...plainUsage, completionTokens: 11, reasoningTokens: 7 },
      ...known,
    },
    { tools },
  ),
  whole(
    "a blocked prompt",
    {
      promptFeedback: { blockReason: "SAFETY" },
      usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 },
      ...head,
    },
    {
      finishes: stop("SAFETY", "content_filter"),
      usage: { ...plainUsage, completionTokens: 0 },
      ...known,
    },
  ),
  whole(
    "an answer withheld for safety",
    response([{ finishReason: "SAFETY", index: 0 }], { promptTokenCount: 9 }),
    {
      finishes: stop("SAFETY", "content_filter"),
      usage: { ...plainUsage, completionTokens: 0 },
      ...known,
    },
  ),
  whole(
    "another service's finish reason for calls",
    response([candidate([call("Oslo")], "FUNCTION_CALL")]),
    {
      calls: [calledOslo],
      finishes: stop("FUNCTION_CALL", "tool_calls"),
      usage: plainUsage,
      ...known,
    },
  ),
  whole(
    "neither an answer nor a reason",
    { usageMetadata: counts, ...head },
    { fault: "bad_gateway" },
  ),
  whole("an error in a 200", quotaError, { fault: "upstream_rate_limited", retryAfterMs: 34_400 }),
  whole("an error in a list", [overloadError], {
    fault: "upstream_overloaded",
    retryAfterMs: 1_000,
  }),
  whole("a broken call", response([{ finishReason: "UNEXPECTED_TOOL_CALL" }]), {
    fault: "bad_gateway",
  }),
];
