// The terms of the catalog. Prices are nano-dollars per million tokens and belong to an immutable
// version; a model that is not callable (no credentials) is not in a `Catalog` at all.

import type { PriceId } from "@turnpike/base";
import type { Provider } from "@turnpike/providers";
import type { ByServiceTier, BySize, Operation, PriceList, Rates } from "@turnpike/terms";
import type { ParsedRequest } from "@turnpike/wire";

/**
 * How the text of a prompt becomes tokens: one of OpenAI's public tokenizers, by the names of
 * https://github.com/openai/tiktoken, or `bytes` if the tokenizer is not known.
 */
export const tokenizers = ["bytes", "o200k_base", "cl100k_base", "p50k_base", "r50k_base"] as const;
export type Tokenizer = (typeof tokenizers)[number];

/**
 * `prediction`: callers may predict the answer; `dimensions`: callers may ask for shorter vectors; `timestamps`: transcripts have
 * the times of what is said.
 */
export const capabilities = [
  "tools",
  "json_schema",
  "reasoning",
  "vision",
  "files",
  "prediction",
  "dimensions",
  "timestamps",
] as const;
export type Capability = (typeof capabilities)[number];

export const reasoningOutputs = ["visible", "hidden"] as const;
export type ReasoningOutput = (typeof reasoningOutputs)[number];

/** One immutable version of rates: what a bill names. */
export type PriceVersion = Rates & { readonly id: PriceId; readonly since: Date };

/** The versions in force of a price list. */
export type Price = BySize<PriceVersion> & {
  readonly tiers?: ByServiceTier<BySize<PriceVersion>>;
};

export const dataCollections = ["allow", "deny"] as const;
/** Whether a provider may keep or train on what it is sent. */
export type DataCollection = (typeof dataCollections)[number];

/** In milliseconds, of streamed and of whole answers. */
export type FirstByteTimeouts = {
  readonly stream?: number | undefined;
  readonly whole?: number | undefined;
};

/** One provider's offer of a model. An unknown data policy promises nothing to callers. */
type RouteFacts = {
  readonly provider: Provider;
  readonly upstreamModel: string;
  readonly dataCollection?: DataCollection | undefined;
  /** Zero data retention. */
  readonly zdr?: boolean | undefined;
  /** What it costs the operator, shown only to the operator; unknown if absent. */
  readonly cost?: PriceList | undefined;
  /** What a request may contain, if that differs from the model's capabilities. */
  readonly parameters?: readonly string[] | undefined;
  /** Routes of one tier share the calls; a higher tier is tried if the lower ones fail. */
  readonly tier?: number | undefined;
  /** Concurrent calls that this process sends to it. */
  readonly maxConcurrent?: number | undefined;
  /** How long its answers may take to begin; without one, as long as docs/routing.md says. */
  readonly firstByteTimeouts?: FirstByteTimeouts | undefined;
};

/** What the catalog says about a route, before its own price has a version. */
export type RouteEntry = RouteFacts & { readonly rates?: PriceList | undefined };

/** Without its own price it has that of its model. */
export type Route = RouteFacts & { readonly price?: Price | undefined };

/** What every model has, for any operation. */
type ModelFacts = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly created: Date;
  /** Of one prompt; of one input of an embeddings request. */
  readonly contextTokens: number;
  readonly capabilities: readonly Capability[];
  /** With `bytes`, a hold counts each byte of the prompt as a token. */
  readonly tokenizer: Tokenizer;
};

type ChatFacts = ModelFacts & {
  readonly operation: "chat";
  readonly maxOutputTokens: number;
  /** Whether its streams show every reasoning token that is billed. */
  readonly reasoning: ReasoningOutput;
  /** The most prompt tokens one image can become. */
  readonly imageTokens: number;
  /** The most output tokens of one image in an answer, if that is not the default. */
  readonly imageOutputTokens?: number;
  /** The most prompt tokens one second of audio can become, if that is not the default. */
  readonly audioTokensPerSecond?: number;
  /** The most prompt tokens the upstream adds on its own: chat template, hidden instructions. */
  readonly templateTokens: number;
};

type EmbeddingsFacts = ModelFacts & {
  readonly operation: "embeddings";
  /** How long its vectors are, unless a caller asks for shorter ones. */
  readonly dimensions: number;
  /** The most prompt tokens one image can become, if that is not the default. */
  readonly imageTokens?: number;
};

