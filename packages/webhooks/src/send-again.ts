// Messages that a member sends: an earlier event once more, under its own id, and a test.

import { type AccountContext, auditActorOf, type Member, throttle } from "@turnpike/accounts";
import {
  type AccountId,
  Fault,
  newId,
  type WebhookEndpointId,
  type WebhookMessageId,
} from "@turnpike/base";
import {
  type Db,
  recordAudit,
  sendToEndpoint,
  webhookAttemptsMax,
  webhookEndpoints,
  webhookMessages,
} from "@turnpike/db";
import { and, eq } from "drizzle-orm";
import { noSuchEndpoint } from "./change-endpoints.ts";

/** A new message with its own attempts. Throws `not_found`, `conflict` while the endpoint is disabled, and `throttled`. */
export async function sendAgain(
  db: Db,
  auth: Pick<AccountContext, "throttles">,
  by: Member,
  messageId: WebhookMessageId,
): Promise<{ readonly id: WebhookMessageId }> {
  const accountId = by.account.id;
  const id = newId<WebhookMessageId>();
  await db.transaction(async (tx) => {
    const [message] = await tx
      .select({ eventId: webhookMessages.eventId, endpointId: webhookMessages.endpointId })
      .from(webhookMessages)
      .where(and(eq(webhookMessages.accountId, accountId), eq(webhookMessages.id, messageId)));
    if (message === undefined) throw new Fault("not_found", "There is no such message.");
    const { url } = await requireEnabled(tx, accountId, message.endpointId);
    await throttle(tx, auth.throttles.webhookPerAccount, `webhook:account:${accountId}`);
    const attemptsMax = webhookAttemptsMax;
    await tx.insert(webhookMessages).values({ accountId, id, ...message, attemptsMax });
    const object = { id: message.endpointId, name: url };
    const changes = { message: [messageId, id] } as const;
    const action = "webhook.send_again";
    await recordAudit(tx, { accountId, by: auditActorOf(by), action, object, changes });
  });
  return { id };
}

/** One attempt, whatever events the endpoint wants. Throws `not_found`, `conflict` and `throttled`. */
export async function sendTest(
  db: Db,
  auth: Pick<AccountContext, "throttles">,
  by: Member,
  endpointId: WebhookEndpointId,
): Promise<{ readonly id: WebhookMessageId }> {
  const accountId = by.account.id;
  return db.transaction(async (tx) => {
    const { url } = await requireEnabled(tx, accountId, endpointId);
    await throttle(tx, auth.throttles.webhookPerAccount, `webhook:account:${accountId}`);
    const event = { type: "webhook.test", data: { sent_by: by.person.email } };
    const to = [endpointId];
    const [id] = await sendToEndpoint(tx, { accountId, to, event, attemptsMax: 1 });
    if (id === undefined) throw noSuchEndpoint();
    const object = { id: endpointId, name: url };
    const action = "webhook.send_test";
    await recordAudit(tx, { accountId, by: auditActorOf(by), action, object });
    return { id };
  });
}

/** Throws `not_found` and `conflict`. */
export async function requireEnabled(tx: Db, accountId: AccountId, id: WebhookEndpointId) {
  const [endpoint] = await tx
    .select({ url: webhookEndpoints.url, disabledAt: webhookEndpoints.disabledAt })
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.accountId, accountId), eq(webhookEndpoints.id, id)))
    .for("key share");
  if (endpoint === undefined) throw noSuchEndpoint();
  if (endpoint.disabledAt === null) return endpoint;
  throw new Fault("conflict", "This endpoint is disabled. Enable it first.");
}
