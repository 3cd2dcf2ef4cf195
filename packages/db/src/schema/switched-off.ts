// What operators have switched off: a model, a route, a provider, or everything. Every instance leaves it out of the
// catalog it serves; switching it on again deletes the row.
import { sql } from "drizzle-orm";
import { check, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

/** An empty name stands for every model, provider or upstream model; with three empty names nothing is served. */
export const switchedOff = pgTable(
  "switched_off",
  {
    model: text("model").notNull().default(""),
    provider: text("provider").notNull().default(""),
    upstreamModel: text("upstream_model").notNull().default(""),
    /** For operators; callers are not shown it. */
    reason: text("reason").notNull(),
    /** What callers are told; empty for a sentence of our own. */
    message: text("message").notNull().default(""),
    /** How long callers are asked to wait, while nothing is served. */
    retryAfterSeconds: integer("retry_after_seconds"),
    /** The operator who did it. */
    by: text("by").notNull(),
    since: instant("since").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.model, table.provider, table.upstreamModel] }),
    check("switched_off_upstream", sql`${table.upstreamModel} = '' or ${table.provider} <> ''`),
    check("switched_off_wait", sql`${table.retryAfterSeconds} between 1 and 86400`),
  ],
);
