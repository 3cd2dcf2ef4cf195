// The AI SDK's gateway protocol for ranking documents: their places in the call, the best first.
import { formatGenerationId, isObject, type JsonObject } from "@turnpike/base";
import { missing } from "../checks/body-fault.ts";
import { anyObject, anyText, list, object, tagged } from "../checks/check-value.ts";
import { aiGatewayLanguage } from "../protocol/languages.ts";
import type { AnswerContent } from "../protocol/pivot.ts";
import type { Protocol } from "../protocol/protocol.ts";
import { parseRerankRequest, type RerankRequest } from "../rerank/parse-rerank-request.ts";
import { aiGatewayErrors } from "./ai-gateway-errors.ts";
import type { CallNotes } from "./call-notes.ts";
import {
  type CallShape,
  type CallTarget,
  endOfAnswer,
  parseCall,
  type Told,
} from "./operation-call.ts";

const shape: CallShape = {
  renamed: { query: "query", topN: "top_n" },
  translate: translateDocuments,
  options: {
    "cohere.maxTokensPerDoc": "max_tokens_per_doc",
    "cohere.priority": "priority",
  },
};

export function rerankingProtocol(target: CallTarget): Protocol<Told<RerankRequest>> {
  return {
    operation: "rerank",
    language: aiGatewayLanguage,
    errors: aiGatewayErrors,
    parse: (text) => parseCall(text, target, shape, parseRerankRequest),
    addressed: `${target.model}\n${target.specification}`,
    answerId: formatGenerationId,
    writeWhole: (content, identity, bill, request) =>
      JSON.stringify({
        ranking: rankingOf(content),
        ...endOfAnswer(request, target, identity, bill),
      }),
  };
}

const documents = tagged("type", {
  text: object({ required: { values: list(anyText, { of: "strings" }) } }),
  object: object({ required: { values: list(anyObject, { of: "objects" }) } }),
});

/** Objects are ranked by their JSON. */
function translateDocuments(
  { documents: given }: JsonObject,
  request: JsonObject,
  notes: CallNotes,
): readonly string[] {
  if (given === undefined) throw missing("documents");
  documents(given, "documents");
  const { values } = isObject(given) ? given : {};
  const texts = Array.isArray(values) ? values : [];
  request.documents = texts.map((value: unknown) =>
    typeof value === "string" ? value : JSON.stringify(value),
  );
  notes.name("documents", "documents.values");
  return ["documents"];
}

function rankingOf(content: AnswerContent): JsonObject[] {
  if (content.kind !== "ranking") throw new Error("another answer to a rerank request");
  return content.results.map(({ index, score }) => ({ index, relevanceScore: score }));
}
