// The embeddings protocol: OpenAI's request and its list of vectors. It is never streamed, and an
// upstream's list reaches the client in the encoding it asked for.
import { formatGenerationId, type JsonObject } from "@turnpike/base";
import { toUsdNumber } from "@turnpike/terms";
import { openaiErrors } from "../errors/error-format.ts";
import { setMembers } from "../json/set-members.ts";
import { embeddingsLanguage } from "../protocol/languages.ts";
import type { Bill } from "../protocol/pivot.ts";
import type { Protocol } from "../protocol/protocol.ts";
import { type EmbeddingsRequest, parseEmbeddingsRequest } from "./parse-embeddings-request.ts";

export const embeddingsProtocol: Protocol<EmbeddingsRequest> = {
  operation: "embeddings",
  language: embeddingsLanguage,
  errors: openaiErrors,
  parse: parseEmbeddingsRequest,
  answerId: formatGenerationId,
  writeWhole(content, { id }, bill) {
    // A dialect of another language writes this list itself: vectors are not sent as deltas.
    if (content.kind !== "body") throw new Error("an answer of deltas to an embeddings request");
    // OpenAI's list has no id; Mistral's has one, and its SDK refuses a list without.
    const body: JsonObject = { id, ...content.body };
    if (bill !== undefined) body.usage = embeddingsUsage(bill);
    const json = JSON.stringify(body);
    return content.copied === undefined ? json : setMembers(json, content.copied);
  },
};

/** OpenAI's two counts, and `cost` in USD as on chat completions. */
function embeddingsUsage({ usage, costNanos }: Bill): JsonObject {
  return {
    prompt_tokens: usage.promptTokens,
    total_tokens: usage.promptTokens,
    cost: toUsdNumber(costNanos),
  };
}
