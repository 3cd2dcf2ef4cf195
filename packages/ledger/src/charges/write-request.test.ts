// A row of `requests` is written as a record, whose members have no names: each must reach its own column.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type AccountId, type GenerationId, newId } from "@turnpike/base";
import { requests } from "@turnpike/db";
import { toNanos } from "@turnpike/terms";
import { eq, getTableColumns } from "drizzle-orm";
import { openTestBooks, type TestBooks } from "../open-test-books.fixture.ts";
import { type CallFacts, createCallFacts } from "./call-facts.ts";
import { writeRequest } from "./write-request.ts";

let books: TestBooks;
beforeAll(async () => {
  books = await openTestBooks();
});
afterAll(() => books.close());

test("the columns of the table are those of its schema, in their order", async () => {
  const rows = await books.owner.sql<{ name: string; required: boolean }[]>`
    select attname as name, attnotnull as required from pg_attribute
     where attrelid = 'requests'::regclass and attnum > 0 and not attisdropped order by attnum`;
  const own = Object.values(getTableColumns(requests)).map((column) => column.name);
  expect(rows.map(({ name }) => name)).toEqual(own);
  // A process of the version before knows nothing of a new column, so it may be null.
  const added = rows.slice(own.indexOf("end_user") + 1);
  expect(added.filter(({ required }) => required)).toEqual([]);
});

/** Something else in each column. */
function sampleOf(dataType: string, position: number): unknown {
  if (dataType === "string") return `"${position}", (a) {b}\\ c`;
  if (dataType === "number") return position;
  if (dataType === "boolean") return true;
  return { serviceTier: `"${position}", {a}\\` };
}

test("every fact is read from the column of its name as it was written", async () => {
  const columns = Object.entries(getTableColumns(requests));
  const identity = { id: newId<GenerationId>(), accountId: newId<AccountId>(), keyId: null };
  const blank = createCallFacts(identity);
  const known = columns.filter(([name]) => name in blank && !(name in identity));
  const values = known.map(([name, column], position) => [
    name,
    // Only some values of these columns are possible.
    column.columnType === "PgUUID" ? newId() : sampleOf(column.dataType, position),
  ]);
  const facts: CallFacts = { ...blank, ...Object.fromEntries(values), operation: "embeddings" };
  const none = toNanos(0n);
  const amounts = { heldNanos: none, costNanos: none, chargedNanos: none, shortfallNanos: none };
  const written = writeRequest({ ...facts, ...amounts, state: "refused" });
  await books.owner.sql.unsafe(`
    do $$ declare v_call requests := $row$${written}$row$::requests; begin
      v_call.placed_at := now();
      insert into requests values (v_call.*);
    end $$`);
  const [row] = await books.owner.db.select().from(requests).where(eq(requests.id, identity.id));
  expect(row).toMatchObject(facts);
});
