// The messages of all accounts that wait after a failure, as operators see and change them. Only waiting messages are
// read, by their index: how many were ever sent does not matter.
import {
  type AccountId,
  Fault,
  type WebhookEndpointId,
  type WebhookMessageId,
} from "@turnpike/base";
import {
  type AuditActor,
  accounts,
  type Db,
  recordAudit,
  webhookEndpoints,
  webhookMessages,
} from "@turnpike/db";
import { and, asc, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import { requireEnabled } from "./send-again.ts";

export type WaitingMessage = {
  readonly accountId: AccountId;
  readonly account: string;
  readonly id: WebhookMessageId;
  readonly url: string;
  readonly createdAt: Date;
  readonly attempts: number;
  readonly nextAttemptAt: Date;
  readonly error: string | null;
};

export type FailingEndpoint = {
  readonly accountId: AccountId;
  readonly account: string;
  readonly id: WebhookEndpointId;
  readonly url: string;
  readonly failingSince: Date | null;
};

export type WebhookQueue = {
  readonly waiting: number;
  readonly oldestAt: Date | null;
  /** Enabled ones that have accepted nothing since. */
  readonly failing: readonly FailingEndpoint[];
  /** Those that failed at least once, the next due first. */
  readonly rows: readonly WaitingMessage[];
};

const rowsMax = 100;
const isWaiting = eq(webhookMessages.state, "waiting");

export async function readWebhookQueue(db: Db): Promise<WebhookQueue> {
  const [counts] = await db
    .select({
      waiting: sql<number>`count(*)::int`,
      oldestAt: sql<Date | null>`min(${webhookMessages.createdAt})`.mapWith(
        webhookMessages.createdAt,
      ),
    })
    .from(webhookMessages)
    .where(isWaiting);
  const failing = await db
    .select({
      accountId: webhookEndpoints.accountId,
      account: accounts.name,
      id: webhookEndpoints.id,
      url: webhookEndpoints.url,
      failingSince: webhookEndpoints.failingSince,
    })
    .from(webhookEndpoints)
    .innerJoin(accounts, eq(accounts.id, webhookEndpoints.accountId))
    .where(and(isNotNull(webhookEndpoints.failingSince), isNull(webhookEndpoints.disabledAt)))
    .orderBy(asc(webhookEndpoints.failingSince))
    .limit(rowsMax);
  const rows = await db
    .select({
      accountId: webhookMessages.accountId,
      account: accounts.name,
      id: webhookMessages.id,
      url: webhookEndpoints.url,
      createdAt: webhookMessages.createdAt,
      attempts: sql<number>`${webhookMessages.attempts}::int`,
      nextAttemptAt: webhookMessages.sendAfter,
      error: sql<string | null>`(select a.error from webhook_attempts a
        where a.account_id = ${webhookMessages.accountId} and a.message_id = ${webhookMessages.id}
        order by a.number desc limit 1)`,
    })
    .from(webhookMessages)
    .innerJoin(
      webhookEndpoints,
      and(
        eq(webhookEndpoints.accountId, webhookMessages.accountId),
        eq(webhookEndpoints.id, webhookMessages.endpointId),
      ),
    )
    .innerJoin(accounts, eq(accounts.id, webhookMessages.accountId))
    .where(and(isWaiting, gt(webhookMessages.attempts, 0)))
    .orderBy(asc(webhookMessages.sendAfter))
    .limit(rowsMax);
  return {
    waiting: counts?.waiting ?? 0,
    oldestAt: counts?.oldestAt ?? null,
    failing,
    rows,
  };
}

export type OfMessage = { readonly accountId: AccountId; readonly id: WebhookMessageId };

/** Sends a waiting message with the next run. Throws `not_found`, and `conflict` while its endpoint is disabled. */
export async function retryMessage(tx: Db, of: OfMessage, by: AuditActor): Promise<void> {
  const changed = await changeWaiting(tx, of, { sendAfter: sql`now()`, claimedUntil: null });
  const { url } = await requireEnabled(tx, of.accountId, changed.endpointId);
  await record(tx, of, by, "webhook.retry", { id: changed.endpointId, name: url });
}

/** Cancels a waiting message. Throws `not_found`. */
export async function discardMessage(tx: Db, of: OfMessage, by: AuditActor): Promise<void> {
  const ended = { state: "canceled", endedAt: sql`now()` } as const;
  const { endpointId } = await changeWaiting(tx, of, ended);
  await record(tx, of, by, "webhook.discard", { id: endpointId, name: "" });
}

async function changeWaiting(
  tx: Db,
  { accountId, id }: OfMessage,
  values: Parameters<ReturnType<typeof tx.update<typeof webhookMessages>>["set"]>[0],
): Promise<{ readonly endpointId: WebhookEndpointId }> {
  const [message] = await tx
    .update(webhookMessages)
    .set(values)
    .where(and(eq(webhookMessages.accountId, accountId), eq(webhookMessages.id, id), isWaiting))
    .returning({ endpointId: webhookMessages.endpointId });
  if (message !== undefined) return message;
  throw new Fault("not_found", "No such message waits: it was accepted, given up or canceled.");
}

async function record(
  tx: Db,
  { accountId, id }: OfMessage,
  by: AuditActor,
  action: string,
  object: { readonly id: string; readonly name: string },
): Promise<void> {
  const changes = { message: [id, null] } as const;
  await recordAudit(tx, { accountId, by, action, object, changes });
}
