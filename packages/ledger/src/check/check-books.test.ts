// The full checker itself: each kind of corruption, made by hand with the triggers off, is found
// and named. A checker that finds nothing in broken books would make every other test worthless.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { openTestBooks, type TestBooks } from "../open-test-books.fixture.ts";
import { checkBooks } from "./check-books.ts";
import { damages, fillBooks, lookAtDamage, type Sample } from "./damage-books.fixture.ts";

let books: TestBooks;
let sample: Sample;
beforeAll(async () => {
  books = await openTestBooks();
  sample = await fillBooks(books);
});
afterAll(() => books.close());

/** What the checker reports while `statements` are applied. */
async function checkWith(...statements: readonly string[]): Promise<string[]> {
  return lookAtDamage(books, statements, async (db) =>
    (await checkBooks(db)).map((violation) => violation.check),
  );
}

test("clean books have nothing to report", async () => {
  expect(await books.check()).toEqual([]);
  expect(await checkWith()).toEqual([]);
});

const fullOnly: typeof damages = [
  [
    "a day of usage is not the sum of its blocks",
    () => `insert into usage_blocks select distinct on (minutes) account_id, date_bin('1 day', now() - interval '2 days',
      '2000-01-01'), null, '', '', 'api', 'chat', 'ok', '', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, null, null, 60, 1
      from (select id as account_id from accounts) a cross join (values (60)) n (minutes);
      update usage_progress set rolled_from = '-infinity'`,
  ],
  [
    "shortfall entries are not the sum of leases and requests",
    () => "update leases set shortfall_nanos = 41 where closed_at is not null",
  ],
  [
    "counters of a key are not its leases",
    () => "update api_keys set total_spent_nanos = total_spent_nanos + 1",
  ],
];

for (const [index, [name, statement]] of [...damages, ...fullOnly].entries()) {
  test(`it finds (${index + 1}): ${name}`, async () => {
    expect(await checkWith(statement(sample))).toContain(name);
  });
}

test("a lease is open in time while a call of its hour may run, and one of a process that ended is reaped", async () => {
  const late = (minutes: number) =>
    `update leases set hour = now() - interval '${minutes} minutes' where closed_at is null`;
  // Moved over midnight, such a lease also counts in another day.
  const openTooLong = async (...statements: string[]) =>
    (await checkWith(...statements)).filter((name) => name.startsWith("a lease is open"));
  expect(await openTooLong(late(79))).toEqual([]);
  expect(await openTooLong(late(81), "update instances set ended_at = now()")).toEqual([]);
  const silent = "update instances set heartbeat_at = now() - interval '2 minutes'";
  expect(await openTooLong(late(81), silent)).toEqual([]);
  expect(await openTooLong(late(81))).toHaveLength(1);
});