type ImageFacts = ModelFacts & {
  readonly operation: "image";
  /** How many images one request may ask for. */
  readonly maxImages: number;
  /** How many images it takes to edit; 0 if it only makes new ones. */
  readonly inputImages: number;
  /** The most prompt tokens one of them can become. */
  readonly imageTokens: number;
  /** The most output tokens of one image, by quality and size (`high/1024x1024`), either or neither (`any`). */
  readonly outputTokens?: Readonly<Record<string, number>>;
};

type SpeechFacts = ModelFacts & {
  readonly operation: "speech";
  /** The longest text that it speaks. */
  readonly maxCharacters: number;
  /** Empty if they are not known: then any is passed on. */
  readonly voices: readonly string[];
  /** The most output tokens of one character, for a model that is billed by them. */
  readonly audioTokensPerCharacter: number;
};

type TranscriptionFacts = ModelFacts & {
  readonly operation: "transcription";
  readonly maxOutputTokens: number;
  /** The longest audio that it takes. */
  readonly maxSeconds: number;
  /** What shorter audio is billed as. */
  readonly minSeconds?: number;
  readonly audioTokensPerSecond: number;
};

type RerankFacts = ModelFacts & { readonly operation: "rerank" };

type ModerationFacts = ModelFacts & { readonly operation: "moderation" };

type FactsOf = {
  readonly chat: ChatFacts;
  readonly embeddings: EmbeddingsFacts;
  readonly image: ImageFacts;
  readonly speech: SpeechFacts;
  readonly transcription: TranscriptionFacts;
  readonly rerank: RerankFacts;
  readonly moderation: ModerationFacts;
};

/** What the catalog says about a model, before its price has a version. */
export type ModelEntry = FactsOf[Operation] & {
  readonly rates: PriceList;
  /** In the order they are tried; only those whose provider has credentials. */
  readonly routes: readonly [RouteEntry, ...RouteEntry[]];
};

type Offer = { readonly price: Price; readonly routes: readonly [Route, ...Route[]] };

export type ModelOf<Name extends Operation> = FactsOf[Name] & Offer;
export type ChatModel = ModelOf<"chat">;
export type EmbeddingsModel = ModelOf<"embeddings">;
export type Model = { readonly [Name in Operation]: ModelOf<Name> }[Operation];

/** What the account of a call pays beside the list price. */
type Terms = {
  /** In hundredths of a percent, below zero for a discount; undefined at list prices. */
  readonly markupBasisPoints?: number | undefined;
};

/** A request together with the model it names, which serves its operation. */
export type ModelRequest = Terms &
  {
    readonly [Name in Operation]: {
      readonly operation: Name;
      readonly model: ModelOf<Name>;
      readonly request: Extract<ParsedRequest, { operation: Name }>;
    };
  }[Operation];

/** The models a caller may name, by id, in the order of the file. */
export type Catalog = {
  /** Of the file it was read from. */
  readonly version: string;
  readonly models: ReadonlyMap<string, Model>;
  /** Models that an operator has switched off, alone or with every route; callers may not name them now. */
  readonly switchedOff?: ReadonlyMap<string, Model>;
  /** What an operator tells the callers of such a model, by its id. */
  readonly messages?: ReadonlyMap<string, string>;
  /** Set while an operator lets nobody make calls. */
  readonly maintenance?: Maintenance;
};

export type Maintenance = {
  /** What callers are told; empty for a sentence of our own. */
  readonly message: string;
  readonly retryAfterSeconds: number | null;
  readonly since: Date;
};

/** The catalog in force: a reload replaces it as a whole. */
export type CatalogInForce = { readonly current: Catalog };

/** A catalog file that was read without a mistake. */
export type CatalogFile = {
  /** The first twelve hex digits of the SHA-256 of the file's text. */
  readonly version: string;
  readonly models: readonly ModelEntry[];
  /** Models that cannot be called, and why. */
  readonly hidden: readonly { readonly id: string; readonly reason: string }[];
  /** Models that can be called, but not over all of their routes, and why. */
  readonly hiddenRoutes: readonly { readonly id: string; readonly reason: string }[];
  /** The files that credentials were read from, with hashes of their texts. */
  readonly credentialFiles: ReadonlyMap<string, string>;
  /** Paths of fields that this version does not know and ignores: a later one may have added them. */
  readonly unknownFields: readonly string[];
};

export const defaultImageTokens = 8_192;
/** More than any image has that a chat answers with. Sources: Google's and OpenAI's guides to making images. */
export const defaultImageOutputTokens = 8_192;
/** Google counts 32, OpenAI 10. Source: their guides to audio understanding. */
export const defaultAudioTokensPerSecond = 32;
export const defaultTemplateTokens = 256;
