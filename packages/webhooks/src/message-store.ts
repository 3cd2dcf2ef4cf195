// Claims messages that are due and records their outcomes. A claim hides a message from other workers for a
// minute; a worker that dies in between delays it by that long, and it is sent again under the same id. No
// endpoint gets more than a few at once, so that one that hangs delays only its own.

import type {
  AccountId,
  WebhookEndpointId,
  WebhookEventId,
  WebhookMessageId,
} from "@turnpike/base";
import { type Db, webhookAttempts, webhookEndpoints, webhookMessages } from "@turnpike/db";
import { and, eq, ne, sql } from "drizzle-orm";
import { disableFailing } from "./disable-failing.ts";
import type { Outcome } from "./post-webhook.ts";
import type { Webhooks } from "./webhooks.ts";

/** Longer than an attempt takes. */
const claimSeconds = 60;
/** At once, from all instances. */
const perEndpointMax = 5;

export type ClaimedMessage = {
  readonly accountId: AccountId;
  readonly id: WebhookMessageId;
  readonly eventId: WebhookEventId;
  readonly endpointId: WebhookEndpointId;
  readonly body: string;
  /** Including this one. */
  readonly attempts: number;
  readonly url: string;
  /** Sealed. */
  readonly secret: Uint8Array;
  /** Sealed; null unless it still counts. */
  readonly previousSecret: Uint8Array | null;
};

/** Messages of enabled endpoints that are due, each claimed by one worker for a while. */
export async function claimMessages(db: Db, limit: number): Promise<readonly ClaimedMessage[]> {
  const rows = await db.execute<ClaimedMessage>(sql`
    with wanted as materialized (
      select m.account_id, m.id from webhook_endpoints e
        cross join lateral (
          select w.account_id, w.id, w.send_after from webhook_messages w
           where w.account_id = e.account_id and w.endpoint_id = e.id
             and w.state = 'waiting' and w.send_after <= now()
           order by w.send_after
           limit greatest(0, ${perEndpointMax} - (
             select count(*) from webhook_messages c
              where c.account_id = e.account_id and c.endpoint_id = e.id and c.state = 'waiting'
                and c.send_after > now()
                and c.send_after <= now() + make_interval(secs => ${claimSeconds}::int)
                and c.claimed_until > now()))) m
       where e.disabled_at is null
       order by m.send_after limit ${limit}),
    locked as materialized (
      select account_id, id from webhook_messages
       where (account_id, id) in (select account_id, id from wanted)
         and state = 'waiting' and send_after <= now()
         for update skip locked),
    claimed as (
      update webhook_messages m
         set attempts = attempts + 1,
             send_after = now() + make_interval(secs => ${claimSeconds}::int),
             claimed_until = now() + make_interval(secs => ${claimSeconds}::int)
        from locked l where m.account_id = l.account_id and m.id = l.id
      returning m.account_id, m.id, m.event_id, m.endpoint_id, m.attempts)
    select c.account_id as "accountId", c.id, c.event_id as "eventId",
           c.endpoint_id as "endpointId", v.body, c.attempts, e.url, e.secret,
           case when e.previous_until > now() then e.previous_secret end as "previousSecret"
      from claimed c
      join webhook_events v on v.account_id = c.account_id and v.id = c.event_id
      join webhook_endpoints e on e.account_id = c.account_id and e.id = c.endpoint_id`);
  return [...rows];
}

/** Before the second, third, … attempt: ten within three days. */
export const retryAfterSeconds: readonly number[] = [
  5,
  300,
  1_800,
  7_200,
  5 * 3_600,
  10 * 3_600,
  14 * 3_600,
  20 * 3_600,
  20 * 3_600,
];
/** Receivers that were down together are not called together. */
const jitterShare = 0.1;

/** Records an attempt, and what follows: accepted, due again, or given up, which may disable the endpoint. */
export async function recordAttempt(
  db: Db,
  webhooks: Webhooks,
  message: ClaimedMessage,
  outcome: Outcome,
): Promise<void> {
  const { accountId, endpointId, id } = message;
  await db.transaction(async (tx) => {
    // The endpoint first, as anyone who disables or deletes it does.
    const [endpoint] = await tx
      .select({ id: webhookEndpoints.id })
      .from(webhookEndpoints)
      .where(and(eq(webhookEndpoints.accountId, accountId), eq(webhookEndpoints.id, endpointId)))
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
    if (outcome.error === null) await noteAccepted(tx, message);
    else await noteFailure(tx, webhooks, message, outcome.status);
  });
}

async function noteAccepted(tx: Db, { accountId, endpointId, id }: ClaimedMessage): Promise<void> {
  await tx
    .update(webhookMessages)
    .set({ state: "accepted", claimedUntil: null, endedAt: sql`clock_timestamp()` })
    .where(and(messageOf(accountId, id), ne(webhookMessages.state, "accepted")));
  await tx
    .update(webhookEndpoints)
    .set({ acceptedAt: sql`clock_timestamp()`, failingSince: null })
    .where(and(eq(webhookEndpoints.accountId, accountId), eq(webhookEndpoints.id, endpointId)));
}

async function noteFailure(
  tx: Db,
  webhooks: Webhooks,
  { accountId, endpointId, id, attempts }: ClaimedMessage,
  status: number | null,
): Promise<void> {
  await tx
    .update(webhookEndpoints)
    .set({ failingSince: sql`coalesce(${webhookEndpoints.failingSince}, now())` })
    .where(and(eq(webhookEndpoints.accountId, accountId), eq(webhookEndpoints.id, endpointId)));
  const isGone = status === 410;
  const isLast = sql`${webhookMessages.attemptsMax} <= ${attempts}`;
  const waitSeconds = (retryAfterSeconds[attempts - 1] ?? 0) * (1 + Math.random() * jitterShare);
  const [failed] = await tx
    .update(webhookMessages)
    .set({
      claimedUntil: null,
      sendAfter: sql`now() + make_interval(secs => ${waitSeconds}::float8)`,
      ...(isGone
        ? { state: "failed" as const, endedAt: sql`clock_timestamp()` }
        : {
            state: sql`case when ${isLast} then 'failed' else 'waiting' end`,
            endedAt: sql`case when ${isLast} then clock_timestamp() end`,
          }),
    })
    // Unless it was canceled, or another worker has claimed it since.
    .where(
      and(
        messageOf(accountId, id),
        eq(webhookMessages.state, "waiting"),
        eq(webhookMessages.attempts, attempts),
      ),
    )
    .returning({
      state: webhookMessages.state,
      createdAt: webhookMessages.createdAt,
      attemptsMax: webhookMessages.attemptsMax,
    });
  if (failed?.state !== "failed") return;
  // A test tells its sender on the page, and says nothing about days of failures.
  if (!isGone && failed.attemptsMax === 1) return;
  const reason = isGone ? "gone" : "failures";
  await disableFailing(tx, webhooks, { accountId, endpointId, reason, since: failed.createdAt });
}

function messageOf(accountId: AccountId, id: WebhookMessageId) {
  return and(eq(webhookMessages.accountId, accountId), eq(webhookMessages.id, id));
}
