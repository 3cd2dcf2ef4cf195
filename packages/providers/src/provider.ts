// What an upstream is, what is asked of it and what comes back. Every difference between
// OpenAI-alike services is a value of `ProviderQuirks`; shared code never knows their names.

import type { ChatRequest, TokenUsage } from "@turnpike/wire";

/** The closed vocabulary of differences; a provider is data made of these words. */
export type ProviderQuirks = {
  /** Spelling of the output limit it understands. */
  readonly tokenLimit: "max_completion_tokens" | "max_tokens";
  /**
   * Whether one streamed delta is one token, or several whose number is estimated. A delta that
   * cannot be one token is estimated in either case.
   */
  readonly tokensPerDelta: "one" | "many";
  /** Usage on a stream comes when asked by `stream_options`, or always and asking is an error. */
  readonly streamUsage: "on_request" | "always";
  /** Whether deltas are padded by default and `include_obfuscation: false` ends that. */
  readonly streamPadding: "none" | "by_default";
  /** Its word for "some tool must be called". */
  readonly mustCallTool: "required" | "any";
  /** Shape of tool-call ids it accepts. */
  readonly toolCallIds: "any" | "nine_alphanumerics";
  /** Its name for the sampling seed. */
  readonly seed: "seed" | "random_seed";
  /** What it does with fields meant for gateways; only one that ignores them is sent them. */
  readonly controlFields: "ignores" | "rejects" | "obeys";
  /** Whether `completion_tokens` contains the reasoning tokens, as OpenAI's does. */
  readonly reasoningTokens: "included" | "apart";
  /** Whether it bills a cancelled stream for what it had written, or generates and bills all of it. */
  readonly cancelledStream: "billed_as_written" | "billed_whole";
};

export type Provider = {
  readonly id: string;
  readonly kind: "openai-compatible";
  /** Ends before `/chat/completions`. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly quirks: ProviderQuirks;
};

/** One completion asked of one provider. */
export type UpstreamCall = {
  readonly provider: Provider;
  readonly upstreamModel: string;
  readonly chat: ChatRequest;
  /** The output limit to send; undefined sends the caller's own, if any. */
  readonly maxTokens: number | undefined;
  /** What the answer shows instead of the upstream's id, model and time (unix seconds). */
  readonly chatId: string;
  readonly publicModel: string;
  readonly created: number;
};

/** The client an answer is for. */
export type UpstreamClient = {
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal;
  /** Asked when it left: true lets the call run to its end, unread; false ends it at once. */
  readonly runsOn: () => boolean;
};

export type UpstreamLimits = {
  /** From the call to the first byte of the answer's body; connecting is part of it. */
  readonly firstByteMs: number;
  /** Silence between two reads of the body. */
  readonly interChunkMs: number;
  readonly totalMs: number;
  readonly maxBodyBytes: number;
  readonly maxEventBytes: number;
};

/** A live stream is never silent for two minutes, and no answer takes a quarter of an hour. */
export const streamLimits: UpstreamLimits = {
  firstByteMs: 120_000,
  interChunkMs: 120_000,
  totalMs: 900_000,
  maxBodyBytes: 32 * 1024 * 1024,
  maxEventBytes: 1024 * 1024,
};

/** A whole answer is silent while it is made, so its first byte may take ten minutes. */
export const wholeLimits: UpstreamLimits = { ...streamLimits, firstByteMs: 600_000 };

export type WholeAnswer = {
  readonly kind: "whole";
  /** The provider's own id of the answer. */
  readonly upstreamId: string | undefined;
  /** As OpenAI answers: our id, model and created, explicit nullables, no `usage`. */
  readonly body: Record<string, unknown>;
  readonly usage: TokenUsage | undefined;
  readonly finishReason: string;
  readonly nativeFinishReason: string;
  /** Our own estimate of the output, for an answer without usage. */
  readonly deliveredTokens: number;
};

/** A whole answer whose client left while it was read: only what its bill needs was kept. */
export type UnreadAnswer = {
  readonly kind: "unread";
  readonly upstreamId: string | undefined;
  readonly usage: TokenUsage | undefined;
};

export type StreamEvent =
  /** `json` is one line to send as it stands; `tokens` is what it delivers by our own count. */
  | { readonly kind: "chunk"; readonly json: string; readonly tokens: number }
  /** Only once every choice has finished, so it is final; of several the last counts. */
  | { readonly kind: "usage"; readonly usage: TokenUsage }
  /** For the record only: the chunk that says so precedes it. */
  | { readonly kind: "finish"; readonly reason: string; readonly native: string }
  /** The last event of a complete stream. */
  | { readonly kind: "done" };

export type StreamAnswer = {
  readonly kind: "stream";
  /** The provider's own id of the answer, where it told one before its first token. */
  readonly upstreamId: string | undefined;
  /**
   * One array per network read. Ends after `done`, or throws a Fault: then nothing follows what was
   * already handed out. Must be iterated, returned, or its signal aborted: it holds a connection.
   */
  readonly events: AsyncIterableIterator<StreamEvent[]>;
};

export type UpstreamAnswer = WholeAnswer | UnreadAnswer | StreamAnswer;
