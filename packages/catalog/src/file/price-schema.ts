// The prices of `catalog.yaml`: quoted decimals in USD for what providers list them for, converted once, without a float.
import {
  nanosPerUsd,
  parseUsd,
  type RareKind,
  type Rates,
  rareRatesOf,
  type ServiceTier,
  type Unit,
  type UnitRate,
  unitNames,
  unitRateFromStated,
  units,
} from "@turnpike/terms";
import { z } from "zod";

/** The bounds keep the largest possible hold (128 choices) inside PostgreSQL's int8. */
export const tokens = z.int("must be a whole number of tokens").min(1).max(10_000_000);
const highestNanosPerMillion = 1_000_000n * nanosPerUsd;

/** USD per million tokens; a YAML number would already have been through a float. */
const usdPerMillion = z
  .unknown()
  .superRefine((value, context) => {
    const problem = findPriceProblem(value);
    if (problem) context.addIssue({ code: "custom", message: problem });
  })
  .transform((value) => (typeof value === "string" ? (parseUsd(value) ?? 0n) : 0n));

function findPriceProblem(value: unknown): string | undefined {
  if (value === undefined) return "is required";
  if (typeof value === "number") return `prices are quoted decimal strings: write "${value}"`;
  const nanos = typeof value === "string" ? parseUsd(value) : undefined;
  if (nanos !== undefined && nanos <= highestNanosPerMillion) return undefined;
  if (nanos !== undefined) return "is more than 1,000,000 USD per million tokens";
  return 'must be USD per million tokens as a decimal string with at most 9 decimals, like "0.15"';
}

/** USD per thousand searches, as providers list it. */
const usdPerThousand = usdPerMillion;

const rateFields = {
  input: usdPerMillion,
  cachedInput: usdPerMillion.optional(),
  cacheWrite: usdPerMillion.optional(),
  cacheWrite1h: usdPerMillion.optional(),
  imageInput: usdPerMillion.optional(),
  audioInput: usdPerMillion.optional(),
  imageOutput: usdPerMillion.optional(),
  audioOutput: usdPerMillion.optional(),
  webSearch: usdPerThousand.optional(),
  output: usdPerMillion,
};

const rateShape = z.strictObject(rateFields);

type StatedRates = {
  readonly [Kind in RareKind | "cachedInput" | "cacheWrite"]?: bigint | undefined;
} & {
  readonly input: bigint;
  readonly output: bigint;
};

function toRates(stated: StatedRates) {
  const { input, output, cachedInput, cacheWrite } = stated;
  return {
    inputNanosPerMillion: input,
    cachedInputNanosPerMillion: cachedInput ?? input,
    cacheWriteNanosPerMillion: cacheWrite ?? input,
    outputNanosPerMillion: output,
    ...rareRatesOf((kind) => {
      const rate = stated[kind];
      // Stated for a thousand.
      return kind === "webSearch" && rate !== undefined ? rate * 1_000n : rate;
    }),
  } satisfies Rates;
}

/** Prices of prompts with more tokens than `above`, which providers charge for the whole call. */
const longPrompts = z
  .array(
    z
      .strictObject({ above: tokens, ...rateFields })
      .transform(({ above, ...own }) => ({ ...toRates(own), aboveTokens: above })),
  )
  .min(1, "must not be empty")
  .refine((list) => list.every((each, at) => each.aboveTokens > (list[at - 1]?.aboveTokens ?? 0)), {
    error: "must be in ascending order of `above`",
  })
  .exactOptional();

type LongPrompts = z.output<typeof longPrompts>;

function toSizes<Own extends z.output<typeof rateShape> & { readonly longPrompts?: LongPrompts }>({
  longPrompts: long,
  ...own
}: Own) {
  return { ...toRates(own), ...(long !== undefined && { longPrompts: long }) };
}

const tierRates = z
  .strictObject({ ...rateFields, longPrompts })
  .transform(toSizes)
  .exactOptional();

/** Whole price lists: a provider may give one tier a discount on input only. */
const tiers = z.strictObject({
  flex: tierRates,
  scale: tierRates,
  priority: tierRates,
  fast: tierRates,
} satisfies Record<ServiceTier, typeof tierRates>);

export const rates = z
  .strictObject({ ...rateFields, longPrompts, tiers: tiers.optional() })
  .transform(({ tiers: own, ...standard }) => ({
    ...toSizes(standard),
    ...(own !== undefined && { tiers: own }),
  }));

/** Embeddings have no output, and their inputs are never cached. */
export const inputRates = z
  .strictObject({ input: usdPerMillion, imageInput: usdPerMillion.exactOptional() })
  .transform((stated) => toRates({ ...stated, output: 0n }));

const highestUnitNanos = 1_000n * nanosPerUsd;

/** USD for what the price of a unit is stated for: an image, a minute of audio. */
const usdPerUnit = usdPerMillion.refine((nanos) => nanos <= highestUnitNanos, {
  error: "is more than 1,000 USD",
});

/** One price, or one for each size and quality. */
const unitPrice = z
  .union([usdPerUnit, z.record(z.string().regex(/^[\w.:-]+(?:\/[\w.:-]+)?$/), usdPerUnit)])
  .optional();

const unitFields = {
  image: unitPrice,
  audioMinute: unitPrice,
  characters: unitPrice,
  searchUnits: unitPrice,
} satisfies Record<(typeof units)[Unit]["priceName"], typeof unitPrice>;

type StatedUnits = z.output<z.ZodObject<typeof unitFields>>;

/** By the unit that each price is named for. */
function toUnitRates(stated: Readonly<Partial<StatedUnits>>): readonly UnitRate[] {
  return unitNames.flatMap((unit): UnitRate[] => {
    const price = stated[units[unit].priceName];
    if (price === undefined) return [];
    const rate = (nanos: bigint) => unitRateFromStated(unit, nanos);
    if (typeof price === "bigint") return [{ unit, nanosPerMillion: rate(price) }];
    return Object.entries(price).map(([variant, nanos]) => {
      return { unit, variant, nanosPerMillion: rate(nanos) };
    });
  });
}

const operationRateFields = {
  input: usdPerMillion.optional(),
  cachedInput: usdPerMillion.optional(),
  imageInput: usdPerMillion.optional(),
  audioInput: usdPerMillion.optional(),
  output: usdPerMillion.optional(),
  imageOutput: usdPerMillion.optional(),
  audioOutput: usdPerMillion.optional(),
  ...unitFields,
} as const;

type OperationPrice = keyof typeof operationRateFields;

/** The cast is safe because all prices of an operation may be absent, as those are that it has no field for. */
function asRateFields(fields: Readonly<Record<string, z.ZodType>>): typeof operationRateFields {
  return fields as unknown as typeof operationRateFields;
}

/** The prices of an operation beside chat and embeddings: those it may have, of which it needs one unless it may be free. */
export function ratesOfOperation(names: readonly OperationPrice[], mayBeFree = false) {
  const fields = Object.fromEntries(names.map((name) => [name, operationRateFields[name]]));
  return z
    .strictObject(asRateFields(fields))
    .refine((stated) => mayBeFree || Object.keys(stated).length > 0, {
      error: `needs at least one of ${names.join(", ")}`,
    })
    .transform((stated): Rates => {
      const { input = 0n, output = 0n } = stated;
      const rates = toRates({ ...stated, input, output });
      const unitRates = toUnitRates(stated);
      return { ...rates, ...(unitRates.length > 0 && { units: unitRates }) };
    });
}
