// What is billed besides tokens, by unit: images, time of audio, characters, searches of a reranker. A count is a whole number
// of the smallest part that is billed, and a price is for as many of them as providers list it for.
import { namesOf } from "./names-of.ts";

type UnitRow = {
  /** As bills and prices name it. */
  readonly name: string;
  /** What a stated price is for. */
  readonly per: string;
  /** How many of the counted parts that is. */
  readonly statedCount: bigint;
  /** As `catalog.yaml` and the APIs name the price. */
  readonly priceName: string;
};

export const units = {
  images: { name: "Images", per: "image", statedCount: 1n, priceName: "image" },
  audioMilliseconds: {
    name: "Audio",
    per: "minute of audio",
    statedCount: 60_000n,
    priceName: "audioMinute",
  },
  characters: {
    name: "Characters",
    per: "1M characters",
    statedCount: 1_000_000n,
    priceName: "characters",
  },
  searchUnits: {
    name: "Search units",
    per: "1,000 search units",
    statedCount: 1_000n,
    priceName: "searchUnits",
  },
} as const satisfies Readonly<Record<string, UnitRow>>;

export type Unit = keyof typeof units;

export const unitNames = namesOf(units);

/** So many of a unit. A variant, such as the size of an image, has a price of its own. */
export type UnitCount = {
  readonly unit: Unit;
  readonly variant?: string | undefined;
  readonly count: number;
};

export type UnitRate = {
  readonly unit: Unit;
  readonly variant?: string | undefined;
  /** For a million of what is counted. */
  readonly nanosPerMillion: bigint;
};

/** The rate of a variant, or else that of the unit; undefined if the list has neither. */
export function unitRateOf(
  rates: readonly UnitRate[],
  { unit, variant }: Pick<UnitCount, "unit" | "variant">,
): bigint | undefined {
  let general: bigint | undefined;
  for (const rate of rates) {
    if (rate.unit !== unit) continue;
    if (rate.variant === variant) return rate.nanosPerMillion;
    if (rate.variant === undefined) general = rate.nanosPerMillion;
  }
  return general;
}

/** The rate of a million, of a price that is stated for `statedCount`. Rounded up where it is no whole number. */
export function unitRateFromStated(unit: Unit, nanos: bigint): bigint {
  const { statedCount } = units[unit];
  return (nanos * 1_000_000n + statedCount - 1n) / statedCount;
}

/** The inverse: exact for every price that `unitRateFromStated` has converted, because that is rounded up by less than one. */
export function statedUnitPrice({ unit, nanosPerMillion }: UnitRate): bigint {
  return (nanosPerMillion * units[unit].statedCount) / 1_000_000n;
}
