// Complete streams of generateContent.
import { anyId, type RecordedAnswer } from "../recorded-answer.fixture.ts";
import {
  call,
  calledOslo,
  candidate,
  counts,
  head,
  known,
  plainUsage,
  response,
  signature,
  signed,
  sse,
  stop,
  streamed,
  text,
  tools,
  withSignature,
} from "./sample-response.fixture.ts";

export const geminiStreams: readonly RecordedAnswer[] = [
  streamed(
    "text, signed at its end",
    sse(
      text,
      response([candidate([{ text: "Welt 😀" }])]),
      response([candidate([signed], "STOP")]),
    ),
    {
      text: "Grüße, Welt 😀",
      signatures: signature,
      finishes: stop(),
      usage: plainUsage,
      ...known,
    },
  ),
  streamed(
    "thoughts before the text, counted as output",
    sse(
      response([candidate([{ text: "**Greeting**\n\n", thought: true }])]),
      response([
        candidate([{ text: "Be kind.", thought: true, thoughtSignature: "dGhvdWdodA==" }]),
      ]),
      response([candidate([{ text: "Hello" }], "STOP")], {
        ...counts,
        thoughtsTokenCount: 40,
        totalTokenCount: 53,
      }),
    ),
    {
      text: "Hello",
      reasoning: "**Greeting**\n\nBe kind.",
      signatures: ["gemini:dGhvdWdodA=="],
      finishes: stop(),
      usage: { ...plainUsage, completionTokens: 44, reasoningTokens: 40 },
      ...known,
    },
  ),
  streamed(
    "a signed call without an id",
    sse(
      response([candidate([{ ...call("Oslo"), thoughtSignature: "c2lnbmVk" }])]),
      response([candidate([{ text: "" }], "STOP")]),
    ),
    {
      calls: [{ ...calledOslo, extra: withSignature }],
      finishes: stop("STOP", "tool_calls"),
      usage: plainUsage,
      ...known,
    },
    { tools },
  ),
  streamed(
    "parallel calls in one response and in two, the first one signed",
    sse(
      response([
        candidate([
          { ...call("Oslo", { id: "a1" }), thoughtSignature: "c2lnbmVk" },
          call("Rome", { id: "b2" }),
        ]),
      ]),
      response([candidate([{ functionCall: { name: "get_weather" } }], "STOP")]),
    ),
    {
      calls: [
        { ...calledOslo, id: "a1", extra: withSignature },
        { ...calledOslo, id: "b2", arguments: '{"city":"Rome"}' },
        { ...calledOslo, arguments: "{}" },
      ],
      finishes: stop("STOP", "tool_calls"),
      usage: plainUsage,
      ...known,
    },
    { tools },
  ),
  streamed(
    "a custom tool, which Gemini was offered as a function",
    sse(
      response([
        candidate(
          [{ functionCall: { name: "apply_patch", args: { input: "*** Begin\n" } } }],
          "STOP",
        ),
      ]),
    ),
    {
      calls: [{ id: anyId, name: "apply_patch", arguments: "*** Begin\n", isCustom: true }],
      finishes: stop("STOP", "tool_calls"),
      usage: plainUsage,
      ...known,
    },
    { tools },
  ),
  streamed(
    "cached tokens, and results of Google's own tools as input",
    sse(
      text,
      response([candidate([{ text: "you" }], "STOP")], {
        ...counts,
        cachedContentTokenCount: 5,
        toolUsePromptTokenCount: 90,
      }),
    ),
    {
      text: "Grüße, you",
      finishes: stop(),
      usage: { ...plainUsage, promptTokens: 99, cachedTokens: 5 },
      ...known,
    },
  ),
  streamed(
    "two candidates",
    sse(
      response([candidate([{ text: "one" }])]),
      response([candidate([{ text: "two" }], undefined, 1)]),
      response([candidate([{ text: "" }], "STOP"), candidate([{ text: "!" }], "MAX_TOKENS", 1)]),
    ),
    {
      text: "one",
      others: ["two!"],
      finishes: [
        ["stop", "STOP"],
        ["length", "MAX_TOKENS"],
      ],
      usage: plainUsage,
      ...known,
    },
    { n: 2 },
  ),
  streamed(
    "a limit that the thoughts used up",
    sse(
      response([{ finishReason: "MAX_TOKENS", index: 0 }], {
        promptTokenCount: 9,
        thoughtsTokenCount: 50,
        totalTokenCount: 59,
      }),
    ),
    {
      finishes: stop("MAX_TOKENS", "length"),
      usage: { ...plainUsage, completionTokens: 50, reasoningTokens: 50 },
      ...known,
    },
  ),
  streamed(
    "a blocked prompt",
    sse({
      promptFeedback: { blockReason: "PROHIBITED_CONTENT" },
      usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 },
      ...head,
    }),
    {
      finishes: stop("PROHIBITED_CONTENT", "content_filter"),
      usage: { ...plainUsage, completionTokens: 0 },
      ...known,
    },
  ),
  streamed(
    "an answer stopped for safety",
    sse(text, response([{ finishReason: "SAFETY", index: 0, safetyRatings: [] }])),
    { text: "Grüße, ", finishes: stop("SAFETY", "content_filter"), usage: plainUsage, ...known },
  ),
  streamed(
    "usage that cannot be billed",
    sse(
      text,
      response([candidate([{ text: "" }], "STOP")], { ...counts, candidatesTokenCount: -4 }),
    ),
    { text: "Grüße, ", finishes: stop(), ...known },
  ),
  streamed(
    "usage missing, and an end marker like OpenAI's",
    `${sse(text, { candidates: [candidate([{ text: "!" }], "STOP")], ...head })}data: [DONE]\n\n`,
    { text: "Grüße, !", finishes: stop(), ...known },
  ),
  streamed(
    "text after the finish, which belongs to the answer",
    sse(
      response([candidate([{ text: "Grüße" }], "STOP")]),
      response([candidate([{ text: "!" }], "STOP")]),
    ),
    { text: "Grüße!", finishes: stop(), usage: plainUsage, ...known },
  ),
];
