// Answers that outlive their clients: the events of each are rows, numbered without gaps, from which any instance reads them while it runs
// and afterwards. What was answered is sealed, so the tables alone reveal nothing but how much there was and how it ended.
import type { AccountId, ApiKeyId, GenerationId, InstanceId, ProjectId } from "@turnpike/base";
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
} from "drizzle-orm/pg-core";
import { bytes, idColumn, instant, listed } from "./columns.ts";
import { projects } from "./projects.ts";

/** `response`: it is read as a response, too. `stream`: only its events are. */
export const runKinds = ["response", "stream"] as const;
export type RunKind = (typeof runKinds)[number];

export const runStates = ["running", "completed", "incomplete", "failed", "cancelled"] as const;
export type RunState = (typeof runStates)[number];

export const runs = pgTable(
  "runs",
  {
    accountId: idColumn<AccountId>("account_id").notNull(),
    /** The call that is run. */
    id: idColumn<GenerationId>("id").notNull(),
    projectId: idColumn<ProjectId>("project_id").notNull(),
    keyId: idColumn<ApiKeyId>("key_id").notNull(),
    /** The process that runs it; no other can continue it. */
    instanceId: idColumn<InstanceId>("instance_id").notNull(),
    kind: text("kind", { enum: runKinds }).notNull(),
    state: text("state", { enum: runStates }).notNull().default("running"),
    /** The response as it is read now, under SEALING_KEY; null for a stream. */
    sealedResponse: bytes("sealed_response"),
    /** What its events take, in bytes. */
    size: bigint("size", { mode: "number" }).notNull().default(0),
    /** Its process died, so its events have no end. */
    isCut: boolean("is_cut").notNull().default(false),
    keptSeconds: integer("kept_seconds").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    /** Somebody asked to end it. */
    cancellingAt: instant("cancelling_at"),
    endedAt: instant("ended_at"),
    /** Once it has ended. */
    expiresAt: instant("expires_at"),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    foreignKey({
      name: "runs_project_fk",
      columns: [table.accountId, table.projectId],
      foreignColumns: [projects.accountId, projects.id],
    }).onDelete("cascade"),
    index("runs_running").on(table.instanceId).where(sql`${table.endedAt} is null`),
    index("runs_expiring").on(table.expiresAt).where(sql`${table.expiresAt} is not null`),
    check("runs_kind", sql`${table.kind} in ${listed(runKinds)}`),
    check("runs_state", sql`${table.state} in ${listed(runStates)}`),
    check(
      "runs_ended",
      sql`(${table.state} = 'running') = (${table.endedAt} is null) and (${table.endedAt} is null) = (${table.expiresAt} is null)`,
    ),
  ],
);

export const runEvents = pgTable(
  "run_events",
  {
    accountId: idColumn<AccountId>("account_id").notNull(),
    runId: idColumn<GenerationId>("run_id").notNull(),
    /** Of the first and the last event in it. */
    firstNumber: integer("first_number").notNull(),
    lastNumber: integer("last_number").notNull(),
    /** Under SEALING_KEY. */
    sealed: bytes("sealed").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.runId, table.firstNumber] }),
    foreignKey({
      name: "run_events_run_fk",
      columns: [table.accountId, table.runId],
      foreignColumns: [runs.accountId, runs.id],
    }).onDelete("cascade"),
  ],
);
