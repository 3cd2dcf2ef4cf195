// Reading keys by their hashes: one query at a time, and callers that arrive meanwhile share the next one.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createAccount } from "@turnpike/accounts";
import { type Connection, connectDatabase, type Db } from "@turnpike/db";
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
  let queries = 0;
  const loader = createKeyLoader(countSelects(connection.db, () => (queries += 1)));
  const answers: ReturnType<typeof loader.load>[] = [];
  for (const { key } of minted) {
    answers.push(loader.load(hashApiKey(key)));
    // The query of the first has been sent, its answer cannot be read yet.
    await Promise.resolve();
    await Promise.resolve();
    expect(queries).toBe(1);
  }
  const records = await Promise.all(answers);
  expect(records.map((record) => record?.id)).toEqual(minted.map(({ id }) => id));
  expect(queries).toBe(2);
});

/** The same database, with each `select` counted. */
function countSelects(db: Db, count: () => void): Db {
  return new Proxy(db, {
    get(target, name) {
      if (name === "select") count();
      return Reflect.get(target, name);
    },
  });
}
