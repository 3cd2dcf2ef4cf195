// Records an attempt to deliver a message, and what follows, under the lock of its endpoint: accepted, due again, or given
// up, which may disable the endpoint.

import { type Db, webhookAttempts, webhookEndpoints } from "@turnpike/db";
import { failItem, finishItem } from "@turnpike/queue";
import { and, eq, sql } from "drizzle-orm";
import { disableFailing } from "./disable-failing.ts";
import type { Outcome } from "./post-webhook.ts";
import { type ClaimedMessage, webhookQueue } from "./webhook-queue.ts";
import type { Webhooks } from "./webhooks.ts";

export async function recordAttempt(
  db: Db,
  webhooks: Webhooks,
  message: ClaimedMessage,
  outcome: Outcome,
): Promise<void> {
  const { accountId, endpointId, id } = message;
  const isEndpoint = and(
    eq(webhookEndpoints.accountId, accountId),
    eq(webhookEndpoints.id, endpointId),
  );
  await db.transaction(async (tx) => {
    // The endpoint first, as anyone who disables or deletes it does.
    const [endpoint] = await tx
      .select({ id: webhookEndpoints.id })
      .from(webhookEndpoints)
      .where(isEndpoint)
      .for("no key update");
    if (endpoint === undefined) return;
    await tx
      .insert(webhookAttempts)
      .values({
        accountId,
        messageId: id,
        number: message.attempts,
        at: sql`now() - make_interval(secs => ${outcome.durationMs / 1_000}::float8)`,
        durationMs: outcome.durationMs,
        status: outcome.status,
        answer: outcome.answer,
        error: outcome.error,
      })
      .onConflictDoNothing();
    const isAccepted = outcome.error === null;
    await tx
      .update(webhookEndpoints)
      .set(
        isAccepted
          ? { acceptedAt: sql`clock_timestamp()`, failingSince: null }
          : { failingSince: sql`coalesce(${webhookEndpoints.failingSince}, now())` },
      )
      .where(isEndpoint);
    if (isAccepted) await finishItem(tx, webhookQueue, message);
    else await noteFailure(tx, webhooks, message, outcome);
  });
}

async function noteFailure(
  tx: Db,
  webhooks: Webhooks,
  message: ClaimedMessage,
  { error, status }: Outcome,
): Promise<void> {
  const { accountId, endpointId, attempts, attemptsMax, createdAt } = message;
  const isGone = status === 410;
  const isFinal = isGone || attempts >= attemptsMax;
  const ending = await failItem(tx, webhookQueue, message, { error: error ?? "", isFinal });
  if (ending !== "given_up") return;
  // A test tells its sender on the page, and says nothing about days of failures.
  if (!isGone && attemptsMax === 1) return;
  const reason = isGone ? "gone" : "failures";
  await disableFailing(tx, webhooks, { accountId, endpointId, reason, since: new Date(createdAt) });
}
