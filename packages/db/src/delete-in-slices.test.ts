// What is over is deleted in slices, and nothing else.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { sql } from "drizzle-orm";
import { type Connection, connectDatabase } from "./connect.ts";
import { deleteInSlices } from "./delete-in-slices.ts";
import { throttles } from "./schema/index.ts";

let database: TestDatabase;
let app: Connection;
beforeAll(async () => {
  database = await createTestDatabase();
  app = connectDatabase({ url: database.url, max: 1 });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

test("every row that is over is deleted, however many slices it takes, and no other", async () => {
  await app.sql`insert into throttles (bucket, since, count)
                select 'bucket ' || n, now() - n * interval '1 day', 1 from generate_series(1, 25) n`;
  const isOld = sql`since < now() - interval '5 days 12 hours'`;
  expect(await deleteInSlices(app.db, throttles, isOld, 7)).toBe(20);
  expect(await deleteInSlices(app.db, throttles, isOld, 7)).toBe(0);
  expect(await app.sql`select bucket from throttles`).toHaveLength(5);
});
