// What instances tell each other about work that is done once for all of them.
import { bigint, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

/** One row per periodic job: its last run, by whichever instance. */
export const jobRuns = pgTable("job_runs", {
  name: text("name").primaryKey(),
  startedAt: instant("started_at").notNull().defaultNow(),
  /** Null while it runs, and after a run that failed. */
  finishedAt: instant("finished_at"),
  result: jsonb("result"),
});

/** Versions of the catalogue in the order in which they were applied; the last one is in force. */
export const appliedCatalogs = pgTable("applied_catalogs", {
  id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  version: text("version").notNull(),
  appliedAt: instant("applied_at").notNull().defaultNow(),
});
