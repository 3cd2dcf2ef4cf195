// Whole responses as OpenAI's API returns them, for callers of another language.
import type { RecordedAnswer } from "../recorded-answer.fixture.ts";
import {
  callItem,
  reasoningItem,
  reported,
  response,
  sample,
  saysBothCalls,
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
      ...saysBothCalls,
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
