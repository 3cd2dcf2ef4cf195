// Which dialect is used for a provider: one per kind of provider and operation. A new dialect is a
// folder beside this file and an entry in this table.
import type { Operation } from "@turnpike/terms";
import { compactionLanguage, type ParsedRequest, responsesLanguage } from "@turnpike/wire";
import type { Dialect, Provider, UpstreamCall } from "../provider.ts";
import { anthropicDialect } from "./anthropic/anthropic-dialect.ts";
import { deepgramSpeechDialect } from "./deepgram/deepgram-speech-dialect.ts";
import { deepgramTranscriptionDialect } from "./deepgram/deepgram-transcription-dialect.ts";
import { elevenLabsSpeechDialect } from "./elevenlabs/elevenlabs-speech-dialect.ts";
import { elevenLabsTranscriptionDialect } from "./elevenlabs/elevenlabs-transcription-dialect.ts";
import { geminiDialect } from "./gemini/gemini-dialect.ts";
import { geminiEmbeddingsDialect } from "./gemini-embeddings/gemini-embeddings-dialect.ts";
import { geminiImagesDialect } from "./gemini-operations/gemini-images-dialect.ts";
import { geminiSpeechDialect } from "./gemini-operations/gemini-speech-dialect.ts";
import { geminiTranscriptionDialect } from "./gemini-operations/gemini-transcription-dialect.ts";
import { openaiDialect } from "./openai/openai-dialect.ts";
import { embeddingsDialect } from "./openai-embeddings/embeddings-dialect.ts";
import { imagesDialect } from "./openai-operations/images-dialect.ts";
import { moderationDialect } from "./openai-operations/moderation-dialect.ts";
import { rerankDialect } from "./openai-operations/rerank-dialect.ts";
import { speechDialect } from "./openai-operations/speech-dialect.ts";
import { transcriptionDialect } from "./openai-operations/transcription-dialect.ts";
import { responsesDialect } from "./openai-responses/responses-dialect.ts";
import { translatedResponsesDialect } from "./openai-responses/translated-dialect.ts";

type Kind = Provider["kind"];

/** What providers of a kind can be asked for: the catalog refuses a route to one that has no dialect for its model. */
type DialectsOf<Called extends Provider> = {
  readonly [Name in Operation]?: Dialect<Extract<ParsedRequest, { operation: Name }>, Called>;
};

/** What is known of a dialect before there is a request. */
type DialectFacts = Pick<Dialect, "language" | "losesParameter">;

/** What decides between the dialects of one provider. */
type RequestKind = Pick<ParsedRequest, "operation" | "language">;

export const dialects: {
  readonly [Named in Kind]: DialectsOf<Extract<Provider, { kind: Named }>>;
} = {
  "openai-compatible": {
    chat: openaiDialect,
    embeddings: embeddingsDialect,
    image: imagesDialect,
    speech: speechDialect,
    transcription: transcriptionDialect,
    rerank: rerankDialect,
    moderation: moderationDialect,
  },
  anthropic: { chat: anthropicDialect },
  google: {
    chat: geminiDialect,
    embeddings: geminiEmbeddingsDialect,
    image: geminiImagesDialect,
    speech: geminiSpeechDialect,
    transcription: geminiTranscriptionDialect,
  },
  elevenlabs: { speech: elevenLabsSpeechDialect, transcription: elevenLabsTranscriptionDialect },
  deepgram: { speech: deepgramSpeechDialect, transcription: deepgramTranscriptionDialect },
};

/** The dialect of an upstream's `/responses`, if a request goes there; its callers are relayed. */
function responsesDialectOf(provider: Provider, request: RequestKind): DialectFacts | undefined {
  if (request.operation !== "chat" || provider.kind !== "openai-compatible") return undefined;
  const { responses } = provider.quirks;
  if (request.language === responsesLanguage) {
    return responses === "none" ? undefined : responsesDialect;
  }
  // The reasoning in a conversation of `/responses` can be read there, and is summarized as well.
  const isCompaction = request.language === compactionLanguage && responses === "native";
  return responses === "only" || isCompaction ? translatedResponsesDialect : undefined;
}

/**
 * The dialect for a call, or before a call is made. The cast is safe because the table's type has under
 * each kind and operation a dialect for that kind's providers and that operation's requests, which
 * TypeScript cannot follow through a lookup.
 */
export function dialectOf<Request extends ParsedRequest>({
  provider,
  request,
}: Pick<UpstreamCall<Request>, "provider" | "request">): Dialect<Request> {
  return findDialect(provider, request) as Dialect<Request>;
}

/** Whether a provider answers in the caller's own language, so that its answer is passed on as it is. */
export function isRelayed(provider: Provider, request: ParsedRequest): boolean {
  return findDialect(provider, request).language === request.language;
}

/** The same before there is a request. */
export function findDialect(provider: Provider, request: RequestKind): DialectFacts {
  const { [request.operation]: table }: Readonly<Partial<Record<Operation, DialectFacts>>> =
    dialects[provider.kind];
  const dialect = responsesDialectOf(provider, request) ?? table;
  if (dialect === undefined) throw new Error(`${provider.id} has no ${request.operation} dialect`);
  return dialect;
}
