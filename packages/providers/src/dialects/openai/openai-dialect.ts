// OpenAI's chat completions as compatible services implement them: `/chat/completions`, one JSON body
// or a stream of chunks that ends in `[DONE]`.
import { type Fault, isObject } from "@turnpike/base";
import { type ChatRequest, chatLanguage } from "@turnpike/wire";
import type { Dialect, OpenaiProvider, Target } from "../../provider.ts";
import { refuse } from "../../refusals/refuse.ts";
import { untranslatable } from "../../untranslatable.ts";
import { cutAtStops } from "../cut-at-stops.ts";
import { buildRequest } from "./build-request.ts";
import { EventStream } from "./event-stream.ts";
import { takesStop } from "./fit-translated.ts";
import { parseUnread, parseWhole } from "./parse-whole.ts";

/** OpenAI takes the data of a file but not its address; OpenRouter takes both. */
function findFileAddress(provider: OpenaiProvider, { parsed }: ChatRequest): Fault | undefined {
  const { messages } = parsed;
  if (provider.quirks.controlFields === "obeys" || !Array.isArray(messages)) return undefined;
  for (let index = 0; index < messages.length; index += 1) {
    const message: unknown = messages[index];
    if (!isObject(message) || !Array.isArray(message.content)) continue;
    if (!message.content.some(hasFileAddress)) continue;
    return untranslatable(`messages[${index}].content`, "send files as data, not as an address");
  }
  return undefined;
}

function hasFileAddress(part: unknown): boolean {
  return isObject(part) && isObject(part.file) && part.file.file_url !== undefined;
}

function whyUntranslatable(
  { provider }: Target<OpenaiProvider>,
  request: ChatRequest,
): Fault | undefined {
  return findFileAddress(provider, request);
}

const wholeDialect: Dialect<ChatRequest, OpenaiProvider> = {
  language: chatLanguage,
  buildRequest,
  whyUntranslatable,
  openStream: (call, options) => new EventStream(call, options),
  parseWhole,
  parseUnread,
  refuse,
};

export const openaiDialect = cutAtStops(wholeDialect, takesStop);
