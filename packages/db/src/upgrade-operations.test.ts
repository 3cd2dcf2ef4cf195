// The upgrade to requests that carry their operation: earlier rows are chat and are not rewritten,
// and a process of the previous version continues to charge while both run.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { operations } from "@turnpike/terms";
import { copyMigrations, createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { type Connection, connectDatabase } from "./connect.ts";
import { migrate } from "./migrate.ts";

const account = crypto.randomUUID();
const newIdText = () => Bun.randomUUIDv7();

/** `charge_requests` as the previous version declared it, with a body that writes nothing. */
const olderFunction = `
  create function charge_requests(uuid, uuid[], uuid[], uuid[], uuid[], text[], bigint[], bigint[],
    bigint[], bigint[], text[], text[], text[], text[], uuid[], boolean[], integer[], integer[],
    integer[], integer[], integer[], text[], integer[], integer[], text[], text[], text[], text[],
    text[], text[], text[], real[], real[], real[],
    out verdicts text[], out charged bigint[], out shortfalls bigint[])
  language plpgsql as $$ begin verdicts := '{older}'; end $$`;

let database: TestDatabase;
let owner: Connection;
let filesBefore: unknown[];
beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  owner = connectDatabase({ url: database.ownerUrl, max: 1 });
  const older = await copyMigrations({ through: "0019_job_owner" });
  await migrate({ url: database.ownerUrl, migrationsFolder: older.folder });
  await older.remove();
  await owner.sql.unsafe(olderFunction);
  await owner.sql`
    insert into requests (account_id, id, state) values (${account}, ${newIdText()}, 'released')`;
  filesBefore = await readFiles();
  await migrate({ url: database.ownerUrl });
});
afterAll(async () => {
  await owner.close();
  await database.drop();
});

/** The files that hold the rows; a rewritten table has another. */
async function readFiles(): Promise<unknown[]> {
  const rows = await owner.sql`
    select relid::text, pg_relation_filenode(relid) from pg_partition_tree('requests') order by 1`;
  return [...rows];
}

test("earlier rows say chat, and no partition was rewritten", async () => {
  expect([...(await owner.sql`select account_id, operation from requests`)]).toEqual([
    { account_id: account, operation: "chat" },
  ]);
  expect(await readFiles()).toEqual(filesBefore);
});

test("every known operation can be written, in every partition, and no other", async () => {
  const write = async (operation: string, id: string) => {
    const other = crypto.randomUUID();
    await owner.sql`insert into requests (account_id, id, state, operation)
      values (${other}, ${id}, 'released', ${operation})`;
  };
  const fitsNoMonth = "00000000-0000-7000-8000-000000000001";
  for (const id of [newIdText(), fitsNoMonth]) {
    for (const operation of operations) await write(operation, id);
    await expect(write("juggling", id)).rejects.toThrow("requests_operation");
  }
});

test("a partition created later refuses unknown operations too", async () => {
  await owner.sql`select ensure_request_partitions(5)`;
  const [row] = await owner.sql<{ id: string }[]>`
    select uuid7_floor(date_trunc('month', now() at time zone 'utc') at time zone 'utc'
                       + interval '5 months 3 days')::text as id`;
  const write = (operation: string) => owner.sql`
    insert into requests (account_id, id, state, operation)
    values (${crypto.randomUUID()}, ${row?.id ?? ""}, 'released', ${operation})
    returning tableoid::regclass::text as partition`;
  const [written] = await write("embeddings");
  expect(written?.partition).not.toBe("requests_default");
  await expect(write("juggling").execute()).rejects.toThrow("requests_operation");
});

test("a process of the previous version charges by the function of this one, as chat", async () => {
  const [lease, instance, paying, id] = [0, 1, 2, 3].map(newIdText);
  await owner.sql`insert into accounts (id, name) values (${paying ?? ""}, 'account')`;
  await owner.sql`
    insert into leases (account_id, id, instance_id, hour)
    values (${paying ?? ""}, ${lease ?? ""}, ${instance ?? ""}, now())`;
  // The 34 arguments that the previous version sends.
  const [row] = await owner.sql.unsafe<{ verdicts: string }[]>(`
    select verdicts::text from charge_requests('${instance}', '{${id}}', '{${paying}}', '{${lease}}',
      '{NULL}', '{released}', '{0}', '{0}', '{0}', '{1}', '{api}', '{t}', '{a}', '{m}', '{NULL}', '{f}',
      '{1}', '{1}', '{0}', '{0}', '{0}', '{none}', '{NULL}', '{200}', '{completed}', '{NULL}', '{stop}',
      '{stop}', '{p}', '{u}', '{[]}', '{1}', '{1}', '{1}')`);
  expect(row?.verdicts).toBe("{released}");
  const [written] = await owner.sql`select operation from requests where id = ${id ?? ""}`;
  expect(written?.operation).toBe("chat");
});
