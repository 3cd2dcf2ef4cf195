// Who operates this installation, and what they did that concerns no account; what they did to an account is in
// its audit log. The log is append-only by role and by trigger.
import type { AccountId, PersonId } from "@turnpike/base";
import { sql } from "drizzle-orm";
import { bigint, check, index, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { AuditChanges } from "./audit-log.ts";
import { idColumn, instant, listed } from "./columns.ts";
import { accounts, persons } from "./people.ts";

/** What an operator may do; the verbs of each are in `operator`. */
export const operatorRoles = ["owner", "support", "finance", "read_only"] as const;
export type OperatorRole = (typeof operatorRoles)[number];

export const operators = pgTable(
  "operators",
  {
    personId: idColumn<PersonId>("person_id")
      .primaryKey()
      .references(() => persons.id),
    role: text("role").$type<OperatorRole>().notNull(),
    /** As the log names them. */
    grantedBy: text("granted_by").notNull(),
    grantedAt: instant("granted_at").notNull().defaultNow(),
  },
  () => [check("operators_role", sql`role in ${listed(operatorRoles)}`)],
);

export const operatorLog = pgTable("operator_log", {
  id: bigint("id", { mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
  at: instant("at").notNull().defaultNow(),
  /** As it was then: the email address of an operator, or the user who ran the command. */
  actorName: text("actor_name").notNull(),
  /** E.g. `operator.grant`. */
  action: text("action").notNull(),
  /** What it was done to, e.g. an email address. */
  object: text("object").notNull().default(""),
  reason: text("reason").notNull(),
  /** By field, before and after. */
  changes: jsonb("changes").$type<AuditChanges>(),
});

/** What operators tell each other about an account. It is not shown to the account. */
export const accountNotes = pgTable(
  "account_notes",
  {
    accountId: idColumn<AccountId>("account_id")
      .notNull()
      .references(() => accounts.id),
    id: bigint("id", { mode: "bigint" }).notNull().generatedAlwaysAsIdentity(),
    at: instant("at").notNull().defaultNow(),
    author: text("author").notNull(),
    text: text("text").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.id] })],
);

/** An operator looks at the console as the account sees it, until then at most. */
export const accountViews = pgTable(
  "account_views",
  {
    accountId: idColumn<AccountId>("account_id")
      .notNull()
      .references(() => accounts.id),
    id: uuid("id").notNull(),
    personId: idColumn<PersonId>("person_id")
      .notNull()
      .references(() => persons.id),
    startedAt: instant("started_at").notNull().defaultNow(),
    expiresAt: instant("expires_at").notNull(),
    endedAt: instant("ended_at"),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("account_views_person").on(table.personId, table.expiresAt),
  ],
);
