// What the page of webhooks shows: the endpoints of an account, their messages, newest first, and the attempts to
// deliver one. Secrets are not read.

import type {
  AccountId,
  WebhookEndpointId,
  WebhookEventId,
  WebhookMessageId,
} from "@turnpike/base";
import {
  type Db,
  type WebhookDisabler,
  webhookAttempts,
  webhookEndpoints,
  webhookEvents,
  webhookMessages,
} from "@turnpike/db";
import type { WebhookMessageState } from "@turnpike/terms";
import { and, asc, desc, eq, lt, type SQL, sql } from "drizzle-orm";
import { noSuchEndpoint } from "./change-endpoints.ts";

export type ListedEndpoint = {
  readonly id: WebhookEndpointId;
  readonly url: string;
  readonly description: string;
  readonly eventTypes: readonly string[] | null;
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
  readonly disabledBy: WebhookDisabler | null;
  readonly acceptedAt: Date | null;
  readonly failingSince: Date | null;
  /** Until then messages are signed with the secret before the last rotation too. */
  readonly previousUntil: Date | null;
};

/** Oldest first. */
export async function listEndpoints(db: Db, accountId: AccountId): Promise<ListedEndpoint[]> {
  return db
    .select({
      id: webhookEndpoints.id,
      url: webhookEndpoints.url,
      description: webhookEndpoints.description,
      eventTypes: webhookEndpoints.eventTypes,
      createdAt: webhookEndpoints.createdAt,
      disabledAt: webhookEndpoints.disabledAt,
      disabledBy: webhookEndpoints.disabledBy,
      acceptedAt: webhookEndpoints.acceptedAt,
      failingSince: webhookEndpoints.failingSince,
      previousUntil: sql<Date | null>`case when ${webhookEndpoints.previousUntil} > now()
        then ${webhookEndpoints.previousUntil} end`.mapWith(webhookEndpoints.previousUntil),
    })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.accountId, accountId))
    .orderBy(asc(webhookEndpoints.createdAt), asc(webhookEndpoints.id));
}

export type ListedMessage = {
  readonly id: WebhookMessageId;
  readonly eventId: WebhookEventId;
  readonly type: string;
  readonly state: WebhookMessageState;
  readonly createdAt: Date;
  readonly attempts: number;
  /** Null unless it waits. */
  readonly nextAttemptAt: Date | null;
  /** Of the last attempt that is recorded. */
  readonly status: number | null;
  readonly error: string | null;
};

export type MessagePage = {
  readonly rows: readonly ListedMessage[];
  readonly nextCursor: WebhookMessageId | null;
};

const messageColumns = {
  id: webhookMessages.id,
  eventId: webhookMessages.eventId,
  type: webhookEvents.type,
  state: webhookMessages.state,
  createdAt: webhookMessages.createdAt,
  attempts: webhookMessages.attempts,
  nextAttemptAt: sql<Date | null>`case when ${webhookMessages.state} = 'waiting'
    then ${webhookMessages.sendAfter} end`.mapWith(webhookMessages.sendAfter),
  status: sql<number | null>`(select a.status from webhook_attempts a
    where a.account_id = ${webhookMessages.accountId} and a.message_id = ${webhookMessages.id}
    order by a.number desc limit 1)`,
  error: sql<string | null>`(select a.error from webhook_attempts a
    where a.account_id = ${webhookMessages.accountId} and a.message_id = ${webhookMessages.id}
    order by a.number desc limit 1)`,
};

/** Throws `not_found` for an endpoint of another account. */
export async function listMessages(
  db: Db,
  accountId: AccountId,
  query: {
    readonly endpointId: WebhookEndpointId;
    readonly state?: WebhookMessageState | undefined;
    readonly cursor?: WebhookMessageId | undefined;
    readonly limit: number;
  },
): Promise<MessagePage> {
  const { endpointId, state, cursor, limit } = query;
  const [endpoint] = await db
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.accountId, accountId), eq(webhookEndpoints.id, endpointId)));
  if (endpoint === undefined) throw noSuchEndpoint();
  const rows = await selectMessages(
    db,
    and(
      eq(webhookMessages.accountId, accountId),
      eq(webhookMessages.endpointId, endpointId),
      state === undefined ? undefined : eq(webhookMessages.state, state),
      cursor === undefined ? undefined : lt(webhookMessages.id, cursor),
    ),
    limit + 1,
  );
  const shown = rows.slice(0, limit);
  return { rows: shown, nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

export type MessageDetail = ListedMessage & {
  readonly endpointId: WebhookEndpointId;
  readonly body: string;
  /** The first one first. */
  readonly log: readonly {
    readonly number: number;
    readonly at: Date;
    readonly durationMs: number;
    readonly status: number | null;
    readonly answer: string;
    readonly error: string | null;
  }[];
};

export async function queryMessage(
  db: Db,
  accountId: AccountId,
  id: WebhookMessageId,
): Promise<MessageDetail | undefined> {
  const isIt = and(eq(webhookMessages.accountId, accountId), eq(webhookMessages.id, id));
  const [message] = await selectMessages(db, isIt, 1);
  if (message === undefined) return undefined;
  const log = await db
    .select({
      number: webhookAttempts.number,
      at: webhookAttempts.at,
      durationMs: webhookAttempts.durationMs,
      status: webhookAttempts.status,
      answer: webhookAttempts.answer,
      error: webhookAttempts.error,
    })
    .from(webhookAttempts)
    .where(and(eq(webhookAttempts.accountId, accountId), eq(webhookAttempts.messageId, id)))
    .orderBy(asc(webhookAttempts.number));
  return { ...message, log };
}

function selectMessages(db: Db, where: SQL | undefined, limit: number) {
  return db
    .select({
      ...messageColumns,
      endpointId: webhookMessages.endpointId,
      body: webhookEvents.body,
    })
    .from(webhookMessages)
    .innerJoin(
      webhookEvents,
      and(
        eq(webhookEvents.accountId, webhookMessages.accountId),
        eq(webhookEvents.id, webhookMessages.eventId),
      ),
    )
    .where(where)
    .orderBy(desc(webhookMessages.id))
    .limit(limit);
}
