// Who signs in (person), who holds money (account), and who may act for whom (membership).
import type { AccountId, PersonId } from "@turnpike/base";
import { sql } from "drizzle-orm";
import { check, index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { idColumn, instant, nanosColumn } from "./columns.ts";

export const persons = pgTable("persons", {
  id: idColumn<PersonId>("id").primaryKey(),
  /** Lower-case; the address is the name a person signs in with. */
  email: text("email").notNull().unique(),
  name: text("name").notNull().default(""),
  passwordHash: text("password_hash"),
  emailVerifiedAt: instant("email_verified_at"),
  passwordChangedAt: instant("password_changed_at"),
  /** IANA name; empty follows the browser. */
  timeZone: text("time_zone").notNull().default(""),
  createdAt: instant("created_at").notNull().defaultNow(),
});

export const accounts = pgTable(
  "accounts",
  {
    id: idColumn<AccountId>("id").primaryKey(),
    name: text("name").notNull().default(""),
    /** Sum of the account's ledger entries. */
    balanceNanos: nanosColumn("balance_nanos").notNull().default(sql`0`),
    /** Of these, the sum of what is not usage: paid in, less what was taken back. */
    creditedNanos: nanosColumn("credited_nanos").notNull().default(sql`0`),
    /** Sum of what its open leases were granted. */
    heldNanos: nanosColumn("held_nanos").notNull().default(sql`0`),
    /** Set while a refund or dispute has pushed the balance below zero. */
    frozenAt: instant("frozen_at"),
    /** Money is about to be taken back: until then leases reserve nothing in advance. */
    recalledUntil: instant("recalled_until"),
    suspendedAt: instant("suspended_at"),
    stripeCustomerId: text("stripe_customer_id").unique(),
    /** A mail is sent when what is available falls below it; null sends none. */
    lowBalanceAlertNanos: nanosColumn("low_balance_alert_nanos"),
    /** Set when that mail was queued, cleared when the balance is above the level again. */
    lowBalanceAlertedAt: instant("low_balance_alerted_at"),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (table) => [
    // There are few: every instance reads them each second.
    index("accounts_stopped")
      .on(table.id)
      .where(sql`${table.frozenAt} is not null or ${table.suspendedAt} is not null`),
    check("accounts_held_not_negative", sql`${table.heldNanos} >= 0`),
    check(
      "accounts_never_overdrawn",
      sql`${table.balanceNanos} - ${table.heldNanos} >= 0 or ${table.frozenAt} is not null`,
    ),
  ],
);

export const memberships = pgTable(
  "memberships",
  {
    accountId: idColumn<AccountId>("account_id")
      .notNull()
      .references(() => accounts.id),
    personId: idColumn<PersonId>("person_id")
      .notNull()
      .references(() => persons.id),
    role: text("role").$type<"owner">().notNull().default("owner"),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.personId] }),
    index("memberships_person").on(table.personId),
  ],
);
