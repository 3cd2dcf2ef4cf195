// The upgrade to prices of service tiers: earlier prices are those of the standard tier, earlier rows
// have no details, and a process of the previous version continues to charge while both run.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyMigrations, createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { type Connection, connectDatabase } from "./connect.ts";
import { migrate } from "./migrate.ts";

const account = crypto.randomUUID();
const newIdText = () => Bun.randomUUIDv7();
const [price, before, lease, instance] = [newIdText(), newIdText(), newIdText(), newIdText()];

/** `charge_requests` as the previous version declared it, with a body that writes nothing. */
const olderFunction = `
  create function charge_requests(uuid, uuid[], uuid[], uuid[], uuid[], text[], bigint[], bigint[],
    bigint[], bigint[], text[], text[], text[], text[], uuid[], boolean[], integer[], integer[],
    integer[], integer[], integer[], text[], integer[], integer[], text[], text[], text[], text[],
    text[], text[], text[], real[], real[], real[], text[] default null, integer[] default null,
    out verdicts text[], out charged bigint[], out shortfalls bigint[])
  language plpgsql as $$ begin verdicts := '{older}'; end $$`;

let database: TestDatabase;
let owner: Connection;
beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  owner = connectDatabase({ url: database.ownerUrl, max: 1 });
  const older = await copyMigrations({ through: "0024_stored_answers_account" });
  await migrate({ url: database.ownerUrl, migrationsFolder: older.folder });
  await older.remove();
  await owner.sql.unsafe(olderFunction);
  await owner.sql`
    insert into prices (id, model, input_nanos, cached_input_nanos, cache_write_nanos, output_nanos)
    values (${price}, 'm', 3, 2, 4, 5)`;
  await owner.sql`insert into accounts (id, name) values (${account}, 'account')`;
  await owner.sql`
    insert into requests (account_id, id, state, price_id) values (${account}, ${before}, 'released', ${price})`;
  await owner.sql`
    insert into leases (account_id, id, instance_id, hour)
    values (${account}, ${lease}, ${instance}, now())`;
  await migrate({ url: database.ownerUrl });
});
afterAll(async () => {
  await owner.close();
  await database.drop();
});

test("earlier prices are the standard tier's, and earlier rows keep theirs", async () => {
  const [row] = await owner.sql`
    select p.tier, p.input_nanos::text as input, r.usage_details
      from requests r join prices p on p.id = r.price_id where r.id = ${before}`;
  expect(row).toEqual({ tier: "", input: "3", usage_details: null });
});

test("a process of the previous version charges by the function of this one, without details", async () => {
  const id = newIdText();
  // The 36 arguments that the previous version sends.
  const [row] = await owner.sql.unsafe<{ verdicts: string }[]>(`
    select verdicts::text from charge_requests('${instance}', '{${id}}', '{${account}}', '{${lease}}',
      '{NULL}', '{released}', '{0}', '{0}', '{0}', '{1}', '{api}', '{t}', '{a}', '{m}', '{NULL}', '{f}',
      '{1}', '{1}', '{0}', '{0}', '{0}', '{none}', '{NULL}', '{200}', '{completed}', '{NULL}', '{stop}',
      '{stop}', '{p}', '{u}', '{[]}', '{1}', '{1}', '{1}', '{embeddings}', '{0}')`);
  expect(row?.verdicts).toBe("{released}");
  const [written] = await owner.sql`select operation, usage_details from requests where id = ${id}`;
  expect(written).toEqual({ operation: "embeddings", usage_details: null });
});
