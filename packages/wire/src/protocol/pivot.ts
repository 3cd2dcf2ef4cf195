// What passes between a caller's protocol and an upstream's dialect if they have different
// languages: typed requests, typed events and the counts both sides bill by. If both have the same
// language their own bytes pass instead.
import type { JsonObject } from "@turnpike/base";
import type { BilledUsage, Nanos } from "@turnpike/terms";
import type { ChatRequest } from "../chat/parse-chat-request.ts";
import type { EmbeddingsRequest } from "../embeddings/parse-embeddings-request.ts";
import type { ImageRequest } from "../images/parse-image-request.ts";
import type { ModerationRequest } from "../moderations/parse-moderation-request.ts";
import type { RerankRequest } from "../rerank/parse-rerank-request.ts";
import type { SpeechRequest } from "../speech/parse-speech-request.ts";
import type { TranscriptionRequest } from "../transcriptions/transcription-request.ts";

/** A parsed request of any protocol. */
export type ParsedRequest =
  | ChatRequest
  | EmbeddingsRequest
  | ImageRequest
  | SpeechRequest
  | TranscriptionRequest
  | RerankRequest
  | ModerationRequest;

/** Cached and cache-written tokens are parts of the prompt, reasoning tokens of the completion. */
export type TokenUsage = BilledUsage & {
  readonly reasoningTokens: number;
  /** The used and unused tokens of a predicted answer. Both are parts of the completion. */
  readonly acceptedPredictionTokens?: number;
  readonly rejectedPredictionTokens?: number;
  /** The service tier that answered, for calls that ask for one, if the upstream names it. */
  readonly serviceTier?: string;
};

/** What a call was charged, and for what. */
export type Bill = {
  readonly usage: TokenUsage;
  readonly costNanos: Nanos;
  /** The service tier it was billed at, for a call that asked for one. */
  readonly serviceTier?: string | undefined;
};

/** What an answer shows instead of the upstream's own id, model and time. */
export type AnswerIdentity = {
  readonly id: string;
  readonly model: string;
  /** Unix seconds. */
  readonly created: number;
  /** Who answers, for callers who are shown it. */
  readonly provider?: string;
};

export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter" | "function_call";

/** One piece of a model's answer. `choice` counts from 0 if several answers were asked for. */
export type DeltaEvent =
  | { readonly kind: "text"; readonly choice: number; readonly text: string }
  /**
   * `signature` proves the reasoning to the provider that wrote it, and comes with the last fragment of
   * a block of reasoning: what follows belongs to the next.
   */
  | {
      readonly kind: "reasoning";
      readonly choice: number;
      readonly text: string;
      readonly signature: string | undefined;
      /** Whose format a signature or encrypted data is in, as OpenRouter names it. */
      readonly format?: string;
    }
  /** Reasoning that only its provider can read; it is sent back unchanged. */
  | {
      readonly kind: "reasoning_encrypted";
      readonly choice: number;
      readonly data: string;
      readonly id: string | undefined;
      readonly format?: string;
    }
  | { readonly kind: "refusal"; readonly choice: number; readonly text: string }
  /** `id` and `name` are in the first fragment of a call; `index` counts the calls of a choice. */
  | {
      readonly kind: "tool_call";
      readonly choice: number;
      readonly index: number;
      readonly id: string | undefined;
      readonly name: string | undefined;
      readonly arguments: string;
      /** A call of a custom tool: `arguments` is text in the tool's own format. */
      readonly isCustom?: boolean;
      /** Members of the call that its provider needs back, such as `extra_content`. */
      readonly extra?: JsonObject;
      /** The same for clients that only send details of the reasoning back. */
      readonly encrypted?: { readonly data: string; readonly format: string };
    }
  | { readonly kind: "audio"; readonly choice: number; readonly audio: JsonObject }
  /** A whole image, as a data URL. */
  | { readonly kind: "image"; readonly choice: number; readonly url: string }
  | { readonly kind: "logprobs"; readonly choice: number; readonly logprobs: JsonObject }
  | {
      readonly kind: "finish";
      readonly choice: number;
      readonly reason: FinishReason;
      /** Which of the caller's stop sequences ended the answer, if the upstream says so. */
      readonly stopSequence?: string;
    };

/** A tool call, or a fragment of one. */
export type ToolCall = Extract<DeltaEvent, { kind: "tool_call" }>;

/**
 * A whole answer: a body in the caller's own language, without usage, or typed deltas for the
 * caller's protocol to write.
 */
export type ChatContent =
  | {
      readonly kind: "body";
      readonly body: JsonObject;
      /** The text of `body` if its bytes are to be kept. */
      readonly text?: string;
      /** Members of an embeddings answer that are written as this JSON, and not as they are in `body`. */
      readonly copied?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "deltas"; readonly deltas: readonly DeltaEvent[] };

/** The same of every operation. */
export type AnswerContent =
  | ChatContent
  /** With the form that they turned out to have, where the provider says it. */
  | {
      readonly kind: "images";
      readonly images: readonly GeneratedImage[];
      readonly size: string | undefined;
      readonly quality: string | undefined;
      readonly outputFormat: string | undefined;
      readonly background: string | undefined;
    }
  /** What an audio file says. Members that are undefined were not reported. */
  | {
      readonly kind: "transcript";
      readonly text: string;
      readonly language: string | undefined;
      readonly durationSeconds: number | undefined;
      readonly segments: readonly TranscriptSegment[] | undefined;
      readonly words: readonly JsonObject[] | undefined;
      readonly logprobs: readonly unknown[] | undefined;
    }
  /** Speech in one piece. */
  | { readonly kind: "audio"; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Documents by their place in the request, the best first. */
  | { readonly kind: "ranking"; readonly results: readonly RankedDocument[] }
  /** One result for each text, or one for all parts, as the provider wrote it. */
  | { readonly kind: "moderation"; readonly results: readonly JsonObject[] };

/** One of the two is there: the image itself, or an address of it. */
export type GeneratedImage = {
  readonly base64?: string;
  readonly url?: string;
  readonly revisedPrompt?: string;
};

/** With whatever else its provider says of it; times are seconds. */
export type TranscriptSegment = JsonObject & {
  readonly start: number;
  readonly end: number;
  readonly text: string;
};

export type RankedDocument = { readonly index: number; readonly score: number };
