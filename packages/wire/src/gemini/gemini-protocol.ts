// The protocol of Gemini's API: generateContent and its stream. Half of a request is its address, so each call has a protocol
// of its own.
import { formatGenerationId } from "@turnpike/base";
import { geminiLanguage } from "../protocol/languages.ts";
import type { Protocol } from "../protocol/protocol.ts";
import { type GeminiFraming, GeminiStreamWriter, geminiKeepAlive } from "./gemini-stream.ts";
import { googleErrors } from "./google-errors.ts";
import {
  type GeminiRequest,
  type GeminiTarget,
  parseGeminiRequest,
} from "./parse-gemini-request.ts";
import { writeResponse } from "./write-response.ts";

const contentTypes: Readonly<Record<GeminiFraming, string>> = {
  events: "text/event-stream; charset=utf-8",
  list: "application/json",
};

export function geminiProtocol(
  target: GeminiTarget,
  framing: GeminiFraming,
): Protocol<GeminiRequest> {
  return {
    operation: "chat",
    language: geminiLanguage,
    errors: googleErrors,
    parse: (text) => parseGeminiRequest(text, target),
    addressed: `${target.model}\n${target.stream ? framing : "whole"}`,
    answerId: formatGenerationId,
    writeWhole: writeResponse,
    stream: {
      contentType: contentTypes[framing],
      keepAlive: geminiKeepAlive,
      open: (request, identity) => new GeminiStreamWriter(request, identity, framing),
    },
  };
}
