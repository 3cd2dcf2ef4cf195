// Months of `requests` that were exported and dropped: what their calls cost remains here, in the leases and in the
// ledger, so that the books can be checked without them. Written only by the owner of the tables.
import { bigint, pgTable, text } from "drizzle-orm/pg-core";
import { instant, nanosColumn } from "./columns.ts";

export const retiredRequests = pgTable("retired_requests", {
  /** Of the partition, e.g. `requests_2026_01`. */
  name: text("name").primaryKey(),
  calls: bigint("calls", { mode: "number" }).notNull(),
  /** Of the calls that a lease paid for. */
  leasedCalls: bigint("leased_calls", { mode: "number" }).notNull(),
  chargedNanos: nanosColumn("charged_nanos").notNull(),
  shortfallNanos: nanosColumn("shortfall_nanos").notNull(),
  detachedAt: instant("detached_at").notNull().defaultNow(),
  /** Null until it is exported, as the next three. */
  file: text("file"),
  sha256: text("sha256"),
  droppedAt: instant("dropped_at"),
});
