// Whole responses as OpenAI's API returns them, for callers of another language.
import type { RecordedAnswer } from "../recorded-answer.fixture.ts";
import {
  callItem,
  reasoningItem,
  reported,
  response,
  sample,
  textItem,
  upstreamId,
  usage,
} from "./recorded-items.fixture.ts";

const wholes: readonly Omit<RecordedAnswer, "call">[] = [
  {
    name: "reasoning, text and parallel calls",
    body: JSON.stringify(
      response("completed", {
        output: [
          reasoningItem,
          textItem("Okay."),
          callItem("c1", "a", '{"x":1}'),
          callItem("c2", "b", "{}"),
        ],
        usage: reported,
      }),
    ),
    says: {
      reasoning: "Let me see.",
      signatures: ["openai:0:sealed"],
      text: "Okay.",
      calls: [
        { id: "c1", name: "a", arguments: '{"x":1}' },
        { id: "c2", name: "b", arguments: "{}" },
      ],
      finishes: [["tool_calls", "completed"]],
      usage,
      upstreamId,
    },
  },
  {
    name: "a limit that was reached",
    body: JSON.stringify(
      response("incomplete", {
        output: [textItem("Once")],
        incomplete_details: { reason: "max_output_tokens" },
        usage: reported,
      }),
    ),
    says: { text: "Once", finishes: [["length", "max_output_tokens"]], usage, upstreamId },
  },
  {
    name: "a response that is not complete",
    body: JSON.stringify(response("in_progress", { output: [] })),
    says: { fault: "bad_gateway" },
  },
  {
    name: "a failure",
    body: JSON.stringify(
      response("failed", { output: [], error: { code: "server_error", message: "x" } }),
    ),
    says: { fault: "bad_gateway" },
  },
];

export const responsesWholes: readonly RecordedAnswer[] = wholes.map((recorded) => ({
  ...recorded,
  name: `whole response: ${recorded.name}`,
  call: sample(false),
}));
