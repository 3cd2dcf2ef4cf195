import { afterAll, expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import { type AccountId, newId, type PersonId } from "@turnpike/base";
import { allTables, connectDatabase } from "@turnpike/db";
import { createTestDatabase } from "@turnpike/testing";
import { getTableName } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { extract } from "tar-stream";
import {
  type ArchivedTable,
  aboutNobody,
  archiveOfAccount,
  archiveOfPerson,
  columnsOf,
  excludedFromAccounts,
  excludedFromPersons,
} from "./archived-tables.ts";
import { writeArchive } from "./write-archive.ts";

const database = await createTestDatabase();
const owner = connectDatabase({ url: database.ownerUrl, max: 2 });
const app = connectDatabase({ url: database.url, max: 2 });
afterAll(async () => {
  await Promise.all([owner.close(), app.close()]);
  await database.drop();
});

const noOpeners = { prompt: () => null, conversation: () => null, object: () => null };
const read = <Result>(run: (db: typeof app.db) => Promise<Result>) => run(app.db);

async function filesIn(archive: AsyncIterable<Uint8Array>): Promise<Map<string, string>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) chunks.push(chunk);
  const files = new Map<string, string>();
  const tar = extract();
  tar.end(gunzipSync(Buffer.concat(chunks)));
  for await (const entry of tar) {
    const parts: Uint8Array[] = [];
    for await (const part of entry) if (part instanceof Uint8Array) parts.push(part);
    files.set(entry.header.name, Buffer.concat(parts).toString());
  }
  return files;
}

async function addPerson() {
  const personId = newId<PersonId>();
  const accountId = newId<AccountId>();
  const email = `${personId.slice(-12)}@example.com`;
  const { sql } = owner;
  await sql`insert into persons (id, email, password_hash) values (${personId}, ${email}, 'hash of a password')`;
  await sql`insert into accounts (id, name) values (${accountId}, ${email})`;
  await sql`insert into memberships (account_id, person_id) values (${accountId}, ${personId})`;
  return { personId, accountId, email };
}

const namesOf = (tables: readonly ArchivedTable[]) =>
  tables.map(({ table }) => getTableName(table));

/** Tables of the database with one of these columns; partitions belong to their table. */
async function tablesWith(columns: readonly string[]): Promise<string[]> {
  const rows = await owner.sql<{ name: string }[]>`
    select distinct c.table_name as name from information_schema.columns c
      join pg_class t on t.oid = format('%I.%I', c.table_schema, c.table_name)::regclass
     where c.table_schema = 'public' and t.relkind in ('r', 'p') and not t.relispartition
       and c.column_name in ${owner.sql([...columns])}`;
  return rows.map(({ name }) => name).toSorted();
}

test("the schema knows every table of the database", async () => {
  const rows = await owner.sql<{ name: string }[]>`
    select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`;
  // Which text of a function was applied is known to the code that applies it only.
  const names = rows.map(({ name }) => name).filter((name) => name !== "schema_functions");
  expect([...allTables.keys()].toSorted()).toEqual(names.toSorted());
});

test("every table about an account is in its archive, or listed as excluded with a reason", async () => {
  const archive = archiveOfAccount(newId<AccountId>(), "account", noOpeners);
  const covered = [...namesOf(archive.tables), ...Object.keys(excludedFromAccounts)];
  const missing = (await tablesWith(["account_id"])).filter((name) => !covered.includes(name));
  expect(missing).toEqual([]);
  expect(covered).toContain("requests");
  expect(new Set(covered).size).toBe(covered.length);
});

test("every table about a person is in their archive, by every column that refers to them", async () => {
  const archive = archiveOfPerson(newId<PersonId>(), "ada@example.com");
  const references = await owner.sql<{ table: string; column: string }[]>`
    select c.conrelid::regclass::text as table, a.attname as column
      from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
     where c.contype = 'f' and c.confrelid = 'persons'::regclass`;
  const named = ["person_id", "actor_id", "recipient", "email"];
  const columns = await owner.sql<{ table: string; column: string }[]>`
    select table_name as table, column_name as column from information_schema.columns c
      join pg_class t on t.oid = format('%I.%I', c.table_schema, c.table_name)::regclass
     where table_schema = 'public' and t.relkind in ('r', 'p') and not t.relispartition
       and column_name in ${owner.sql(named)}`;
  expect(references.length).toBeGreaterThan(12);
  for (const { table, column } of [...references, ...columns]) {
    if (table in excludedFromPersons || isOfPerson(table, column)) continue;
    const found = archive.tables.find((one) => getTableName(one.table) === table);
    const sql = found?.where === undefined ? "" : new PgDialect().sqlToQuery(found.where).sql;
    expect(`${table}: ${sql}`).toContain(`"${column}"`);
  }
  const names = namesOf(archive.tables);
  expect(new Set(names).size).toBe(names.length);
});

