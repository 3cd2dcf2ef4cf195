// State that instances share about work that is done once for all of them.
import type { InstanceId } from "@turnpike/base";
import { bigint, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { idColumn, instant } from "./columns.ts";

/** One row per periodic job: its last run, in any instance. */
export const jobRuns = pgTable("job_runs", {
  name: text("name").primaryKey(),
  /** Who runs it or ran it last; null after a run that failed. */
  instanceId: idColumn<InstanceId>("instance_id"),
  startedAt: instant("started_at").notNull().defaultNow(),
  /** Null while it runs, and after a run that failed. */
  finishedAt: instant("finished_at"),
  result: jsonb("result"),
  /** How often it runs; null before the first version that writes it. */
  everyMs: bigint("every_ms", { mode: "number" }),
  /** When an operator last asked for a run: one that started earlier is not the one. */
  requestedAt: instant("requested_at"),
  /** Of the last run, if it failed. */
  failedAt: instant("failed_at"),
  error: text("error"),
});

/** Versions of the catalog in the order in which they were applied; the last one is in force. */
export const appliedCatalogs = pgTable("applied_catalogs", {
  id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  version: text("version").notNull(),
  appliedAt: instant("applied_at").notNull().defaultNow(),
});
