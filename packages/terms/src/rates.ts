// What a million tokens of each kind and other units cost, and which rates apply to a call: by the size of its prompt and its service
// tier. Whatever goes through all kinds of a price goes through `rateKinds`, so that a new kind is named here.
import type { ServiceTier } from "./closed-sets.ts";
import { namesOf } from "./names-of.ts";
import type { UnitRate } from "./units.ts";

/** What is billed by the token, and searches, as bills list and name it. */
export const rateNames = {
  input: "Input",
  imageInput: "Image input",
  audioInput: "Audio input",
  cachedInput: "Cached input",
  cacheWrite: "Cache write",
  cacheWrite1h: "Cache write, 1 hour",
  output: "Output",
  imageOutput: "Image output",
  audioOutput: "Audio output",
  webSearch: "Web search",
} as const;

export type RateKind = keyof typeof rateNames;

/** What only some models have a rate for. */
export const rareKinds = [
  "cacheWrite1h",
  "imageInput",
  "audioInput",
  "imageOutput",
  "audioOutput",
  "webSearch",
] as const satisfies readonly RateKind[];
export type RareKind = (typeof rareKinds)[number];
export type CommonKind = Exclude<RateKind, RareKind>;

export const rateKinds = namesOf(rateNames);

/**
 * What a million tokens cost, or a million searches. Cached and cache-write tokens are parts of the prompt. A model without a
 * rate for what is cached for an hour, for audio or for searches does not serve requests that need it; images without one
 * cost what text costs.
 */
export type Rates = {
  readonly [Kind in CommonKind as `${Kind}NanosPerMillion`]: bigint;
} & {
  readonly [Kind in RareKind as `${Kind}NanosPerMillion`]?: bigint | undefined;
} & {
  /** What is billed by other units. */
  readonly units?: readonly UnitRate[] | undefined;
};

/** The rare rates of a list, by `read`; those it has none for are absent. */
export function rareRatesOf(read: (kind: RareKind) => bigint | null | undefined) {
  const rare: { [Kind in RareKind as `${Kind}NanosPerMillion`]?: bigint } = {};
  for (const kind of rareKinds) {
    const rate = read(kind);
    if (rate !== null && rate !== undefined) rare[`${kind}NanosPerMillion` as const] = rate;
  }
  return rare;
}

/** The rate of one kind as its own price list has it. */
export function rateOf<Kind extends RateKind>(rates: Rates, kind: Kind) {
  return rates[`${kind}NanosPerMillion` as const];
}

/** Whether two price lists are the same. */
export function isSameRates(a: Rates, b: Rates): boolean {
  return (
    rateKinds.every((kind) => rateOf(a, kind) === rateOf(b, kind)) &&
    unitKey(a.units) === unitKey(b.units)
  );
}

function unitKey(rates: readonly UnitRate[] = []): string {
  const each = rates.map(({ unit, variant = "", nanosPerMillion }) =>
    [unit, variant, nanosPerMillion].join(" "),
  );
  return each.sort().join("\n");
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
  const { units } = rates;
  return {
    ...rates,
    ...scaled,
    ...(units !== undefined && {
      units: units.map((unit) => ({
        ...unit,
        nanosPerMillion: scaleRate(unit.nanosPerMillion, markupBasisPoints),
      })),
    }),
  };
}
