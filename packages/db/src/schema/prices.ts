// Price versions: appended, never edited, so that every bill can be recomputed from its row.
// Amounts are nano-dollars per million tokens.
import type { PriceId } from "@turnpike/base";
import {
  type RareKind,
  type Rates,
  rareRatesOf,
  rateOf,
  toNanos,
  type UnitRate,
} from "@turnpike/terms";
import { index, integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { idColumn, instant, nanosColumn } from "./columns.ts";

/** JSON has no integer that holds every rate. */
export type StoredUnitRate = Omit<UnitRate, "nanosPerMillion"> & {
  readonly nanosPerMillion: string;
};

export const prices = pgTable(
  "prices",
  {
    id: idColumn<PriceId>("id").primaryKey(),
    model: text("model").notNull(),
    /** Provider and upstream model, for the price of one route; empty for the model's own. */
    route: text("route").notNull().default(""),
    /** A service tier that has its own rates; empty for the standard one. */
    tier: text("tier").notNull().default(""),
    /** Rates of prompts with more tokens than this; 0 for prompts of any size. */
    abovePromptTokens: integer("above_prompt_tokens").notNull().default(0),
    inputNanos: nanosColumn("input_nanos").notNull(),
    cachedInputNanos: nanosColumn("cached_input_nanos").notNull(),
    cacheWriteNanos: nanosColumn("cache_write_nanos").notNull(),
    /** Null if a model has no price for what is cached for an hour. */
    cacheWrite1hNanos: nanosColumn("cache_write_1h_nanos"),
    /** Null for a model without audio or searches; that of searches is for a million of them. */
    audioInputNanos: nanosColumn("audio_input_nanos"),
    audioOutputNanos: nanosColumn("audio_output_nanos"),
    webSearchNanos: nanosColumn("web_search_nanos"),
    outputNanos: nanosColumn("output_nanos").notNull(),
    since: instant("since").notNull().defaultNow(),
    /** Null where images cost what text costs. */
    imageInputNanos: nanosColumn("image_input_nanos"),
    imageOutputNanos: nanosColumn("image_output_nanos"),
    /** What is billed by other units; null for a model that is billed by tokens only. */
    unitRates: jsonb("unit_rates").$type<readonly StoredUnitRate[]>(),
  },
  (table) => [
    index("prices_tier_since").on(table.model, table.route, table.tier, table.since.desc()),
  ],
);

/** The columns of one version that are rates. */
export const rateColumns = {
  inputNanos: prices.inputNanos,
  cachedInputNanos: prices.cachedInputNanos,
  cacheWriteNanos: prices.cacheWriteNanos,
  cacheWrite1hNanos: prices.cacheWrite1hNanos,
  imageInputNanos: prices.imageInputNanos,
  audioInputNanos: prices.audioInputNanos,
  imageOutputNanos: prices.imageOutputNanos,
  audioOutputNanos: prices.audioOutputNanos,
  webSearchNanos: prices.webSearchNanos,
  outputNanos: prices.outputNanos,
  unitRates: prices.unitRates,
} as const;

type RateRow = Pick<typeof prices.$inferSelect, keyof typeof rateColumns>;

/** The rates of a version. */
export function toRates(row: RateRow): Rates {
  return {
    inputNanosPerMillion: row.inputNanos,
    cachedInputNanosPerMillion: row.cachedInputNanos,
    cacheWriteNanosPerMillion: row.cacheWriteNanos,
    outputNanosPerMillion: row.outputNanos,
    ...rareRatesOf((kind) => row[`${kind}Nanos` as const]),
    ...(row.unitRates !== null && {
      units: row.unitRates.map((rate) => ({
        ...rate,
        nanosPerMillion: BigInt(rate.nanosPerMillion),
      })),
    }),
  };
}

/** The same as they are stored. */
export function toRateRow(rates: Rates): RateRow {
  const nullable = (kind: RareKind) => {
    const rate = rateOf(rates, kind);
    return rate === undefined ? null : toNanos(rate);
  };
  return {
    inputNanos: toNanos(rates.inputNanosPerMillion),
    cachedInputNanos: toNanos(rates.cachedInputNanosPerMillion),
    cacheWriteNanos: toNanos(rates.cacheWriteNanosPerMillion),
    cacheWrite1hNanos: nullable("cacheWrite1h"),
    imageInputNanos: nullable("imageInput"),
    audioInputNanos: nullable("audioInput"),
    imageOutputNanos: nullable("imageOutput"),
    audioOutputNanos: nullable("audioOutput"),
    webSearchNanos: nullable("webSearch"),
    outputNanos: toNanos(rates.outputNanosPerMillion),
    unitRates:
      rates.units?.map((rate) => ({ ...rate, nanosPerMillion: rate.nanosPerMillion.toString() })) ??
      null,
  };
}
