// What an upstream is, what is sent to it and what it returns, in the terms that every dialect
// shares. Details of one dialect stay in its folder.
import type { Fault, JsonObject } from "@turnpike/base";
import type { UnitCount } from "@turnpike/terms";
import type {
  AnswerContent,
  AnswerIdentity,
  DeltaEvent,
  ParsedRequest,
  TokenUsage,
  UploadBody,
} from "@turnpike/wire";
import type { Credential } from "./credentials/credential.ts";
import type { OpenaiQuirks } from "./dialects/openai/quirks.ts";

/** What a cancelled stream is billed for: what was written until then, or all of it. */
export type CancelledStream = "billed_as_written" | "billed_whole";

type ProviderBase = {
  readonly id: string;
  /** The paths of the dialects are appended to it; no slash at its end. */
  readonly baseUrl: string;
  readonly credential: Credential;
  readonly cancelledStream: CancelledStream;
  /**
   * That its account has nothing a customer may not reach, so that fields which are not known here are sent to it
   * as they are. Absent: they are refused, and so are ids of files.
   */
  readonly unknownFields?: "passed";
};

/** How Azure addresses OpenAI's API: by deployments and a dated version, or as OpenAI does. */
export type AzureAddress =
  /** `apiVersion` is a date; the base URL ends in `/openai`. */
  | { readonly form: "deployments"; readonly apiVersion: string }
  /** The base URL ends in `/openai/v1`; `apiVersion` is sent only for preview features. */
  | { readonly form: "v1"; readonly apiVersion: string | undefined };

export type OpenaiProvider = ProviderBase & {
  readonly kind: "openai-compatible";
  readonly quirks: OpenaiQuirks;
  /** How Azure addresses it; absent elsewhere. */
  readonly azure?: AzureAddress;
};

export type AnthropicProvider = ProviderBase & {
  readonly kind: "anthropic";
  /** Which cloud serves its models; absent for Anthropic's own API. */
  readonly cloud?: "vertex" | "bedrock";
};

export type GoogleProvider = ProviderBase & {
  readonly kind: "google";
  /** Absent for the Gemini API. */
  readonly cloud?: "vertex";
};

/** Serves audio alone. */
export type ElevenLabsProvider = ProviderBase & { readonly kind: "elevenlabs" };

/** Serves audio alone. */
export type DeepgramProvider = ProviderBase & { readonly kind: "deepgram" };

/** One variant per family of dialects, each with the data its dialects need. */
export type Provider =
  | OpenaiProvider
  | AnthropicProvider
  | GoogleProvider
  | ElevenLabsProvider
  | DeepgramProvider;

/** Where a request may go: a provider, and its name for the model. */
export type Target<Called extends Provider = Provider> = {
  readonly provider: Called;
  readonly upstreamModel: string;
};

/** One call to one provider. */
export type UpstreamCall<
  Request extends ParsedRequest = ParsedRequest,
  Called extends Provider = Provider,
> = {
  readonly provider: Called;
  readonly upstreamModel: string;
  readonly request: Request;
  /** The output limit to send; undefined sends the caller's own, if any. */
  readonly maxTokens: number | undefined;
  /** The most output tokens that are reserved, for upstreams that always need a limit. */
  readonly coveredTokens: number;
  /**
   * Members that the model would refuse although it can do without them: of an embeddings request those
   * that match its defaults, of a chat request preferences that it does not obey.
   */
  readonly omittedFields: readonly string[];
  /** That it is billed by tokens which only its upstream can count: it is asked in the form whose answer has them. */
  readonly needsUsage?: boolean;
  readonly identity: AnswerIdentity;
  /** True if a kept-alive connection was just closed: the call opens a new one. */
  readonly freshConnection?: boolean;
};

/** What a dialect sends; the transport adds the address and the credential. */
export type DialectRequest = {
  /** The path after the provider's base URL, with its leading slash. */
  readonly path: string;
  readonly accept: "application/json" | "text/event-stream" | "*/*";
  /** In addition to those that every call has. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** What is sent instead, by a request with files. */
  readonly upload?: UploadBody;
  /** The preferences of the request that are not sent, because the upstream has nothing like them. */
  readonly ignored: readonly string[];
};

export type WholeAnswer = {
  readonly kind: "whole";
  /** The provider's own id of the answer. */
  readonly upstreamId: string | undefined;
  readonly content: AnswerContent;
  readonly usage: TokenUsage | undefined;
  /** Null if the operation has none. */
  readonly finish: FinishWords | null;
  /** Our own estimate of the output, for an answer without usage. */
  readonly deliveredTokens: number;
  /** The part of it that is audio. */
  readonly deliveredAudioTokens?: number;
  /** The images in a chat, which none of these tokens are. */
  readonly deliveredImages?: number;
  /** What of it is billed by other units. */
  readonly deliveredUnits?: readonly UnitCount[];
};

/** Why a model stopped: the reason clients know, and the provider's own. */
export type FinishWords = { readonly reason: string; readonly native: string };

/** A whole answer whose client disconnected while it was read: only what its bill needs was kept. */
export type UnreadAnswer = {
  readonly kind: "unread";
  readonly upstreamId: string | undefined;
  readonly usage: TokenUsage | undefined;
};

