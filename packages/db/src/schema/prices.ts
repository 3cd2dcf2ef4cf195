// Price versions: appended, never edited, so that every bill can be recomputed from its row.
// Amounts are nano-dollars per million tokens.
import type { PriceId } from "@turnpike/base";
import type { Rates } from "@turnpike/terms";
import { index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { idColumn, instant, nanosColumn } from "./columns.ts";

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
  audioInputNanos: prices.audioInputNanos,
  audioOutputNanos: prices.audioOutputNanos,
  webSearchNanos: prices.webSearchNanos,
  outputNanos: prices.outputNanos,
} as const;

type RateRow = Pick<typeof prices.$inferSelect, keyof typeof rateColumns>;

/** The rates of a version. */
export function toRates(row: RateRow): Rates {
  return {
    inputNanosPerMillion: row.inputNanos,
    cachedInputNanosPerMillion: row.cachedInputNanos,
    cacheWriteNanosPerMillion: row.cacheWriteNanos,
    ...(row.cacheWrite1hNanos !== null && { cacheWrite1hNanosPerMillion: row.cacheWrite1hNanos }),
    ...(row.audioInputNanos !== null && { audioInputNanosPerMillion: row.audioInputNanos }),
    ...(row.audioOutputNanos !== null && { audioOutputNanosPerMillion: row.audioOutputNanos }),
    ...(row.webSearchNanos !== null && { webSearchNanosPerMillion: row.webSearchNanos }),
    outputNanosPerMillion: row.outputNanos,
  };
}
