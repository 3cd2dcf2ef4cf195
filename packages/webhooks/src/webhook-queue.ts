// The queue of webhooks: the messages of all accounts to enabled endpoints. No endpoint gets more than a few at once, so that
// one that hangs delays only its own.
import type {
  AccountId,
  WebhookEndpointId,
  WebhookEventId,
  WebhookMessageId,
} from "@turnpike/base";
import { accounts, type Db, webhookEndpoints, webhookMessages } from "@turnpike/db";
import type { Queue } from "@turnpike/queue";
import { and, asc, eq, getTableName, isNotNull, isNull, type SQL, sql } from "drizzle-orm";

export type ClaimedMessage = {
  readonly accountId: AccountId;
  readonly id: WebhookMessageId;
  readonly eventId: WebhookEventId;
  readonly endpointId: WebhookEndpointId;
  readonly body: string;
  /** Including this one. */
  readonly attempts: number;
  readonly attemptsMax: number;
  readonly createdAt: string;
  readonly url: string;
  /** Sealed. */
  readonly secret: Uint8Array;
  /** Sealed; null unless it still counts. */
  readonly previousSecret: Uint8Array | null;
};

export type MessageFacts = {
  readonly accountId: AccountId;
  readonly account: string;
  readonly id: WebhookMessageId;
  readonly endpointId: WebhookEndpointId;
  readonly url: string;
};

/** At once, from all instances. */
const perEndpointMax = 5;
/** Longer than an attempt takes. */
const claimSeconds = 60;
const hour = 3_600;
const waits = sql`state = 'waiting'`;

/** Ten attempts within three days. */
export const webhookQueue: Queue<ClaimedMessage, MessageFacts> = {
  name: "webhooks",
  table: getTableName(webhookMessages),
  key: ["account_id", "id"],
  keyOf: ({ accountId, id }) => [accountId, id],
  createdAt: "created_at",
  dueAt: "send_after",
  waits,
  claim: {
    seconds: claimSeconds,
    order: sql`send_after`,
    among: dueByEndpoint,
    set: sql`claimed_until = now() + make_interval(secs => ${claimSeconds}::int)`,
    item: sql`t.account_id as "accountId", t.id, t.event_id as "eventId",
      t.endpoint_id as "endpointId", v.body, t.attempts_max as "attemptsMax",
      t.created_at as "createdAt", e.url, e.secret,
      case when e.previous_until > now() then e.previous_secret end as "previousSecret"`,
    beside: {
      tables: sql`webhook_events v, webhook_endpoints e`,
      where: sql`v.account_id = t.account_id and v.id = t.event_id
        and e.account_id = t.account_id and e.id = t.endpoint_id`,
    },
  },
  retryAfterSeconds: [5, 300, 1_800, 7_200, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 20 * hour],
  done: sql`state = 'accepted', claimed_until = null, ended_at = clock_timestamp()`,
  failed: () => sql`claimed_until = null`,
  givenUp: sql`state = 'failed', ended_at = clock_timestamp()`,
  listed: {
    facts: sql`t.account_id as "accountId", t.id, t.endpoint_id as "endpointId",
      (select a.name from accounts a where a.id = t.account_id) as account,
      (select e.url from webhook_endpoints e
        where e.account_id = t.account_id and e.id = t.endpoint_id) as url`,
    error: sql`(select a.error from webhook_attempts a
      where a.account_id = t.account_id and a.message_id = t.id order by a.number desc limit 1)`,
    order: sql`send_after`,
  },
  changes: {
    open: waits,
    retried: sql`claimed_until = null`,
    discarded: sql`state = 'canceled', ended_at = now()`,
    absent: "No such message waits: it was accepted, given up or canceled.",
  },
};

function dueByEndpoint(limit: number): SQL {
  return sql`
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
     order by m.send_after limit ${limit}`;
}

export type FailingEndpoint = {
  readonly accountId: AccountId;
  readonly account: string;
  readonly id: WebhookEndpointId;
  readonly url: string;
  readonly failingSince: Date | null;
};

const endpointsMax = 100;

/** Enabled ones that have accepted nothing since. */
export async function listFailingEndpoints(db: Db): Promise<readonly FailingEndpoint[]> {
  return db
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
    .limit(endpointsMax);
}
