// What a million tokens of each kind cost, and which rates apply to a call: by the size of its prompt and its service
// tier. Whatever goes through all kinds of a price goes through `rateKinds`, so that a new kind is named here.
import type { ServiceTier } from "./closed-sets.ts";

/** What is billed, as bills list and name it. */
export const rateNames = {
  input: "Input",
  audioInput: "Audio input",
  cachedInput: "Cached input",
  cacheWrite: "Cache write",
  cacheWrite1h: "Cache write, 1 hour",
  output: "Output",
  audioOutput: "Audio output",
  webSearch: "Web search",
} as const;

export type RateKind = keyof typeof rateNames;
/** What only some models have a rate for. */
export type RareKind = Exclude<RateKind, "input" | "cachedInput" | "cacheWrite" | "output">;

export const rateKinds: readonly RateKind[] = [
  "input",
  "audioInput",
  "cachedInput",
  "cacheWrite",
  "cacheWrite1h",
  "output",
  "audioOutput",
  "webSearch",
];

/** What a million tokens cost. Cached and cache-write tokens are parts of the prompt. */
export type Rates = {
  readonly inputNanosPerMillion: bigint;
  readonly cachedInputNanosPerMillion: bigint;
  readonly cacheWriteNanosPerMillion: bigint;
  /** For what a cache keeps for an hour; a model without it does not serve such requests. */
  readonly cacheWrite1hNanosPerMillion?: bigint | undefined;
  /** For audio in the prompt and in the answer; without them a model accepts and produces none. */
  readonly audioInputNanosPerMillion?: bigint | undefined;
  readonly audioOutputNanosPerMillion?: bigint | undefined;
  /** For a million searches. */
  readonly webSearchNanosPerMillion?: bigint | undefined;
  readonly outputNanosPerMillion: bigint;
};

/** The rate of one kind as its own price list has it. */
export function rateOf<Kind extends RateKind>(rates: Rates, kind: Kind) {
  return rates[`${kind}NanosPerMillion` as const];
}

/** Rates of calls whose prompt has more than `aboveTokens` tokens, cached ones included: for all of their tokens. */
export type LongPrompt<Value> = Value & { readonly aboveTokens: number };

/** Rates, and those of long prompts, if they cost more: shortest first. */
export type BySize<Value> = Value & { readonly longPrompts?: readonly LongPrompt<Value>[] };

/** Service tiers with their own rates; calls that ask for another one are refused. */
export type ByServiceTier<Value> = Readonly<Partial<Record<ServiceTier, Value>>>;

/** The rates of a model or route, and those of its service tiers. */
export type PriceList = BySize<Rates> & {
  readonly tiers?: ByServiceTier<BySize<Rates>> | undefined;
};

/** The rates for a prompt of this many tokens. */
export function ratesFor<Value extends Rates>(list: BySize<Value>, promptTokens: number): Value {
  let sized: Value = list;
  for (const long of list.longPrompts ?? []) if (promptTokens > long.aboveTokens) sized = long;
  return sized;
}

/**
 * `rate` is in nano-dollars per million tokens; the markup is in hundredths of a percent, below zero for a
 * discount. Rounded to a whole nano-dollar per million, half up: the one place that does, for the hold, the charge
 * and every line that explains it.
 */
function scaleRate(rate: bigint, markupBasisPoints: number): bigint {
  return (rate * BigInt(10_000 + markupBasisPoints) + 5_000n) / 10_000n;
}

/** Each rate with a markup in hundredths of a percent. */
export function scaleRates<Value extends Rates>(rates: Value, markupBasisPoints: number): Value {
  const scaled: Partial<Record<`${RateKind}NanosPerMillion`, bigint>> = {};
  for (const kind of rateKinds) {
    const rate = rateOf(rates, kind);
    if (rate !== undefined) {
      scaled[`${kind}NanosPerMillion` as const] = scaleRate(rate, markupBasisPoints);
    }
  }
  return { ...rates, ...scaled };
}