/** An address beside the id of the person whose it is. */
function isOfPerson(table: string, column: string): boolean {
  return column === "email" && ["persons", "email_tokens", "identities"].includes(table);
}

test("a new table is in an archive, or someone has said why it is in none", async () => {
  const account = archiveOfAccount(newId<AccountId>(), "account", noOpeners);
  const person = archiveOfPerson(newId<PersonId>(), "ada@example.com");
  const archived = new Set([...namesOf(account.tables), ...namesOf(person.tables)]);
  const excluded = { ...excludedFromAccounts, ...excludedFromPersons, ...aboutNobody };
  const decided = [...archived, ...Object.keys(excluded)];
  expect(decided.toSorted()).toEqual([...allTables.keys()].toSorted());
  for (const reason of Object.values(excluded)) expect(reason.length).toBeGreaterThan(20);
});

test("every archived table has a key to read it by, page by page", () => {
  const { tables } = archiveOfAccount(newId<AccountId>(), "account", noOpeners);
  for (const { table } of tables) expect(columnsOf(table).length).toBeGreaterThan(1);
});

test("an archive contains all rows of its owner in files of limited length, and no one else's", async () => {
  const ada = await addPerson();
  const eve = await addPerson();
  for (const { accountId } of [ada, eve]) {
    await owner.sql`
      insert into audit_log (account_id, actor_kind, actor_name, action)
      select ${accountId}, 'operator', ${accountId}::text, 'row.' || n from generate_series(1, 25) n`;
  }
  const part = { ...archiveOfAccount(ada.accountId, "account", noOpeners), folder: "account" };
  const files = await filesIn(writeArchive(read, [part], { rowsPerFile: 10 }));
  const names = [...files.keys()].filter((name) => name.includes("audit_log"));
  const three = ["", "-2", "-3"].map((suffix) => `account/audit_log${suffix}.json`);
  expect(names).toEqual(three);
  const rows = names.flatMap((name) => JSON.parse(files.get(name) ?? ""));
  expect(rows.map(({ action }) => action)).toEqual(
    Array.from({ length: 25 }, (_, n) => `row.${n + 1}`),
  );
  const text = [...files.values()].join();
  expect(text).toContain(ada.accountId);
  expect(text).not.toContain(eve.accountId);
  expect(files.get("README.txt")).toContain("not included: stored_answers");
  expect(JSON.parse(files.get("account/api_keys.json") ?? "")).toEqual([]);
});

test("an archive of a person contains no hash, no link of a mail, and what is theirs", async () => {
  const ada = await addPerson();
  const { personId, email } = ada;
  const { sql } = owner;
  await sql`insert into sessions (hash, public_id, person_id, expires_at, address)
            values (sha256(${`token ${personId}`}::bytea), ${`public ${personId}`}, ${personId}, now(), '203.0.113.5')`;
  await sql`insert into outbox (id, recipient, message)
            values (gen_random_uuid(), ${email}, ${JSON.stringify({ kind: "reset_password", link: "secret link" })}::text::jsonb)`;
  const part = { ...archiveOfPerson(personId, email), folder: "person" };
  const files = await filesIn(writeArchive(read, [part]));
  const rowsOf = (name: string) => JSON.parse(files.get(`person/${name}.json`) ?? "");
  expect(rowsOf("persons")).toMatchObject([{ id: personId, email }]);
  expect(rowsOf("sessions")).toMatchObject([{ address: "203.0.113.5" }]);
  expect(rowsOf("memberships")).toMatchObject([{ account_id: ada.accountId }]);
  expect(rowsOf("outbox")).toMatchObject([{ message: "reset_password" }]);
  const text = [...files.values()].join();
  for (const secret of ["hash of a password", "secret link", '"hash"']) {
    expect(text).not.toContain(secret);
  }
});

test("a receiver that stops ends the reading", async () => {
  const ada = await addPerson();
  let reads = 0;
  const counting = <Result>(run: (db: typeof app.db) => Promise<Result>) => {
    reads += 1;
    return run(app.db);
  };
  const part = { ...archiveOfAccount(ada.accountId, "account", noOpeners), folder: "account" };
  const archive = writeArchive(counting, [part]);
  await archive.next();
  await archive.return(undefined);
  const before = reads;
  await app.sql`select 1`;
  expect(reads).toBeLessThanOrEqual(before + 1);
});

test("a read that fails makes the archive fail instead of ending early", async () => {
  const { accountId } = await addPerson();
  const part = { ...archiveOfAccount(accountId, "account", noOpeners), folder: "account" };
  const failing = () => Promise.reject(new Error("the database is gone"));
  let message = "";
  try {
    for await (const _ of writeArchive(failing, [part]));
  } catch (error) {
    message = String(error);
  }
  expect(message).toContain("the database is gone");
});
