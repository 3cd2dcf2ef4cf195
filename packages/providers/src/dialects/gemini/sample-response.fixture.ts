// Calls and responses of generateContent for the tests, as the service writes them.
import { parseChatRequest } from "@turnpike/wire";
import { anyId, type RecordedAnswer } from "../recorded-answer.fixture.ts";
import type { GeminiCall } from "./generation-config.ts";

const weather = { name: "get_weather", parameters: { type: "object" } };
const patch = { name: "apply_patch", format: { type: "text" } };

/** A call of a model of Gemini 3, unless its name says otherwise. */
export function geminiCall(
  body: object = {},
  upstreamModel = "gemini-3-flash-preview",
): GeminiCall {
  const messages = [{ role: "user", content: "Hello" }];
  const request = { model: "google/gemini", messages, ...body };
  return {
    provider: {
      id: "google",
      kind: "google",
      baseUrl: "https://generativelanguage.googleapis.com/v1beta",
      credential: { scheme: "x-goog-api-key", secret: "AIza-test-0123456789abcdef" },
      cancelledStream: "billed_as_written",
    },
    upstreamModel,
    request: parseChatRequest(JSON.stringify(request)),
    maxTokens: undefined,
    coveredTokens: 1_000,
    omittedFields: [],
    identity: { id: "chatcmpl-ours", model: "google/gemini", created: 1_700_000_000 },
  };
}

export const tools = [
  { type: "function", function: weather },
  { type: "custom", custom: patch },
];

type Part = Readonly<Record<string, unknown>>;
type Candidate = Readonly<Record<string, unknown>>;

export const counts = { promptTokenCount: 9, candidatesTokenCount: 4, totalTokenCount: 13 };
export const plainUsage = {
  promptTokens: 9,
  completionTokens: 4,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};
export const head = { modelVersion: "gemini-3-flash-preview", responseId: "rEsp0nse_1d" };
export const known = { upstreamId: "rEsp0nse_1d" };

export function candidate(parts: readonly Part[], finishReason?: string, index = 0): Candidate {
  return { content: { parts, role: "model" }, ...(finishReason && { finishReason }), index };
}

export function response(candidates: readonly Candidate[], usage: object | undefined = counts) {
  return { candidates, ...(usage && { usageMetadata: usage }), ...head };
}

/** As the service formats them: CRLF, and a space after each colon in newer models. */
export function sse(...responses: readonly object[]): string {
  return responses.map((one) => `data: ${JSON.stringify(one)}\r\n\r\n`).join("");
}

export function streamed(
  name: string,
  body: string,
  says: RecordedAnswer["says"],
  asked: object = {},
): RecordedAnswer {
  return {
    name: `gemini stream: ${name}`,
    call: geminiCall({ stream: true, ...asked }),
    body,
    says,
  };
}

export const signed = { text: "", thoughtSignature: "RW1wdHkgdGV4dA==" };
export const signature = ["gemini:RW1wdHkgdGV4dA=="];
export const text = response([candidate([{ text: "Grüße, " }])]);
export const stop = (native = "STOP", reason = "stop") => [[reason, native]] as const;

export const quotaError = {
  error: {
    code: 429,
    message: "You exceeded your current quota, please check your plan.",
    status: "RESOURCE_EXHAUSTED",
    details: [
      { "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations: [] },
      { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.4s" },
    ],
  },
};
export const overloadError = {
  error: { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" },
};

export const call = (city: string, more: object = {}) => ({
  functionCall: { name: "get_weather", args: { city }, ...more },
});
export const calledOslo = { id: anyId, name: "get_weather", arguments: '{"city":"Oslo"}' };
export const withSignature = { extra_content: { google: { thought_signature: "c2lnbmVk" } } };
