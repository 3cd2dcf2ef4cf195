// Which dialect a provider is spoken to in: one per kind of provider and operation. A new dialect is a
// folder beside this file and an entry of this table.
import {
  type ChatRequest,
  type EmbeddingsRequest,
  type Operation,
  type ParsedRequest,
  responsesLanguage,
} from "@turnpike/wire";
import type { ProviderKind } from "../known-providers.ts";
import type { Dialect, Provider, UpstreamCall } from "../provider.ts";
import { anthropicDialect } from "./anthropic/anthropic-dialect.ts";
import { isClaudeOnBedrock } from "./anthropic/bedrock-model.ts";
import { geminiDialect } from "./gemini/gemini-dialect.ts";
import { geminiEmbeddingsDialect } from "./gemini-embeddings/gemini-embeddings-dialect.ts";
import { openaiDialect } from "./openai/openai-dialect.ts";
import { embeddingsDialect } from "./openai-embeddings/embeddings-dialect.ts";
import { responsesDialect } from "./openai-responses/responses-dialect.ts";
import { translatedResponsesDialect } from "./openai-responses/translated-dialect.ts";
import { isPathSegment } from "./path-segment.ts";
import { readVertexModel } from "./vertex-model.ts";

type Kind = Provider["kind"];

/** What providers of a kind are asked for: chats always, embeddings where there is a dialect for them. */
type DialectsOf<Called extends Provider> = {
  readonly chat: Dialect<ChatRequest, Called>;
  readonly embeddings?: Dialect<EmbeddingsRequest, Called>;
};

/** What is known of a dialect before there is a request. */
type DialectFacts = Pick<Dialect, "language" | "refusesParameter">;

/** What decides between the dialects of one provider. */
type Asked = Pick<ParsedRequest, "operation" | "language">;

const dialects: { readonly [Named in Kind]: DialectsOf<Extract<Provider, { kind: Named }>> } = {
  "openai-compatible": { chat: openaiDialect, embeddings: embeddingsDialect },
  anthropic: { chat: anthropicDialect },
  google: { chat: geminiDialect, embeddings: geminiEmbeddingsDialect },
};

/**
 * Whether a provider can be asked for an operation in the dialect `kind`; the catalogue refuses routes that
 * cannot.
 */
export function servesOperation(
  kind: Kind,
  operation: Operation,
  providerKind: ProviderKind,
): boolean {
  // Vertex AI has Gemini's embeddings under another method.
  const lacks = providerKind === "vertex" && kind === "google" && operation === "embeddings";
  return !lacks && dialects[kind][operation] !== undefined;
}

/** The dialect for a call. */
export function dialectOf<Request extends ParsedRequest>({
  provider,
  request,
}: UpstreamCall<Request>): Dialect<Request> {
  return dialectFor(provider, request);
}

/** The dialect of an upstream's `/responses`, where a request goes there; its callers are relayed. */
function responsesDialectFor(provider: Provider, asked: Asked): DialectFacts | undefined {
  if (asked.operation !== "chat" || provider.kind !== "openai-compatible") return undefined;
  const { responses } = provider.quirks;
  if (asked.language === responsesLanguage) {
    return responses === "none" ? undefined : responsesDialect;
  }
  return responses === "only" ? translatedResponsesDialect : undefined;
}

/**
 * The same before a call is made of it. The cast is sound because the table's type puts under each kind
 * and operation a dialect of that kind's providers and that operation's requests, which TypeScript
 * cannot follow through a lookup.
 */
export function dialectFor<Request extends ParsedRequest>(
  provider: Provider,
  request: Request,
): Dialect<Request> {
  return findDialect(provider, request) as Dialect<Request>;
}

/** The same before there is a request. */
export function findDialect(provider: Provider, asked: Asked): DialectFacts {
  const { [asked.operation]: table }: Readonly<Partial<Record<Operation, DialectFacts>>> =
    dialects[provider.kind];
  const dialect = responsesDialectFor(provider, asked) ?? table;
  if (dialect === undefined) throw new Error(`${provider.id} has no ${asked.operation} dialect`);
  return dialect;
}

/** The dialect of a model, or, for one that providers of the kind do not serve, what to write. */
export type DialectKind =
  | { readonly kind: Kind }
  | { readonly kind: "unknown"; readonly advice: string };

/** In which dialect providers of a kind are asked for the model that a route names. */
export function dialectKindOf(kind: ProviderKind, upstreamModel: string): DialectKind {
  switch (kind) {
    case "azure": {
      if (isPathSegment(upstreamModel)) return { kind: "openai-compatible" };
      const characters = "letters, digits, - _ and ., and is not . or .. alone";
      return {
        kind: "unknown",
        advice: `must be the name of a deployment, which has ${characters}`,
      };
    }
    case "google": {
      if (upstreamModel.split("/").every(isPathSegment)) return { kind };
      const names = "a model like gemini-2.5-flash, or its resource name like tunedModels/ID";
      return { kind: "unknown", advice: `must be ${names}, without . or .. as a part of it` };
    }
    case "vertex": {
      const model = readVertexModel(upstreamModel);
      if (model !== undefined) return { kind: model.dialect };
      const names = "gemini-..., claude-..., google/MODEL, anthropic/MODEL or endpoints/ID";
      return { kind: "unknown", advice: `is not served from Vertex AI: write ${names}` };
    }
    case "bedrock": {
      if (isClaudeOnBedrock(upstreamModel)) return { kind: "anthropic" };
      const names = "anthropic.claude-..., us.anthropic.claude-... or the ARN of its profile";
      return { kind: "unknown", advice: `only Claude is served from Bedrock: write ${names}` };
    }
    default:
      return { kind };
  }
}
