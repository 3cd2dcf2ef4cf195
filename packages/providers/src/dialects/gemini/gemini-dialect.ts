// Google's generateContent, one JSON body or a stream of them. Callers of the same language are relayed; every other request
// and its answer is translated.
import { type ChatRequest, geminiLanguage } from "@turnpike/wire";
import type { Dialect, GoogleProvider } from "../../provider.ts";
import { refuse } from "../../refusals/refuse.ts";
import { cutAtStops } from "../cut-at-stops.ts";
import { losesField } from "../lost-fields.ts";
import { buildRequest, whyUntranslatable } from "./build-request.ts";
import { GeminiStream } from "./gemini-stream.ts";
import { takesStop } from "./generation-config.ts";
import { parseUnread, parseWhole } from "./parse-whole.ts";

const wholeDialect: Dialect<ChatRequest, GoogleProvider> = {
  language: geminiLanguage,
  buildRequest,
  whyUntranslatable,
  // Gemini decides itself how many calls it makes.
  losesParameter: (name) => name === "parallel_tool_calls" || losesField("gemini", name),
  openStream: (call, options) => new GeminiStream(call, options),
  parseWhole,
  parseUnread,
  refuse,
};

export const geminiDialect = cutAtStops(wholeDialect, takesStop);