/** `tokens` is what an event delivers, by our own count, without its `images`; `audioTokens` the part of it that is audio. */
export type StreamEvent =
  /** One line of JSON in the caller's own language, to send unchanged, and the event's name if any. */
  | {
      readonly kind: "chunk";
      readonly json: string;
      readonly name?: string;
      readonly tokens: number;
      readonly audioTokens?: number;
      readonly images?: number;
      /** Whether a client is shown something although it has no tokens. */
      readonly isShown?: true;
    }
  /** One or more such lines with their framing, each of one delta, in bytes not shared with any other owner. */
  | {
      readonly kind: "frame";
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly tokens: number;
      readonly deltaCount: number;
    }
  /** Content for a caller of another language. */
  | {
      readonly kind: "deltas";
      readonly deltas: readonly DeltaEvent[];
      readonly tokens: number;
      readonly audioTokens?: number;
      readonly images?: number;
    }
  /** The usage of an unfinished answer: its input is known, its output is at least this. */
  | { readonly kind: "early_usage"; readonly usage: TokenUsage }
  /** Only once every choice has finished, so it is final; of several the last counts. */
  | { readonly kind: "usage"; readonly usage: TokenUsage }
  /** What a whole answer has that is billed by other units, if no usage is reported. */
  | { readonly kind: "delivered"; readonly units: readonly UnitCount[] }
  /** Only recorded: the event for the client precedes it. */
  | ({ readonly kind: "finish" } & FinishWords)
  /** The last event of a complete stream. */
  | { readonly kind: "done" };

/** Reads the bytes of one streamed answer. Does no I/O. */
export type StreamReader = {
  /** The events that `bytes` complete. Never throws; after a fault or the end it returns none. */
  push(bytes: Uint8Array): StreamEvent[];
  /** The connection ended: complete or a fault. */
  end(): StreamEvent[];
  /** Set once the stream has failed: to be thrown after the events already returned. */
  readonly fault: Fault | undefined;
  /** Whether the stream has ended as it should. */
  readonly done: boolean;
  /** Whether everything that matters has arrived: a connection that breaks now does no harm. */
  readonly finished: boolean;
  /** The upstream's own id of the answer, once an event has contained it. */
  readonly upstreamId: string | undefined;
};

export type StreamOptions = {
  readonly maxEventBytes: number;
  /** Headers of the answer: they say when to retry after an error inside it. */
  readonly headers: Headers;
  /** Whether its type says that it is a stream of events. */
  readonly isEventStream?: boolean;
};

/** The API of an upstream: pure functions over bytes. */
export type Dialect<
  Request extends ParsedRequest = ParsedRequest,
  Called extends Provider = Provider,
> = {
  /** A request in the same language is passed on without translation. */
  readonly language: string;
  readonly buildRequest: (call: UpstreamCall<Request, Called>) => DialectRequest;
  /** What to ask after a refusal for something that an answer can do without; undefined where it is final. */
  readonly retryAfterRefusal?: (
    call: UpstreamCall<Request, Called>,
    dialectRequest: DialectRequest,
    status: number,
    refusal: string,
  ) => DialectRequest | undefined;
  /** The Fault for what a request of another language has and this one cannot express. */
  readonly whyUntranslatable?: (target: Target<Called>, request: Request) => Fault | undefined;
  /** Whether a request of another language that makes use of this parameter is refused for it, or sent without. */
  readonly losesParameter?: (name: string, target: Target) => boolean;
  /** Its answers are bytes and no text, unless their type says JSON. */
  readonly isBinary?: true;
  /** Absent if nothing is ever streamed. */
  readonly openStream?: (
    call: UpstreamCall<Request, Called>,
    options: StreamOptions,
  ) => StreamReader;
  /** Reads the body of a 200. Throws the Fault of an error or of what cannot be read. */
  readonly parseWhole: (
    call: UpstreamCall<Request, Called>,
    text: string,
    headers: Headers,
  ) => WholeAnswer;
  /**
   * What the bill needs of an answer whose client has disconnected, from the small `members` of its
   * body.
   */
  readonly parseUnread: (
    call: UpstreamCall<Request, Called>,
    members: JsonObject | undefined,
    headers: Headers,
  ) => UnreadAnswer;
  /** The Fault for a status other than 200. */
  readonly refuse: (provider: Called, status: number, body: string, headers: Headers) => Fault;
};

/** The client an answer is for. */
export type UpstreamClient = {
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /**
   * Called when it disconnected, and again when the upstream begins a stream: true lets the call
   * continue, unread; false ends it immediately.
   */
  continuesWithoutClient(): boolean;
  /** Called while an answer is read that is kept, with its size so far. Throws the Fault that ends it where that is too much. */
  countAnswer?(bytes: number): void;
};

/** Follows a call to its upstream. */
export type AttemptLog = {
  /**
   * Called just before the request is sent, without the `ignored` preferences; a token for it may have been
   * obtained before.
   */
  sent(ignored: readonly string[]): void;
  /**
   * Called when the upstream refused the request without running it, and it is sent again: with another access
   * token, or without what was refused.
   */
  sendsAgain(): void;
  /** Called when the upstream answers 200, before its body is read. */
  accepted(): void;
  /** Called just before the answer is returned. */
  answered(answer: UpstreamAnswer): void;
  /** Called just before the Fault is thrown that there is instead of an answer. */
  failed(fault: Fault): void;
};

export type StreamAnswer = {
  readonly kind: "stream";
  /** The provider's own id of the answer, if it sent one before its first token. */
  readonly upstreamId: string | undefined;
  /**
   * One array per network read. Ends after `done`, or throws a Fault: then nothing follows what was
   * already returned. Must be iterated, returned, or its signal aborted: it holds a connection.
   */
  readonly events: AsyncIterableIterator<StreamEvent[]>;
};

export type UpstreamAnswer = WholeAnswer | UnreadAnswer | StreamAnswer;
