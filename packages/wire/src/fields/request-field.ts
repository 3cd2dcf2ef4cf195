// What a row of the table of request fields says. Everything that the gateway does with a field by its name follows
// from its row; a value is interpreted by the function that the row or a dialect names.
import type { Bounds } from "../checks/bounds.ts";
import type { Rule } from "../checks/check-value.ts";
import type { Api } from "../protocol/languages.ts";

/** Whether a value, which is not null, is of a kind. */
export type Test = (value: unknown) => boolean;

/**
 * `pass`: sent as it is, translated, or refused where that is impossible. `price`: refused without a price for it.
 * `preference`: one without it still answers what was asked, so a provider that has nothing like it is asked without.
 * `ours`: read here and not sent. `refuse`: no value that asks for anything is honored.
 */
export type FieldRule = "pass" | "price" | "preference" | "ours" | "refuse";

/** What one API makes of a field. */
export type ApiField = {
  readonly check?: Rule;
  /** What the function enforces that reads it, where that is not a rule. */
  readonly bounds?: Bounds;
  /** Read by the function that parses the request, before the others. */
  readonly isReadByParser?: true;
  /** Not of the API's author, but of services and servers that have it. */
  readonly isForeign?: true;
  /** What it is in the chat completion that a request is translated to; by default the field of that name. */
  readonly inChat?: "translated" | "nothing";
  /** Never honored, unless the value passes the test. */
  readonly refused?: { readonly why: string; readonly unless?: Test };
  /** Changes the price in this API alone. */
  readonly price?: Test;
  /** Billed or obeyed by its name, which is refused in another case. */
  readonly isExactName?: true;
  /** Binds an answer, and no summary of its conversation. */
  readonly bindsAnswer?: true;
};

/** The APIs of upstreams that a chat completion or embeddings are translated to. */
export const dialectNames = ["anthropic", "gemini", "responses", "geminiEmbeddings"] as const;
export type DialectName = (typeof dialectNames)[number];

/** The name of a field whose value is the same there; true where a function of the dialect writes it. */
export type Translation = string | true;

export type Translations = Readonly<Partial<Record<DialectName, Translation>>>;

/** A rate of a price list that a field needs. */
export type NeededRate =
  | "tiers"
  | "audioOutputNanosPerMillion"
  | "imageOutputNanosPerMillion"
  | "webSearchNanosPerMillion";

/** Of which models a field is listed in `supported_parameters`; `declared`: only where the catalog lists it. */
export type Listing =
  | "always"
  | "declared"
  | { readonly with: string }
  | { readonly without: string }
  | { readonly price: NeededRate };

/** APIs in which fields of a chat completion have other names. */
export type NamingApi = "responses" | "messages" | "gemini";

export type RequestField = {
  readonly rule: FieldRule;
  /** Which APIs have it. Responses have the fields of a chat completion, apart from those that they refuse. */
  readonly of: Readonly<Partial<Record<Api, ApiField>>>;
  /** What other APIs call the same field of a chat completion. */
  readonly names?: Readonly<Partial<Record<NamingApi, string>>>;
  readonly to?: Translations;
  /** Values that ask for what every provider does anyway, besides null. */
  readonly asksForNothing?: Test;
  /** Values of a chat completion that change its price, unless a rate of `listed` covers them. */
  readonly price?: Test;
  /** Absent: a model is not known to support it. */
  readonly listed?: Listing;
  /** Another name for it in that list. */
  readonly alsoListedAs?: string;
  /** Every upstream takes it or does without, or never sees it. */
  readonly isTakenEverywhere?: true;
  /** Values with which billed reasoning is not shown, or only shortened. */
  readonly hidesReasoning?: Test;
  /** Other gateways obey it: an upstream that ignores what it does not know is sent it. */
  readonly isOfGateways?: true;
  /** A field of OpenAI's that clients send by default, and that services refuse which accept only fields they know. */
  readonly isOpenaisHint?: true;
  /** What OpenAI refuses if it is longer. */
  readonly openaiMaxChars?: number;
  /** Its schema in `/openapi.json`, for a field that OpenAI's own schema of a chat completion lacks. */
  readonly schema?: Readonly<Record<string, unknown>>;
};

export type FieldTable = Readonly<Record<string, RequestField>>;

/** Of an API's own, passed without a check. */
export const own: ApiField = {};
/** Of services and servers that have the API. */
export const foreign: ApiField = { isForeign: true };
/** For records of the caller or of the API, and without effect on an answer of another. */
export const dropped: ApiField = { inChat: "nothing" };

/** For fields that a function of each dialect writes. */
export const everywhere: Translations = { anthropic: true, gemini: true, responses: true };

/** Why APIs refuse fields of a chat completion. */
export const onlyInChats = { why: "The Responses API has no such parameter." };
export const useChats = { why: "Use POST /v1/chat/completions instead." };
/** Clients of completions send some with values that ask for nothing. */
export const onlyNeutral = (neutral: unknown): ApiField => ({
  refused: {
    why: "This endpoint answers with a chat model.",
    unless: (value) => value === neutral,
  },
  inChat: "nothing",
});

/** What is published of a preference. */
export const ignoredElsewhere =
  "Ignored where the model has nothing like it; `x-turnpike-ignored` names it.";

export const anyValue: Test = () => true;
export const isZero: Test = (value) => value === 0;
export const isOne: Test = (value) => value === 1;
export const isOff: Test = (value) => value === false;
export const isEmpty: Test = (value) =>
  typeof value === "object" && Object.keys(value ?? {}).length === 0;
export const isEmptyList: Test = (value) => Array.isArray(value) && value.length === 0;

/** The same row for each of these names. */
export function each(names: readonly string[], row: RequestField): FieldTable {
  return Object.fromEntries(names.map((name) => [name, row]));
}
