// Money as people read it, to the nano and without delay: what open leases have spent counts as spent, and
// only what they have not spent as held. The migration defines the views; they are only read.
import type { AccountId, ApiKeyId, BudgetId } from "@turnpike/base";
import { date, pgView } from "drizzle-orm/pg-core";
import { idColumn, instant, nanosColumn } from "./columns.ts";

const amount = (name: string) => nanosColumn(name).notNull();

export const accountMoney = pgView("account_money", {
  accountId: idColumn<AccountId>("account_id").notNull(),
  balanceNanos: amount("balance_nanos"),
  heldNanos: amount("held_nanos"),
  /** Everything paid in and taken out, except usage. */
  creditedNanos: amount("credited_nanos"),
}).existing();

/** Periods are the current day, week (from Monday) and month, in the account's time zone where the key has a limit. */
export const keyMoney = pgView("key_money", {
  accountId: idColumn<AccountId>("account_id").notNull(),
  keyId: idColumn<ApiKeyId>("key_id").notNull(),
  daySpentNanos: amount("day_spent_nanos"),
  dayHeldNanos: amount("day_held_nanos"),
  weekSpentNanos: amount("week_spent_nanos"),
  weekHeldNanos: amount("week_held_nanos"),
  monthSpentNanos: amount("month_spent_nanos"),
  monthHeldNanos: amount("month_held_nanos"),
  totalSpentNanos: amount("total_spent_nanos"),
  totalHeldNanos: amount("total_held_nanos"),
}).existing();

/** Of the current period, which ends at `resetsAt`. */
export const budgetMoney = pgView("budget_money", {
  accountId: idColumn<AccountId>("account_id").notNull(),
  id: idColumn<BudgetId>("id").notNull(),
  spentNanos: amount("spent_nanos"),
  heldNanos: amount("held_nanos"),
  periodStart: date("period_start", { mode: "string" }).notNull(),
  /** Null in total. */
  resetsAt: instant("resets_at"),
}).existing();
