// Batches of calls that are submitted together, and their lines while they run. What callers sent and got is sealed, so the tables
// alone reveal nothing but how many lines there are and how they ended. A line is a row from when its file is read until the
// batch is over: each ends once, whatever is killed.
import type {
  AccountId,
  ApiKeyId,
  BatchId,
  GenerationId,
  ObjectId,
  ProjectId,
} from "@turnpike/base";
import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
} from "drizzle-orm/pg-core";
import { bytes, idColumn, instant, listed, nanosColumn } from "./columns.ts";
import { projects } from "./projects.ts";

/** The words of OpenAI's API. */
export const batchStates = [
  "validating",
  "failed",
  "in_progress",
  "finalizing",
  "completed",
  "expired",
  "cancelling",
  "cancelled",
] as const;
export type BatchState = (typeof batchStates)[number];

const lineStates = ["waiting", "completed", "failed", "expired", "cancelled"] as const;
export type LineState = (typeof lineStates)[number];

/** The API in whose form it was submitted and is read. */
export const batchForms = ["openai", "anthropic", "openrouter"] as const;
export type BatchForm = (typeof batchForms)[number];

/** Tokens of all calls of a batch. */
export type BatchUsage = {
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly reasoningTokens: number;
};

/** What is wrong with a line of the file, or with the file. */
export type BatchError = {
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
  /** From 1; null for the whole file. */
  readonly line: number | null;
};

const count = (name: string) => integer(name).notNull().default(0);

export const batches = pgTable(
  "batches",
  {
    accountId: idColumn<AccountId>("account_id").notNull(),
    id: idColumn<BatchId>("id").notNull(),
    projectId: idColumn<ProjectId>("project_id").notNull(),
    /** Which key pays for the lines, within its limits. */
    keyId: idColumn<ApiKeyId>("key_id").notNull(),
    /** The path that every line is sent to. */
    endpoint: text("endpoint").notNull(),
    state: text("state", { enum: batchStates }).notNull().default("validating"),
    inputObjectId: idColumn<ObjectId>("input_object_id").notNull(),
    /** Its lines take as much again until the batch is over. */
    inputBytes: bigint("input_bytes", { mode: "number" }).notNull(),
    /** Chosen before the files are written; the files exist once the batch is over, unless they would be empty. */
    outputObjectId: idColumn<ObjectId>("output_object_id"),
    errorObjectId: idColumn<ObjectId>("error_object_id"),
    outputKeptSeconds: integer("output_kept_seconds").notNull(),
    /** Under SEALING_KEY. */
    sealedMetadata: bytes("sealed_metadata"),
    errors: jsonb("errors").$type<readonly BatchError[]>(),
    total: count("total"),
    /** Once it is over; until then its lines are counted. */
    completed: count("completed"),
    failed: count("failed"),
    createdAt: instant("created_at").notNull().defaultNow(),
    expiresAt: instant("expires_at").notNull(),
    startedAt: instant("started_at"),
    cancellingAt: instant("cancelling_at"),
    finalizingAt: instant("finalizing_at"),
    endedAt: instant("ended_at"),
    /** No line starts before: there is no money, or the limits of the key are reached. */
    pausedUntil: instant("paused_until"),
    /** The code of the refusal that paused it; null once a line was answered since. */
    pausedBy: text("paused_by"),
    /** When its next step is due. A claim moves it forward, so that no other worker takes it. */
    dueAt: instant("due_at").notNull().defaultNow(),
    /** Of the step that is due. */
    attempts: count("attempts"),
    /** Why its step failed last. */
    error: text("error"),
    form: text("form", { enum: batchForms }).notNull().default("openai"),
    /** Which all its lines name, where its form says so. */
    model: text("model"),
    /** Of the failed lines, those that did not run within its window. */
    expired: count("expired"),
    /** Once it is over, like its cost. */
    usage: jsonb("usage").$type<BatchUsage>(),
    costNanos: nanosColumn("cost_nanos"),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    foreignKey({
      name: "batches_project_fk",
      columns: [table.accountId, table.projectId],
      foreignColumns: [projects.accountId, projects.id],
    }).onDelete("cascade"),
    index("batches_of_project").on(table.accountId, table.projectId, table.id),
    index("batches_due").on(table.dueAt).where(sql`${table.endedAt} is null`),
    index("batches_ended").on(table.endedAt).where(sql`${table.endedAt} is not null`),
    check("batches_state", sql`${table.state} in ${listed(batchStates)}`),
    check("batches_form", sql`${table.form} in ${listed(batchForms)}`),
    check(
      "batches_ended_state",
      sql`(${table.endedAt} is not null) = (${table.state} in ('failed', 'completed', 'expired', 'cancelled'))`,
    ),
  ],
);

export const batchLines = pgTable(
  "batch_lines",
  {
    accountId: idColumn<AccountId>("account_id").notNull(),
    batchId: idColumn<BatchId>("batch_id").notNull(),
    /** Its number in the file, from 1. */
    line: integer("line").notNull(),
    state: text("state", { enum: lineStates }).notNull().default("waiting"),
    /** Its name and its body, under SEALING_KEY. */
    sealedRequest: bytes("sealed_request").notNull(),
    /** What was answered, under SEALING_KEY. */
    sealedResult: bytes("sealed_result"),
    /**
     * The call that runs it. A call under an id is charged once: an attempt whose outcome is unknown is repeated under
     * the same id, and only one that certainly cost nothing is followed by one under another.
     */
    generationId: idColumn<GenerationId>("generation_id"),
    /** While it waits: when it is due. A claim moves it forward, so that no other worker runs it. */
    dueAt: instant("due_at").notNull().defaultNow(),
    /** Set while a worker runs it. */
    claimedUntil: instant("claimed_until"),
    /** How often it was claimed. */
    attempts: count("attempts"),
    /** How many of these attempts count against it: those that no money or no limit stopped. */
    failures: count("failures"),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.batchId, table.line] }),
    foreignKey({
      name: "batch_lines_batch_fk",
      columns: [table.accountId, table.batchId],
      foreignColumns: [batches.accountId, batches.id],
    }).onDelete("cascade"),
    index("batch_lines_waiting")
      .on(table.accountId, table.batchId, table.dueAt, table.line)
      .where(sql`${table.state} = 'waiting'`),
    check("batch_lines_state", sql`${table.state} in ${listed(lineStates)}`),
  ],
);
