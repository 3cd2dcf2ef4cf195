// Whatever a customer quotes is found, and finding it reads the same few pages however many others there are.
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  type AccountId,
  type ApiKeyId,
  formatGenerationId,
  type GenerationId,
  newId,
  newRequestId,
  type PersonId,
  type TopUpId,
} from "@turnpike/base";
import { type Connection, connectDatabase, type Db } from "@turnpike/db";
import { hashApiKey, makeApiKeyText, maskApiKey } from "@turnpike/keys";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { sql } from "drizzle-orm";
import { find } from "./find.ts";

const others = 10_000;
const calls = 40_000;
/** Of 8 KiB, in tables and indexes. A scan of the smallest of these tables reads several times as many. */
const pagesMax = 150;

let database: TestDatabase;
let owner: Connection;

const key = makeApiKeyText();
const made = {
  accountId: newId<AccountId>(),
  personId: newId<PersonId>(),
  keyId: newId<ApiKeyId>(),
  topUpId: newId<TopUpId>(),
  generationId: newId<GenerationId>(),
  requestId: newRequestId(),
};

beforeAll(async () => {
  database = await createTestDatabase();
  owner = connectDatabase({ url: database.ownerUrl, max: 1 });
  await fill(owner);
  await addCustomer(owner);
  for (const table of ["persons", "accounts", "memberships", "api_keys", "requests", "top_ups"]) {
    await owner.sql.unsafe(`vacuum analyze ${table}`);
  }
});
afterAll(async () => {
  await owner.close();
  await database.drop();
});

/** Calls of the last ten minutes, in the order of their time, as rows of a server are. */
async function fill({ sql: run }: Connection): Promise<void> {
  await run`
    create table made as select i, gen_random_uuid() as id from generate_series(1, ${others}) i`;
  await run`insert into persons (id, email, name) select id, 'p' || i || '@other.example', 'Person ' || i from made`;
  await run`insert into accounts (id, name) select id, 'Other ' || i from made`;
  await run`insert into memberships (account_id, person_id) select id, id from made`;
  await run`
    insert into api_keys (account_id, id, name, hash, masked)
    select id, id, 'key', sha256(id::text::bytea), 'sk-tp-' || left(md5(i::text), 4) || '…' || right(md5(i::text), 4)
      from made`;
  await run`
    insert into top_ups (id, account_id, amount_nanos, processor, payment_intent_id)
    select id, id, i * 1000000000::bigint, 'stripe', 'pi_other' || i from made`;
  await run`
    insert into requests (account_id, id, state, model, trace_id)
    select m.id, overlay(uuid7_floor(now() - make_interval(secs => (${calls}::int - n) * 0.01))::text
             placing substr(gen_random_uuid()::text, 20) from 20)::uuid, 'released', 'a/model', 'req_' || md5(n::text)
      from generate_series(1, ${calls}) n join made m on m.i = 1 + n % ${others}
     order by n`;
  await run`drop table made`;
}

async function addCustomer({ sql: run }: Connection): Promise<void> {
  const { accountId, personId, keyId, topUpId, generationId, requestId } = made;
  await run`insert into persons (id, email, name) values (${personId}, 'ada@lovelace.example', 'Ada Lovelace')`;
  await run`
    insert into accounts (id, name, slug, kind, stripe_customer_id)
    values (${accountId}, 'Analytical Engines', 'engines', 'organization', 'cus_ada')`;
  await run`insert into memberships (account_id, person_id) values (${accountId}, ${personId})`;
  await run`
    insert into api_keys (account_id, id, name, hash, masked)
    values (${accountId}, ${keyId}, 'laptop', ${Buffer.from(hashApiKey(key), "hex")}, ${maskApiKey(key)})`;
  await run`
    insert into top_ups (id, account_id, amount_nanos, processor, payment_intent_id, checkout_session_id)
    values (${topUpId}, ${accountId}, 77120000000, 'stripe', 'pi_ada', 'cs_ada')`;
  await run`
    insert into stripe_inbox (event_id, type, created, payload)
    values ('evt_ada', 'charge.dispute.created', now(), '{"paymentIntentId": "pi_ada"}')`;
  await run`
    insert into requests (account_id, id, key_id, state, model, trace_id, status)
    values (${accountId}, ${generationId}, ${keyId}, 'released', 'a/model', ${requestId}, 200)`;
}

const quoted: Readonly<Record<string, readonly [text: string, kind: string]>> = {
  "an address": ["ada@lovelace.example", "account"],
  "how an address begins": ["ADA@love", "account"],
  "the name of a person": ["ada love", "account"],
  "the name of an account": ["analytical", "account"],
  "a slug": ["engines", "account"],
  "the id of an account": [made.accountId, "account"],
  "the id of a person": [made.personId, "account"],
  "a whole key": [key, "key"],
  "a mask": [maskApiKey(key), "key"],
  "how a key begins": [key.slice(0, 10), "key"],
  "the first four of a key": [key.slice(6, 10), "key"],
  "the last four of a key": [key.slice(-4), "key"],
  "the id of a key": [made.keyId, "key"],
  "the id of a request": [made.requestId, "call"],
  "the id of a generation": [formatGenerationId(made.generationId), "call"],
  "the id of an answer": [
    formatGenerationId(made.generationId).replace("gen-", "chatcmpl-"),
    "call",
  ],
  "the id of a top-up": [made.topUpId, "top_up"],
  "a payment": ["pi_ada", "top_up"],
  "a checkout": ["cs_ada", "top_up"],
  "a customer of Stripe": ["cus_ada", "account"],
  "an event of Stripe": ["evt_ada", "event"],
  "an amount": ["$77.12", "top_up"],
};

/** What the statements of the transaction have read so far. */
async function pagesOf(tx: Db): Promise<number> {
  const [row] = await tx.execute<{ pages: number }>(sql`
    select sum(pg_stat_get_xact_blocks_fetched(c.oid))::int as pages
      from pg_class c where c.relnamespace = 'public'::regnamespace`);
  return row?.pages ?? 0;
}

test.each(Object.entries(quoted))(
  "%s leads to the account, in few pages",
  async (_, [text, kind]) => {
    await owner.db.transaction(async (tx) => {
      const before = await pagesOf(tx);
      const found = await find(tx, text);
      expect((await pagesOf(tx)) - before).toBeLessThan(pagesMax);
      expect(found).toContainEqual(expect.objectContaining({ kind, accountId: made.accountId }));
      expect(found.length).toBeLessThan(5);
    });
  },
);

test("nothing is found for what nobody has, and percent signs are only themselves", async () => {
  for (const text of [
    "a",
    "%",
    "__",
    "%ada",
    "req_0",
    newRequestId(),
    crypto.randomUUID(),
    "0.01",
  ]) {
    expect([text, await find(owner.db, text)]).toEqual([text, []]);
  }
});
