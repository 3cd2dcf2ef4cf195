// The check of the schedule counts what a key holds and has spent in the periods of the leases, by a clock that is
// set to their edges: what is wrong on Mondays or on the first of a month only is seen on every day.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { connectDatabase } from "@turnpike/db";
import { setDatabaseClock } from "@turnpike/testing";
import { sql } from "drizzle-orm";
import {
  chargeOf,
  grantOf,
  holdOf,
  openTestBooks,
  type TestBooks,
} from "../open-test-books.fixture.ts";
import { checkRecentBooks } from "./check-recent-books.ts";

let books: TestBooks;
beforeAll(async () => {
  books = await openTestBooks();
});
afterAll(() => books.close());

const wrong = "counters of a key are not its leases";

/** By the clock as it is set; `change` is undone. */
async function checkWith(change: string): Promise<string[]> {
  const { close, db } = connectDatabase({ url: books.database.ownerUrl, max: 1 });
  const undo = new Error("undo");
  let found: string[] = [];
  try {
    await db.transaction(async (transaction) => {
      await transaction.execute(sql.raw(change));
      const { violations } = await checkRecentBooks(transaction);
      found = violations.map(({ check }) => check);
      throw undo;
    });
  } catch (thrown) {
    if (thrown !== undo) throw thrown;
  } finally {
    await close();
  }
  return found;
}

/** A lease that is closed, when another is opened, and in which periods both count. */
const pairs = [
  ["2031-03-04T23:00:00Z", "2031-03-05T00:00:00Z", ["week", "month"]], // Tuesday, Wednesday
  ["2031-03-09T23:00:00Z", "2031-03-10T00:00:00Z", ["month"]], // Sunday, Monday
  ["2031-09-30T23:00:00Z", "2031-10-01T00:00:00Z", ["week"]], // Tuesday, Wednesday
  ["2031-08-31T23:00:00Z", "2031-09-01T00:00:00Z", []], // Sunday, Monday
  ["2031-12-31T23:00:00Z", "2032-01-01T00:00:00Z", ["week"]], // Wednesday, Thursday
  ["2031-10-27T00:00:00Z", "2031-11-01T12:00:00Z", ["week"]], // Monday, Saturday
  ["2031-12-01T00:00:00Z", "2031-12-31T23:00:00Z", ["month"]], // Monday, Wednesday
] as const;

test.each(pairs)("a lease of %s counts at %s in: %p", async (before, after, shared) => {
  await setDatabaseClock(books.database, new Date(before));
  const principal = await books.newPrincipal(10_000n);
  const earlier = books.openLedger();
  await earlier.charge(chargeOf(grantOf(await earlier.hold(holdOf(principal, 500n))), 300n));
  await earlier.drain(60_000);
  await setDatabaseClock(books.database, new Date(after));
  const later = books.openLedger();
  const hold = grantOf(await later.hold(holdOf(principal, 40n)));
  const counters = await books.counters(principal.keyId);
  for (const period of ["day", "week", "month"] as const) {
    const spent = shared.some((name) => name === period) ? 300n : 0n;
    expect([period, counters[`${period}_spent`]]).toEqual([period, spent]);
    for (const column of [`${period}_spent_nanos`, `${period}_held_nanos`]) {
      const change = `update api_keys set ${column} = ${column} + 1 where id = '${principal.keyId}'`;
      expect([column, await checkWith(change)]).toEqual([column, [wrong]]);
    }
  }
  expect(await checkWith("select")).toEqual([]);
  await later.charge(chargeOf(hold, 40n));
  await later.drain(60_000);
  expect(await checkWith("select")).toEqual([]);
});
