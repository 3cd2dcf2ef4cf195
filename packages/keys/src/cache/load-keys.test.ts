// Reading keys by their hashes: one query at a time, and callers that arrive meanwhile share the next one.
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { createAccount } from "@turnpike/accounts";
import { type Connection, connectDatabase } from "@turnpike/db";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { hashApiKey } from "../api-key/api-key-format.ts";
import { mintApiKey } from "../api-key/mint-api-key.ts";
import { createKeyLoader } from "./load-keys.ts";

let database: TestDatabase;
let connection: Connection;
beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase({ url: database.url });
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

test("while a query runs no other starts, and misses that arrive meanwhile share the next", async () => {
  const { accountId } = await createAccount(connection.db, { email: "load@example.com" });
  const mint = () => mintApiKey(connection.db, { accountId, createdBy: undefined, name: "app" });
  const minted = [await mint(), await mint(), await mint()];
  const unsafe = spyOn(connection.sql, "unsafe");
  const loader = createKeyLoader(connection.db);
  const answers: ReturnType<typeof loader.load>[] = [];
  for (const { key } of minted) {
    answers.push(loader.load(hashApiKey(key)));
    // The query of the first has been sent, its answer cannot be read yet.
    await Promise.resolve();
    await Promise.resolve();
    expect(unsafe).toHaveBeenCalledTimes(1);
  }
  const records = await Promise.all(answers);
  expect(records.map((record) => record?.id)).toEqual(minted.map(({ id }) => id));
  expect(unsafe).toHaveBeenCalledTimes(2);
  unsafe.mockRestore();
});

test("keys are read by indexes, also if hardly any existed when the statement was planned", async () => {
  const { accountId } = await createAccount(connection.db, { email: "planned@example.com" });
  const { key, id } = await mintApiKey(connection.db, {
    accountId,
    createdBy: undefined,
    name: "app",
  });
  const owner = connectDatabase({ url: database.ownerUrl, max: 1 });
  try {
    const { sql } = owner;
    await sql`analyze api_keys, accounts, projects, guardrails`;
    const pages = async () => {
      const [row] = await sql<{ "QUERY PLAN": [{ Plan: Record<string, number> }] }[]>`
        explain (analyze, buffers, format json)
        select (api_key).id from load_keys(${`{\\\\x${hashApiKey(key)}}`}::bytea[])`;
      const plan = row?.["QUERY PLAN"][0].Plan ?? {};
      return Number(plan["Shared Hit Blocks"]) + Number(plan["Shared Read Blocks"]);
    };
    // The first one in a session reads the database's own catalog as well.
    await pages();
    await sql`
      insert into api_keys (account_id, id, name, hash, masked)
      select ${accountId}, gen_random_uuid(), 'many', sha256(i::text::bytea), 'masked'
        from generate_series(1, 20000) i`;
    expect(Math.min(await pages(), await pages())).toBeLessThan(40);
    const loader = createKeyLoader(connection.preparedDb);
    expect((await loader.load(hashApiKey(key)))?.id).toBe(id);
  } finally {
    await owner.close();
  }
});
