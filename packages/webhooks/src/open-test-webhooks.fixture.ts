// A database, accounts with their owner, and senders, for the tests of this package.

import type { Member } from "@turnpike/accounts";
import {
  type AccountId,
  createSealer,
  newId,
  noFailpoint,
  type PersonId,
  type WebhookEndpointId,
} from "@turnpike/base";
import {
  type Connection,
  connectDatabase,
  memberships,
  persons,
  queueWebhook,
  type WebhookEvent,
} from "@turnpike/db";
import type { Worker } from "@turnpike/queue";
import { createLog } from "@turnpike/telemetry";
import { createTestDatabase, patientLimits } from "@turnpike/testing";
import { createEndpoint, type EndpointInput } from "./change-endpoints.ts";
import { openWebhookSender } from "./open-webhook-sender.ts";
import type { Webhooks } from "./webhooks.ts";

export type TestWebhooks = Connection & {
  readonly owner: Connection;
  readonly webhooks: Webhooks;
  readonly sender: Worker;
  /** Another one, as in another instance. */
  readonly openSender: (limitMs?: number) => Worker;
  readonly addOwner: () => Promise<Member>;
  readonly addEndpoint: (
    by: Member,
    url: string,
    input?: Partial<EndpointInput>,
  ) => Promise<{ readonly id: WebhookEndpointId; readonly secret: string }>;
  readonly queue: (by: Member, event?: WebhookEvent) => Promise<void>;
  /** As if the pause before the next attempt were over. */
  readonly makeDue: (by: Member) => Promise<void>;
  readonly messagesOf: (by: Member) => Promise<readonly MessageRow[]>;
};

export type MessageRow = {
  readonly id: string;
  readonly state: string;
  readonly attempts: number;
  /** Seconds until the next attempt. */
  readonly wait: number;
};

export const keyCreated: WebhookEvent = {
  type: "key.created",
  data: { key: { id: "0", name: "a key" }, by: { kind: "operator", name: "" } },
};

export async function openTestWebhooks(overrides: Partial<Webhooks> = {}): Promise<TestWebhooks> {
  const database = await createTestDatabase();
  const connection = connectDatabase({ url: database.url, ...patientLimits });
  const owner = connectDatabase({ url: database.ownerUrl, max: 1, ...patientLimits });
  const webhooks: Webhooks = {
    sealer: createSealer(["the sealing key of the tests of webhooks"]),
    allowPrivate: true,
    publicUrl: "http://console.test",
    log: createLog({ level: "silent", name: "test" }),
    ...overrides,
  };
  const { db } = connection;
  const openSender = (limitMs?: number) =>
    openWebhookSender(db, webhooks, {
      failpoint: noFailpoint,
      ...(limitMs !== undefined && { limitMs }),
    });
  const sender = openSender();
  return {
    ...connection,
    owner,
    webhooks,
    sender,
    openSender,
    addOwner: () => addOwner(owner),
    addEndpoint: (by, url, input) =>
      createEndpoint(db, webhooks, by, { url, description: "", eventTypes: null, ...input }),
    queue: (by, event = keyCreated) =>
      db.transaction((tx) => queueWebhook(tx, by.account.id, event)),
    async makeDue({ account }) {
      await owner.sql`update webhook_messages set send_after = now(), claimed_until = null
        where account_id = ${account.id} and state = 'waiting'`;
    },
    async messagesOf({ account }) {
      return owner.sql<MessageRow[]>`
        select id, state, attempts, extract(epoch from send_after - now())::float8 as wait
          from webhook_messages where account_id = ${account.id} order by id`;
    },
    async close() {
      await sender.close();
      await connection.close();
      await owner.close();
      await database.drop();
    },
  };
}

async function addOwner({ db, sql }: Connection): Promise<Member> {
  const accountId = newId<AccountId>();
  const personId = newId<PersonId>();
  const email = `${personId}@example.com`;
  const slug = `o-${personId}`;
  await sql`insert into accounts (id, kind, name, slug)
    values (${accountId}, 'organization', 'Acme', ${slug})`;
  await db.insert(persons).values({ id: personId, email, emailVerifiedAt: new Date() });
  await db.insert(memberships).values({ accountId, personId, role: "owner" });
  return {
    account: { id: accountId, kind: "organization", slug, name: "Acme", role: "owner" },
    person: { id: personId, email },
    address: "203.0.113.1",
  };
}
