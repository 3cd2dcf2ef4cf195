import { afterAll, beforeAll, expect, test } from "bun:test";
import { type AccountId, newId, type WebhookEndpointId } from "@turnpike/base";
import { createTestDatabase } from "@turnpike/testing";
import { type Connection, connectDatabase } from "./connect.ts";
import { queueWebhook } from "./queue-webhook.ts";
import { type WebhookEvent, webhookEventTypes } from "./webhook-event.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let connection: Connection;
let owner: Connection;

beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase({ url: database.url });
  owner = connectDatabase({ url: database.ownerUrl, max: 1 });
});
afterAll(async () => {
  await connection.close();
  await owner.close();
  await database.drop();
});

const created: WebhookEvent = {
  type: "key.created",
  data: { key: { id: "k", name: "a key" }, by: { kind: "operator", name: "" } },
};

async function addAccount(): Promise<AccountId> {
  const id = newId<AccountId>();
  await owner.sql`insert into accounts (id) values (${id})`;
  return id;
}

async function addEndpoint(
  accountId: AccountId,
  { types, disabled = false }: { types?: string[]; disabled?: boolean } = {},
) {
  const id = newId<WebhookEndpointId>();
  await connection.sql`
    insert into webhook_endpoints (account_id, id, url, event_types, secret, disabled_at, disabled_by)
    values (${accountId}, ${id}, 'https://hooks.example/', ${types ? `{${types}}` : null}, '\\x00',
            ${disabled ? new Date().toISOString() : null}, ${disabled ? "member" : null})`;
  return id;
}

async function queuedFor(accountId: AccountId) {
  return connection.sql<{ endpoint_id: string; body: string; state: string }[]>`
    select m.endpoint_id, m.state, e.body from webhook_messages m
      join webhook_events e on e.account_id = m.account_id and e.id = m.event_id
     where m.account_id = ${accountId} order by m.id`;
}

test("an event is queued once for each enabled endpoint of its account that wants it", async () => {
  const accountId = await addAccount();
  const all = await addEndpoint(accountId);
  const one = await addEndpoint(accountId, { types: ["top_up.failed", "key.created"] });
  await addEndpoint(accountId, { types: ["key.revoked"] });
  await addEndpoint(accountId, { disabled: true });
  await addEndpoint(await addAccount());
  await connection.db.transaction((tx) => queueWebhook(tx, accountId, created));
  const queued = await queuedFor(accountId);
  expect(queued.map((row) => row.endpoint_id).sort()).toEqual([all, one].sort());
  const [first, second] = queued;
  expect(first?.body).toBe(second?.body ?? "");
  expect(JSON.parse(first?.body ?? "")).toEqual({
    type: "key.created",
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    account_id: accountId,
    data: created.data,
  });
});

test("an account without an endpoint stores no event", async () => {
  const accountId = await addAccount();
  await connection.db.transaction((tx) => queueWebhook(tx, accountId, created));
  const events = await connection.sql`
    select id from webhook_events where account_id = ${accountId}`;
  expect(events).toHaveLength(0);
});

test("an event whose transaction is rolled back is not queued", async () => {
  const accountId = await addAccount();
  await addEndpoint(accountId);
  const rollback = new Error("rolled back");
  try {
    await connection.db.transaction(async (tx) => {
      await queueWebhook(tx, accountId, created);
      throw rollback;
    });
  } catch (error) {
    expect(error).toBe(rollback);
  }
  expect(await queuedFor(accountId)).toHaveLength(0);
});

test("deleting an endpoint while an event is queued for it waits, and fails neither", async () => {
  const accountId = await addAccount();
  const id = await addEndpoint(accountId);
  const queued = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const queueing = connection.db.transaction(async (tx) => {
    await queueWebhook(tx, accountId, created);
    queued.resolve();
    await mayCommit.promise;
  });
  await queued.promise;
  const deleting = connection.sql`delete from webhook_endpoints where id = ${id}`.then(() => true);
  mayCommit.resolve();
  await queueing;
  expect(await deleting).toBe(true);
  expect(await queuedFor(accountId)).toHaveLength(0);
});

test("every kind of event is a noun and a verb", () => {
  expect(webhookEventTypes).toHaveLength(14);
  for (const type of webhookEventTypes) expect(type).toMatch(/^[a-z_]+\.[a-z_]+$/);
});
