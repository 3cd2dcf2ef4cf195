// What the instances know of each route, so that a new one does not start by calling what is broken. Written
// rarely, read when an instance starts.
import { boolean, integer, pgTable, primaryKey, real, text } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

export const routeHealth = pgTable(
  "route_health",
  {
    provider: text("provider").notNull(),
    upstreamModel: text("upstream_model").notNull(),
    /** Until when its breaker is open; null while it is closed. */
    openUntil: instant("open_until"),
    /** How long the breaker stays open the next time. */
    nextOpenMs: integer("next_open_ms").notNull(),
    credentialsRefused: boolean("credentials_refused").notNull(),
    /** The provider does not serve its model. */
    modelRefused: boolean("model_refused").notNull().default(false),
    firstByteMs: real("first_byte_ms"),
    tokensPerSecond: real("tokens_per_second"),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.upstreamModel] })],
);
