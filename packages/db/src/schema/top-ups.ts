// Money in by card: our own order row first, then what Stripe reports about it. Events from Stripe land
// in an inbox and are processed later; the payment, not the event, is what is credited once.
import type { AccountId, PersonId, TopUpId } from "@turnpike/base";
import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { idColumn, instant, nanosColumn } from "./columns.ts";
import { accounts, persons } from "./people.ts";

export const topUpStates = [
  "created",
  "pending",
  "processing",
  "paid",
  "failed",
  "canceled",
  "expired",
  "quarantined",
] as const;
export type TopUpState = (typeof topUpStates)[number];

export const topUps = pgTable(
  "top_ups",
  {
    id: idColumn<TopUpId>("id").primaryKey(),
    accountId: idColumn<AccountId>("account_id")
      .notNull()
      .references(() => accounts.id),
    personId: idColumn<PersonId>("person_id").references(() => persons.id),
    amountNanos: nanosColumn("amount_nanos").notNull(),
    state: text("state").$type<TopUpState>().notNull().default("created"),
    /** Paid by Stripe, or by the development checkout page. */
    processor: text("processor").$type<"stripe" | "sandbox">().notNull(),
    livemode: boolean("livemode").notNull().default(false),
    /** What Stripe was asked to pay it by: a checkout session, or of an automatic one a payment intent. */
    checkoutSessionId: text("checkout_session_id").unique(),
    checkoutUrl: text("checkout_url"),
    /** The payer agreed that their card is saved for automatic top-ups. */
    savesCard: boolean("saves_card").notNull().default(false),
    /** The saved card that an automatic top-up is charged to; null for any other. */
    paymentMethodId: text("payment_method_id"),
    paymentIntentId: text("payment_intent_id").unique(),
    receiptUrl: text("receipt_url"),
    failureReason: text("failure_reason"),
    creditedNanos: nanosColumn("credited_nanos").notNull().default(sql`0`),
    /** Refunded or disputed away so far, reinstatements netted. */
    reversedNanos: nanosColumn("reversed_nanos").notNull().default(sql`0`),
    /** The part of it that is disputed; the rest is refunded. */
    disputedNanos: nanosColumn("disputed_nanos").notNull().default(sql`0`),
    /** What will be refunded in all once the refunds under way are made; zero while none is. */
    refundClaimedNanos: nanosColumn("refund_claimed_nanos").notNull().default(sql`0`),
    /** Until when evidence can be sent for a dispute that waits for it; null without one. */
    evidenceDueAt: instant("evidence_due_at"),
    /**
     * How many reports of the processor were applied: an older report is never applied over a newer
     * one.
     */
    version: integer("version").notNull().default(0),
    createdAt: instant("created_at").notNull().defaultNow(),
    expiresAt: instant("expires_at"),
    paidAt: instant("paid_at"),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (table) => [
    index("top_ups_account").on(table.accountId, table.createdAt),
    uniqueIndex("top_ups_one_automatic")
      .on(table.accountId)
      .where(
        sql`${table.paymentMethodId} is not null and ${table.state} in ('created', 'pending', 'processing')`,
      ),
    index("top_ups_person").on(table.personId),
    index("top_ups_amount").on(table.amountNanos),
    index("top_ups_refunding").on(table.id).where(sql`${table.refundClaimedNanos} > 0`),
    check("top_ups_amount", sql`${table.amountNanos} > 0`),
    check(
      "top_ups_reversed_within_credit",
      sql`${table.reversedNanos} >= 0 and ${table.reversedNanos} <= ${table.creditedNanos}`,
    ),
    check(
      "top_ups_disputed_within_reversed",
      sql`${table.disputedNanos} >= 0 and ${table.disputedNanos} <= ${table.reversedNanos}`,
    ),
  ],
);

/** Why a charge failed. */
export const autoTopUpFailures = ["declined", "needs_authentication", "expired_card"] as const;
export type AutoTopUpFailure = (typeof autoTopUpFailures)[number];

/** Why nothing is charged although it is turned on: each is no spending, or concerns who would pay for it. */
export const autoTopUpPauses = [
  "refunded",
  "disputed",
  "lowered",
  "suspended",
  "frozen",
  "deletion",
  "card_owner_left",
] as const;
export type AutoTopUpPause = (typeof autoTopUpPauses)[number];
export type AutoTopUpState = "ok" | AutoTopUpFailure | AutoTopUpPause;

/** An account without a row, as every account at first, is never charged automatically. */
export const autoTopUps = pgTable(
  "auto_top_ups",
  {
    accountId: idColumn<AccountId>("account_id")
      .primaryKey()
      .references(() => accounts.id),
    enabled: boolean("enabled").notNull().default(false),
    thresholdNanos: nanosColumn("threshold_nanos"),
    amountNanos: nanosColumn("amount_nanos"),
    /** What all automatic top-ups of a calendar month in UTC add up to at most. */
    ceilingNanos: nanosColumn("ceiling_nanos"),
    paymentMethodId: text("payment_method_id"),
    cardBrand: text("card_brand"),
    cardLast4: text("card_last4"),
    cardExpMonth: integer("card_exp_month"),
    cardExpYear: integer("card_exp_year"),
    /** Who saved it: it is charged only while they are a member. */
    cardPersonId: idColumn<PersonId>("card_person_id").references(() => persons.id),
    /** The card is charged once the account has spent more than this in its life; null is never. */
    dueSpentNanos: nanosColumn("due_spent_nanos"),
    /** What the account had spent in its life when it was last charged; null before the first charge. */
    chargedSpentNanos: nanosColumn("charged_spent_nanos"),
    /** Nothing is charged in any state but `ok`. */
    state: text("state").$type<AutoTopUpState>().notNull().default("ok"),
    lastFailure: text("last_failure"),
    failures: integer("failures").notNull().default(0),
    /** When mails said that the ceiling was reached. */
    ceilingToldAt: instant("ceiling_told_at"),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (table) => [
    check(
      "auto_top_ups_complete",
      sql`not ${table.enabled} or num_nulls(${table.thresholdNanos}, ${table.amountNanos}, ${table.ceilingNanos}, ${table.paymentMethodId}) = 0`,
    ),
    check(
      "auto_top_ups_amounts",
      sql`${table.thresholdNanos} > 0 and ${table.amountNanos} > 0 and ${table.ceilingNanos} >= ${table.amountNanos}`,
    ),
  ],
);

export const stripeInbox = pgTable(
  "stripe_inbox",
  {
    eventId: text("event_id").primaryKey(),
    type: text("type").notNull(),
    created: instant("created").notNull(),
    payload: jsonb("payload").notNull(),
    receivedAt: instant("received_at").notNull().defaultNow(),
    attempts: integer("attempts").notNull().default(0),
    nextAttemptAt: instant("next_attempt_at").notNull().defaultNow(),
    doneAt: instant("done_at"),
    /** Given up after the last attempt; an operator must look. */
    deadAt: instant("dead_at"),
    lastError: text("last_error"),
  },
  (table) => [
    index("stripe_inbox_due")
      .on(table.nextAttemptAt)
      .where(sql`${table.doneAt} is null and ${table.deadAt} is null`),
  ],
);
