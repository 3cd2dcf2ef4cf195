// What calls used, added up by quarter of an hour: written only by `roll_up_usage`, from `requests`. Quarters from
// `rolledFrom` to `rolledTo` are added up and agree with `requests`, except those in `usage_changes`.
import type { AccountId, ApiKeyId } from "@turnpike/base";
import type { Operation, Origin, Unit } from "@turnpike/terms";
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  numeric,
  pgTable,
  pgView,
  primaryKey,
  real,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { idColumn, instant, nanosColumn } from "./columns.ts";

const amount = (name: string) => nanosColumn(name).notNull();
const count = (name: string) => bigint(name, { mode: "number" }).notNull();

/** What was billed by other units, of every variant together; null if nothing was. */
export const unitColumns = {
  images: bigint("images", { mode: "number" }),
  audioMilliseconds: bigint("audio_milliseconds", { mode: "number" }),
  characters: bigint("characters", { mode: "number" }),
  searchUnits: bigint("search_units", { mode: "number" }),
} satisfies Record<Unit, unknown>;

/** What both the table and the view have. A project and a member follow from the key. */
const usageColumns = {
  accountId: idColumn<AccountId>("account_id").notNull(),
  quarter: instant("quarter").notNull(),
  keyId: idColumn<ApiKeyId>("key_id"),
  model: text("model").notNull(),
  provider: text("provider").notNull(),
  origin: text("origin").$type<Origin>().notNull(),
  operation: text("operation").$type<Operation>().notNull(),
  class: text("class").notNull(),
  /** Empty where there was none. */
  errorCode: text("error_code").notNull(),
  calls: count("calls"),
  /** Completed without a cost. */
  freeCalls: count("free_calls"),
  chargedNanos: amount("charged_nanos"),
  shortfallNanos: amount("shortfall_nanos"),
  promptTokens: count("prompt_tokens"),
  completionTokens: count("completion_tokens"),
  cachedTokens: count("cached_tokens"),
  cacheWriteTokens: count("cache_write_tokens"),
  reasoningTokens: count("reasoning_tokens"),
  /** With a cost, or with one known to the operator. */
  costedCalls: count("costed_calls"),
  /** Of these, those whose cost to the operator is known, what they were charged, and what they cost. */
  knownCalls: count("known_calls"),
  knownChargedNanos: amount("known_charged_nanos"),
  operatorCostNanos: amount("operator_cost_nanos"),
  /** Completed calls by duration, as `pack_latency` counts them. */
  totalMsCounts: numeric("total_ms_counts"),
  firstByteMsCounts: numeric("first_byte_ms_counts"),
  ...unitColumns,
};

export const usageQuarterHours = pgTable(
  "usage_quarter_hours",
  {
    ...usageColumns,
    /** Counts the rows of an account's quarter. */
    ordinal: integer("ordinal").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.quarter, table.ordinal] }),
    // Reports over all accounts: the table is written in order of time.
    index("usage_quarter_hours_quarter").using("brin", table.quarter),
  ],
);

export const usageBlockMinutes = [60, 360, 1_440] as const;

/** The same added up further, by hours, quarters of a day and days of UTC; of the time until `rolledTo`. */
export const usageBlocks = pgTable(
  "usage_blocks",
  {
    ...usageColumns,
    /** How long it is; `quarter` is its first one. */
    minutes: integer("minutes").$type<(typeof usageBlockMinutes)[number]>().notNull(),
    ordinal: integer("ordinal").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.minutes, table.quarter, table.ordinal] }),
    index("usage_blocks_quarter").using("brin", table.quarter),
    // Reports over all accounts read whole days.
    index("usage_blocks_days").on(table.quarter).where(sql`${table.minutes} = 1440`),
  ],
);

/** `requests` with the same columns, one row per call. */
export const usageOfRequests = pgView("usage_of_requests", {
  ...usageColumns,
  id: uuid("id").notNull(),
  placedAt: instant("placed_at").notNull(),
  /** Empty where the call names none. */
  app: text("app").notNull(),
  endUser: text("end_user").notNull(),
  totalMs: real("total_ms"),
  firstByteMs: real("first_byte_ms"),
}).existing();

/** Quarters in which a call became visible long after it was placed: read from `requests` until they are added up. */
export const usageChanges = pgTable(
  "usage_changes",
  {
    accountId: idColumn<AccountId>("account_id").notNull(),
    quarter: instant("quarter").notNull(),
    id: uuid("id").notNull().defaultRandom(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.quarter, table.id] })],
);

/** One row. */
export const usageProgress = pgTable("usage_progress", {
  singleton: boolean("singleton").primaryKey().default(sql`true`),
  /** Minus infinity once everything older is added up. */
  rolledFrom: instant("rolled_from").notNull(),
  rolledTo: instant("rolled_to").notNull(),
  /** Of older quarters requests may have been deleted: they are never added up again. */
  sealedBefore: instant("sealed_before").notNull().default(sql`'-infinity'`),
});
