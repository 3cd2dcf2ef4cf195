// The buckets of rate limits, which all instances share: take_rates alone reads and writes them. The table is
// UNLOGGED: after a crash of PostgreSQL, and on a standby that was promoted, every bucket is full again.
import type { AccountId } from "@turnpike/base";
import { sql } from "drizzle-orm";
import { doublePrecision, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { idColumn, instant } from "./columns.ts";

export const rateBuckets = pgTable(
  "rate_buckets",
  {
    accountId: idColumn<AccountId>("account_id").notNull(),
    /** A key, a project or the account. */
    subjectId: uuid("subject_id").notNull(),
    /** Whose limit, and of what, as in `project_tokens`. */
    name: text("name").notNull(),
    /** What was taken and has not refilled since `counted_at`: it shrinks by the limit each minute. */
    used: doublePrecision("used").notNull().default(0),
    countedAt: instant("counted_at").notNull().default(sql`clock_timestamp()`),
    /** The limit that it was counted against. */
    countedLimit: doublePrecision("counted_limit"),
    /** Of concurrency: how many slots each instance holds, by its id. */
    slots: jsonb("slots").$type<Readonly<Record<string, number>>>().notNull().default({}),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.subjectId, table.name] })],
);
