// The public status of models and their providers: what calls met, by day, and the incidents that operators describe.
// Nothing in it is about an account.
import {
  type IncidentImpact,
  type IncidentState,
  incidentImpacts,
  incidentStates,
} from "@turnpike/terms";
import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
} from "drizzle-orm/pg-core";
import { instant, listed } from "./columns.ts";

/** Upper bounds of the counts in `firstTokens`; one more count has what came later. */
export const firstTokenBoundsMs = [
  100, 200, 300, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 10_000, 20_000, 60_000,
] as const;

/** How far the public history goes back. */
export const statusHistoryDays = 90;

/** One row per model and provider and UTC day. Instances add to it what they have counted. */
export const statusDays = pgTable(
  "status_days",
  {
    day: date("day", { mode: "string" }).notNull(),
    model: text("model").notNull(),
    /** Empty: calls of the model, whichever providers were tried. */
    provider: text("provider").notNull(),
    answered: bigint("answered", { mode: "number" }).notNull(),
    failed: bigint("failed", { mode: "number" }).notNull(),
    /** Of streams: how many had their first token within each bound of `firstTokenBoundsMs`, and later. */
    firstTokens: bigint("first_tokens", { mode: "number" }).array().notNull(),
    /** By UTC hour, what servers counted; empty for days from before they did. */
    answeredByHour: bigint("answered_by_hour", { mode: "number" }).array().notNull().default([]),
    failedByHour: bigint("failed_by_hour", { mode: "number" }).array().notNull().default([]),
  },
  (table) => [primaryKey({ columns: [table.day, table.model, table.provider] })],
);

export const incidents = pgTable(
  "incidents",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    title: text("title").notNull(),
    impact: text("impact").$type<IncidentImpact>().notNull(),
    /** Empty: all models. */
    model: text("model").notNull().default(""),
    /** Empty: all providers. */
    provider: text("provider").notNull().default(""),
    state: text("state").$type<IncidentState>().notNull(),
    startedAt: instant("started_at").notNull().defaultNow(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
    resolvedAt: instant("resolved_at"),
  },
  (table) => [
    index("incidents_started").on(table.startedAt),
    check("incidents_impact", sql`impact in ${listed(incidentImpacts)}`),
    check("incidents_state", sql`state in ${listed(incidentStates)}`),
    check(
      "incidents_resolved",
      sql`(${table.state} = 'resolved') = (${table.resolvedAt} is not null)`,
    ),
  ],
);

/** What operators wrote about an incident, in order; append-only by role. */
export const incidentUpdates = pgTable(
  "incident_updates",
  {
    incidentId: integer("incident_id").notNull(),
    number: integer("number").notNull(),
    at: instant("at").notNull().defaultNow(),
    state: text("state").$type<IncidentState>().notNull(),
    text: text("text").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.incidentId, table.number] }),
    foreignKey({
      name: "incident_updates_incident_fk",
      columns: [table.incidentId],
      foreignColumns: [incidents.id],
    }).onDelete("cascade"),
    check("incident_updates_state", sql`state in ${listed(incidentStates)}`),
  ],
);
