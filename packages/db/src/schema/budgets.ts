// What an account, a project, a member or a key may spend per day, week, month or in total. The row counts
// what was spent and is held in its current period; acquire_leases and release_leases own those counters
// and decide hard budgets under the same locks as the balance. A trigger counts what a new budget finds.
import type { AccountId, BudgetId } from "@turnpike/base";
import { type BudgetKind, type BudgetPeriod, budgetKinds, budgetPeriods } from "@turnpike/terms";
import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  date,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { idColumn, instant, listed, nanosColumn } from "./columns.ts";
import { accounts } from "./people.ts";

export const budgets = pgTable(
  "budgets",
  {
    accountId: idColumn<AccountId>("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    id: idColumn<BudgetId>("id").notNull().defaultRandom(),
    kind: text("kind").$type<BudgetKind>().notNull(),
    /** The account, project, person or key it belongs to. */
    subjectId: uuid("subject_id").notNull(),
    period: text("period").$type<BudgetPeriod>().notNull(),
    limitNanos: nanosColumn("limit_nanos").notNull(),
    /** Refuses calls beyond the limit; otherwise mails are all it does. */
    hard: boolean("hard").notNull().default(true),
    /** The first day, in the account's time zone, of the period that is counted; 1970-01-01 in total. */
    periodStart: date("period_start", { mode: "string" }).notNull().default("1970-01-01"),
    /** Of closed leases. */
    spentNanos: nanosColumn("spent_nanos").notNull().default(sql`0`),
    /** Granted by open leases. */
    heldNanos: nanosColumn("held_nanos").notNull().default(sql`0`),
    /** When it first refused a call in its period. */
    reachedAt: instant("reached_at"),
    /** The highest share that was mailed for the period that starts on `mailed_start`. */
    mailedPercent: smallint("mailed_percent").notNull().default(0),
    mailedStart: date("mailed_start", { mode: "string" }).notNull().default("1970-01-01"),
    createdAt: instant("created_at").notNull().defaultNow(),
    changedAt: instant("changed_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex("budgets_id").on(table.id),
    uniqueIndex("budgets_subject").on(table.accountId, table.subjectId, table.kind, table.period),
    check("budgets_kind", sql`kind in ${listed(budgetKinds)}`),
    check("budgets_period", sql`period in ${listed(budgetPeriods)}`),
    check("budgets_limit_not_negative", sql`${table.limitNanos} >= 0`),
    check("budgets_counts", sql`${table.spentNanos} >= 0 and ${table.heldNanos} >= 0`),
  ],
);
