// The first hour of a day, a week or a month belongs to it: leases of that hour count in its counters.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { openTestBooks, type TestBooks } from "../open-test-books.fixture.ts";
import { checkRecentBooks } from "./check-recent-books.ts";
import { fillBooks, lookAtDamage } from "./damage-books.fixture.ts";

let books: TestBooks;
beforeAll(async () => {
  books = await openTestBooks();
  await fillBooks(books);
});
afterAll(() => books.close());

const wrong = "counters of a key are not its leases";

for (const period of ["day", "week", "month"]) {
  const start = `date_trunc('${period}', now(), 'utc')`;
  const date = `(${start} at time zone 'utc')::date`;
  // Moves every lease to the first hour of the period, and out of the shorter ones that began later.
  const move = [
    `update leases set hour = ${start}`,
    `update api_keys set day_held_nanos = 0, day_spent_nanos = 0 where day_start <> ${date}`,
    `update api_keys set week_held_nanos = 0, week_spent_nanos = 0
      where week_start <> date_trunc('week', ${date})::date`,
    `update api_keys set month_held_nanos = 0, month_spent_nanos = 0
      where month_start <> date_trunc('month', ${date})::date`,
  ];
  const look = (more: readonly string[]) =>
    lookAtDamage(books, [...move, ...more], async (db) => {
      const { violations } = await checkRecentBooks(db);
      return violations.map(({ check }) => check);
    });

  test(`what was spent and held in the first hour of the ${period} counts in it`, async () => {
    expect(await look([])).not.toContain(wrong);
    for (const kind of ["held", "spent"]) {
      const change = `update api_keys set ${period}_${kind}_nanos = ${period}_${kind}_nanos + 1`;
      expect(await look([change])).toContain(wrong);
    }
  });
}
