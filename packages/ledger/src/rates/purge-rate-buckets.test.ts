// Buckets that nobody uses are forgotten, however many there are, and the others are kept.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { openTestBooks, type TestBooks } from "../open-test-books.fixture.ts";
import { purgeRateBuckets } from "./take-rates.ts";

let books: TestBooks;
beforeAll(async () => {
  books = await openTestBooks();
});
afterAll(() => books.close());

test("buckets that were not used for a day are deleted in slices, and no others", async () => {
  const { sql } = books.owner;
  const insert = (count: number, age: string) => sql`
    insert into rate_buckets (account_id, subject_id, name, counted_at)
    select gen_random_uuid(), gen_random_uuid(), 'key_requests', now() - ${age}::interval
      from generate_series(1, ${count})`;
  await insert(2_500, "25 hours");
  await insert(3, "23 hours");
  await purgeRateBuckets(books.app.sql);
  const [row] = await sql`select count(*)::int as left from rate_buckets`;
  expect(row).toEqual({ left: 3 });
});
