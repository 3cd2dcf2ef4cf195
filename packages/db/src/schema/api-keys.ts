// API keys: only the SHA-256 of the secret is stored. The row also counts what the key has spent
// and holds per UTC day, week (from Monday), month and in all, for reports; acquire_leases and release_leases
// own those counters. What the key may spend are its budgets, what it may call is its guardrail.
import type { AccountId, ApiKeyId, PersonId, ProjectId } from "@turnpike/base";
import { sql } from "drizzle-orm";
import {
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { bytes, idColumn, instant, nanosColumn } from "./columns.ts";
import { accounts, persons } from "./people.ts";
import { projects } from "./projects.ts";

const counter = (name: string) => nanosColumn(name).notNull().default(sql`0`);
const periodStart = (name: string) =>
  date(name, { mode: "string" }).notNull().default("1970-01-01");

export const apiKeys = pgTable(
  "api_keys",
  {
    accountId: idColumn<AccountId>("account_id")
      .notNull()
      .references(() => accounts.id),
    id: idColumn<ApiKeyId>("id").notNull(),
    /** Null is the default project. */
    projectId: idColumn<ProjectId>("project_id"),
    name: text("name").notNull(),
    hash: bytes("hash").notNull(),
    /** First characters after the prefix and last four, for lists: `sk-tp-9f2a…c41d`. */
    masked: text("masked").notNull(),
    createdBy: idColumn<PersonId>("created_by").references(() => persons.id),
    createdAt: instant("created_at").notNull().defaultNow(),
    /** Moves with every change that matters to `authenticate`, for instances that must poll. */
    changedAt: instant("changed_at").notNull().defaultNow(),
    disabledAt: instant("disabled_at"),
    revokedAt: instant("revoked_at"),
    expiresAt: instant("expires_at"),
    lastUsedAt: instant("last_used_at"),
    /** The secret before the last rotation keeps working until then. */
    previousHash: bytes("previous_hash"),
    previousUntil: instant("previous_until"),
    /**
     * Who was shown the secret, because they made or rotated the key: perhaps not whose key it is. Null for an operator, and
     * for what earlier versions made.
     */
    shownTo: idColumn<PersonId>("shown_to"),
    /** The same of the secret before the last rotation. */
    previousShownTo: idColumn<PersonId>("previous_shown_to"),
    requestsPerMinute: integer("requests_per_minute"),
    tokensPerMinute: integer("tokens_per_minute"),
    concurrency: integer("concurrency"),
    dayStart: periodStart("day_start"),
    daySpentNanos: counter("day_spent_nanos"),
    dayHeldNanos: counter("day_held_nanos"),
    weekStart: periodStart("week_start"),
    weekSpentNanos: counter("week_spent_nanos"),
    weekHeldNanos: counter("week_held_nanos"),
    monthStart: periodStart("month_start"),
    monthSpentNanos: counter("month_spent_nanos"),
    monthHeldNanos: counter("month_held_nanos"),
    totalSpentNanos: counter("total_spent_nanos"),
    totalHeldNanos: counter("total_held_nanos"),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    foreignKey({
      columns: [table.accountId, table.projectId],
      foreignColumns: [projects.accountId, projects.id],
      name: "api_keys_project",
    }),
    uniqueIndex("api_keys_hash").on(table.hash),
    uniqueIndex("api_keys_previous_hash").on(table.previousHash),
    uniqueIndex("api_keys_id").on(table.id),
    // Operators look keys up by what of them is shown.
    index("api_keys_masked_begins").on(sql`${table.masked} text_pattern_ops`),
    index("api_keys_last_four").on(sql`right(${table.masked}, 4)`),
    index("api_keys_changed").on(table.changedAt),
    index("api_keys_created_by").on(table.createdBy),
  ],
);
