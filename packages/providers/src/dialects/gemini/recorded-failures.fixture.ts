// Streams of generateContent that fail: errors in every place, and answers without content.
import type { RecordedAnswer } from "../recorded-answer.fixture.ts";
import {
  candidate,
  known,
  overloadError,
  quotaError,
  response,
  sse,
  streamed,
  text,
} from "./sample-response.fixture.ts";

export const geminiFailures: readonly RecordedAnswer[] = [
  streamed("no finish", sse(text), { text: "Grüße, ", fault: "bad_gateway", ...known }),
  streamed("nothing at all", "", { fault: "bad_gateway" }),
  streamed(
    "a malformed call",
    sse(response([{ finishReason: "MALFORMED_FUNCTION_CALL", index: 0 }])),
    { fault: "bad_gateway" },
  ),
  streamed("stopped for no reason with nothing said", sse(response([{ finishReason: "OTHER" }])), {
    fault: "bad_gateway",
  }),
  streamed("an error in place of the answer", sse(quotaError), {
    fault: "upstream_rate_limited",
    retryAfterMs: 34_400,
  }),
  streamed("an error after the first text", sse(text, quotaError), {
    text: "Grüße, ",
    fault: "bad_gateway",
    ...known,
  }),
  streamed("an unframed error instead of events", `${JSON.stringify(overloadError, null, 2)}\n`, {
    fault: "upstream_overloaded",
    retryAfterMs: 1_000,
  }),
  streamed("an error in a list", JSON.stringify([quotaError]), {
    fault: "upstream_rate_limited",
    retryAfterMs: 34_400,
  }),
  streamed("an unframed error after the first text", sse(text) + JSON.stringify(overloadError), {
    text: "Grüße, ",
    fault: "bad_gateway",
    ...known,
  }),
  streamed(
    "an image",
    sse(response([candidate([{ inlineData: { mimeType: "image/png", data: "iVBO" } }])])),
    {
      fault: "bad_gateway",
    },
  ),
];
