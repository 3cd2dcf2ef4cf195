// Webhooks out: where an account wants to be told what, what happened, and each message to each endpoint with
// the attempts to deliver it. Messages are inserted in the transaction that causes the event, sent by a
// worker, and retried until they are accepted or given up.
import type {
  AccountId,
  PersonId,
  WebhookEndpointId,
  WebhookEventId,
  WebhookMessageId,
} from "@turnpike/base";
import { type WebhookMessageState, webhookMessageStates } from "@turnpike/terms";
import { sql } from "drizzle-orm";
import {
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
} from "drizzle-orm/pg-core";
import { bytes, idColumn, instant, listed } from "./columns.ts";
import { accounts } from "./people.ts";

export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    accountId: idColumn<AccountId>("account_id")
      .notNull()
      .references(() => accounts.id),
    id: idColumn<WebhookEndpointId>("id").notNull(),
    url: text("url").notNull(),
    /** Who chose the URL; null for what earlier versions stored. */
    urlSetBy: idColumn<PersonId>("url_set_by"),
    description: text("description").notNull().default(""),
    /** Null: every event, also of kinds that do not exist yet. */
    eventTypes: text("event_types").array(),
    /** Sealed for `webhook_endpoints <id>`. */
    secret: bytes("secret").notNull(),
    /** The secret before the last rotation: messages are signed with both until `previousUntil`. */
    previousSecret: bytes("previous_secret"),
    previousUntil: instant("previous_until"),
    createdAt: instant("created_at").notNull().defaultNow(),
    disabledAt: instant("disabled_at"),
    /** Why: a member did it, no message was accepted for days, or it answered 410. */
    disabledBy: text("disabled_by").$type<WebhookDisabler>(),
    /** Of the last message that was accepted. */
    acceptedAt: instant("accepted_at"),
    /** Of the first attempt that failed since. */
    failingSince: instant("failing_since"),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    check(
      "webhook_endpoints_disabled",
      sql`(${table.disabledAt} is null) = (${table.disabledBy} is null)`,
    ),
  ],
);

export type WebhookDisabler = "member" | "failures" | "gone";

export const webhookEvents = pgTable(
  "webhook_events",
  {
    accountId: idColumn<AccountId>("account_id")
      .notNull()
      .references(() => accounts.id),
    id: idColumn<WebhookEventId>("id").notNull(),
    type: text("type").notNull(),
    /** The body of the request, byte for byte. */
    body: text("body").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("webhook_events_created").on(table.createdAt),
  ],
);

export const webhookMessages = pgTable(
  "webhook_messages",
  {
    accountId: idColumn<AccountId>("account_id").notNull(),
    id: idColumn<WebhookMessageId>("id").notNull(),
    eventId: idColumn<WebhookEventId>("event_id").notNull(),
    endpointId: idColumn<WebhookEndpointId>("endpoint_id").notNull(),
    state: text("state").$type<WebhookMessageState>().notNull().default("waiting"),
    createdAt: instant("created_at").notNull().defaultNow(),
    /** While it waits: when it is due. A claim moves it forward, so that no other worker sends it. */
    sendAfter: instant("send_after").notNull().defaultNow(),
    /** Set while a worker sends it. */
    claimedUntil: instant("claimed_until"),
    attempts: smallint("attempts").notNull().default(0),
    /** A message that is not retried, such as a test, may have one. */
    attemptsMax: smallint("attempts_max").notNull(),
    endedAt: instant("ended_at"),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    foreignKey({
      name: "webhook_messages_event_fk",
      columns: [table.accountId, table.eventId],
      foreignColumns: [webhookEvents.accountId, webhookEvents.id],
    }).onDelete("cascade"),
    foreignKey({
      name: "webhook_messages_endpoint_fk",
      columns: [table.accountId, table.endpointId],
      foreignColumns: [webhookEndpoints.accountId, webhookEndpoints.id],
    }).onDelete("cascade"),
    index("webhook_messages_waiting")
      .on(table.accountId, table.endpointId, table.sendAfter)
      .where(sql`${table.state} = 'waiting'`),
    index("webhook_messages_endpoint").on(table.accountId, table.endpointId, table.id),
    index("webhook_messages_event").on(table.accountId, table.eventId),
    check("webhook_messages_state", sql`${table.state} in ${listed(webhookMessageStates)}`),
  ],
);

export const webhookAttempts = pgTable(
  "webhook_attempts",
  {
    accountId: idColumn<AccountId>("account_id").notNull(),
    messageId: idColumn<WebhookMessageId>("message_id").notNull(),
    number: smallint("number").notNull(),
    at: instant("at").notNull(),
    durationMs: integer("duration_ms").notNull(),
    /** Null if there was no answer. */
    status: smallint("status"),
    /** The beginning of its body. */
    answer: text("answer").notNull().default(""),
    /** Why it was not accepted. */
    error: text("error"),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.messageId, table.number] }),
    foreignKey({
      name: "webhook_attempts_message_fk",
      columns: [table.accountId, table.messageId],
      foreignColumns: [webhookMessages.accountId, webhookMessages.id],
    }).onDelete("cascade"),
  ],
);
