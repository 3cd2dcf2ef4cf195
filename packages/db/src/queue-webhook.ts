// Queues a message to each endpoint of an account that wants an event. Call it in the transaction that does what
// the event tells of: neither can be committed without the other. Who has no endpoint pays one indexed read.
import {
  type AccountId,
  newId,
  type WebhookEndpointId,
  type WebhookEventId,
  type WebhookMessageId,
} from "@turnpike/base";
import { and, eq, isNull, or, sql } from "drizzle-orm";
import type { Db } from "./connect.ts";
import { webhookEndpoints, webhookEvents, webhookMessages } from "./schema/webhooks.ts";
import type { WebhookEvent } from "./webhook-event.ts";

/** The first attempt and its retries, over three days. */
export const webhookAttemptsMax = 10;
const endpointsMax = 1_000;

export async function queueWebhook(
  tx: Db,
  accountId: AccountId,
  event: WebhookEvent,
): Promise<void> {
  const wanting = await tx
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(
      and(
        eq(webhookEndpoints.accountId, accountId),
        isNull(webhookEndpoints.disabledAt),
        or(
          isNull(webhookEndpoints.eventTypes),
          sql`${event.type} = any (${webhookEndpoints.eventTypes})`,
        ),
      ),
    )
    .limit(endpointsMax)
    // An endpoint that is deleted meanwhile must not fail what the event tells of.
    .for("key share");
  if (wanting.length === 0) return;
  const to = wanting.map(({ id }) => id);
  await sendToEndpoint(tx, { accountId, to, event, attemptsMax: webhookAttemptsMax });
}

/** Inserts an event and its messages to these endpoints. Returns the ids of the messages. */
export async function sendToEndpoint(
  tx: Db,
  message: {
    readonly accountId: AccountId;
    readonly to: readonly WebhookEndpointId[];
    readonly event: { readonly type: string; readonly data: unknown };
    readonly attemptsMax: number;
  },
): Promise<readonly WebhookMessageId[]> {
  const { accountId, to, event, attemptsMax } = message;
  const eventId = newId<WebhookEventId>();
  const body = makeWebhookBody(accountId, event, new Date());
  await tx.insert(webhookEvents).values({ accountId, id: eventId, type: event.type, body });
  const rows = to.map((endpointId) => {
    return { accountId, id: newId<WebhookMessageId>(), eventId, endpointId, attemptsMax };
  });
  await tx.insert(webhookMessages).values(rows);
  return rows.map(({ id }) => id);
}

/** The body of the request, in the form that Standard Webhooks recommends. */
function makeWebhookBody(
  accountId: AccountId,
  { type, data }: { readonly type: string; readonly data: unknown },
  at: Date,
): string {
  return JSON.stringify({ type, timestamp: at.toISOString(), account_id: accountId, data });
}
