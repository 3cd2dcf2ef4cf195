// The upgrade to prices of long prompts, and one step back: earlier prices are those of prompts of any size, and the
// statements of the previous version, which do not know the sizes, still find and append the price they mean.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyMigrations, createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { type Connection, connectDatabase } from "./connect.ts";
import { migrate } from "./migrate.ts";

const earlier = Bun.randomUUIDv7();

let database: TestDatabase;
let owner: Connection;
let app: Connection;
beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  owner = connectDatabase({ url: database.ownerUrl, max: 1 });
  app = connectDatabase({ url: database.url, max: 1 });
  const older = await copyMigrations({ through: "0028_schema_state" });
  await migrate({ url: database.ownerUrl, migrationsFolder: older.folder });
  await older.remove();
  await insertAsBefore(owner, earlier, 3);
  await migrate({ url: database.ownerUrl });
});
afterAll(async () => {
  await Promise.all([owner.close(), app.close()]);
  await database.drop();
});

/** The columns that the previous version writes. */
async function insertAsBefore({ sql }: Connection, id: string, inputNanos: number): Promise<void> {
  await sql`
    insert into prices (id, model, route, tier, input_nanos, cached_input_nanos, cache_write_nanos,
                        cache_write_1h_nanos, audio_input_nanos, audio_output_nanos, web_search_nanos,
                        output_nanos, since)
    values (${id}, 'm', '', '', ${inputNanos}, 2, 4, null, null, null, null, 5, clock_timestamp())`;
}

/** What the previous version takes for the price in force. */
async function readAsBefore() {
  const rows = await app.sql`
    select distinct on (model, route, tier) id, model, route, tier, input_nanos::int as input
      from prices where model in ('m') order by model, route, tier, since desc, id desc`;
  return rows.map(({ input }) => input);
}

/** By size, what this version takes for the prices in force. */
async function readAsNow() {
  const rows = await app.sql`
    select distinct on (above_prompt_tokens) above_prompt_tokens as above, input_nanos::int as input
      from prices where model = 'm' order by above_prompt_tokens, since desc, id desc`;
  return rows.map(({ above, input }) => [above, input]);
}

test("earlier prices are those of prompts of any size", async () => {
  expect(await readAsNow()).toEqual([[0, 3]]);
  expect(await readAsBefore()).toEqual([3]);
});

test("a previous version that finds the price of long prompts appends its own, which changes no other", async () => {
  await app.sql`
    insert into prices (id, model, above_prompt_tokens, input_nanos, cached_input_nanos, cache_write_nanos,
                        output_nanos, since)
    values (${Bun.randomUUIDv7()}, 'm', 200000, 6, 4, 8, 10, clock_timestamp())`;
  expect(await readAsNow()).toEqual([
    [0, 3],
    [200_000, 6],
  ]);
  // It differs from its catalog, so the previous version appends what its catalog says.
  expect(await readAsBefore()).toEqual([6]);
  await insertAsBefore(app, Bun.randomUUIDv7(), 3);
  expect(await readAsBefore()).toEqual([3]);
  expect(await readAsNow()).toEqual([
    [0, 3],
    [200_000, 6],
  ]);
});
