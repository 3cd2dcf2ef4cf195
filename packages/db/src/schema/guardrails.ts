// Which calls an account, a project or a key may make: one row for each that has rules, an absent rule allows
// everything.
import type { AccountId, GuardrailId } from "@turnpike/base";
import { type GuardrailKind, guardrailKinds } from "@turnpike/terms";
import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { idColumn, instant, listed, nanosColumn } from "./columns.ts";
import { accounts } from "./people.ts";

export const guardrails = pgTable(
  "guardrails",
  {
    accountId: idColumn<AccountId>("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    id: idColumn<GuardrailId>("id").notNull().defaultRandom(),
    kind: text("kind").$type<GuardrailKind>().notNull(),
    /** The account, project or key whose calls it rules. */
    subjectId: uuid("subject_id").notNull(),
    /** Model ids; one that ends with `*` stands for all that begin like it. */
    allowedModels: text("allowed_models").array(),
    /** Provider ids, with the same wildcard. */
    allowedProviders: text("allowed_providers").array(),
    /** Nano-dollars per million tokens. */
    maxInputNanos: nanosColumn("max_input_nanos"),
    maxOutputNanos: nanosColumn("max_output_nanos"),
    /** For one call. */
    maxCallNanos: nanosColumn("max_call_nanos"),
    denyTraining: boolean("deny_training").notNull().default(false),
    denyRetention: boolean("deny_retention").notNull().default(false),
    /** Addresses or CIDR ranges. */
    allowedAddresses: text("allowed_addresses").array(),
    /** Days of the week, 1 is Monday, and minutes of the day in the account's time zone; all three or none. */
    allowedDays: smallint("allowed_days").array(),
    fromMinute: smallint("from_minute"),
    /** Not included. Before `from_minute`, it is a minute of the next day. */
    untilMinute: smallint("until_minute"),
    createdAt: instant("created_at").notNull().defaultNow(),
    changedAt: instant("changed_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex("guardrails_id").on(table.id),
    uniqueIndex("guardrails_subject").on(table.accountId, table.subjectId, table.kind),
    check("guardrails_kind", sql`${table.kind} in ${listed(guardrailKinds)}`),
    check(
      "guardrails_not_negative",
      sql`least(${table.maxInputNanos}, ${table.maxOutputNanos}, ${table.maxCallNanos}) >= 0`,
    ),
    check(
      "guardrails_hours",
      sql`num_nulls(${table.allowedDays}, ${table.fromMinute}, ${table.untilMinute}) in (0, 3)
        and ${table.allowedDays} <@ array[1, 2, 3, 4, 5, 6, 7]::smallint[]
        and ${table.fromMinute} between 0 and 1439 and ${table.untilMinute} between 1 and 1440`,
    ),
  ],
);
