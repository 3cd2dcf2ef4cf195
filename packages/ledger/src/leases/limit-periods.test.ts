// The days, weeks and months of a key's limits begin and end in UTC, at the instant, by a clock that is set
// to their edges: what is wrong on Sundays only is seen on every day.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { noFailpoint } from "@turnpike/base";
import { setDatabaseClock } from "@turnpike/testing";
import { chargeCalls } from "../charges/charge-calls.ts";
import {
  chargeOf,
  holdOf,
  type KeyLimits,
  openTestBooks,
  type Principal,
  type TestBooks,
} from "../open-test-books.fixture.ts";
import { type Acquired, acquireLeases } from "./acquire-leases.ts";
import { LeaseBook } from "./lease-book.ts";
import { releaseLeases } from "./release-leases.ts";

type Period = "day" | "week" | "month";
const periods: readonly Period[] = ["day", "week", "month"];

let books: TestBooks;
beforeAll(async () => {
  books = await openTestBooks();
});
afterAll(() => books.close());
afterEach(async () => expect(await books.check()).toEqual([]));

const setClock = (at: string) => setDatabaseClock(books.database, new Date(at));

/** On a new lease, which it returns. */
async function acquire(principal: Principal, want: bigint) {
  const hold = holdOf(principal, want);
  const { lease } = new LeaseBook().reserve(hold.facts);
  const { wantNanos, floorNanos, atMostHalf, allOrNothing } = hold;
  const call = {
    lease,
    wantNanos,
    floorNanos,
    ownNanos: 0n,
    aheadNanos: 0n,
    atMostHalf,
    allOrNothing,
  };
  const options = { instanceId: books.instanceId, wait: true, late: false };
  const { answers, hourLeftMs } = await acquireLeases(books.app.sql, [call], options);
  const [answer] = answers;
  if (answer === undefined || answer === "busy") throw new Error("no answer");
  return {
    answer,
    hourLeftMs,
    release: () => release(principal, lease.id),
    async charge(cost: bigint) {
      const granted = {
        request: hold,
        lease,
        grantedNanos: wantNanos,
        heldAtMs: performance.now(),
      };
      const item = { charge: chargeOf(granted, cost), lease, capNanos: wantNanos, late: false };
      const { instanceId } = books;
      await chargeCalls(books.app.sql, [item], { instanceId, failpoint: noFailpoint });
    },
  };
}

type LeaseId = Parameters<typeof releaseLeases>[1][number]["leaseId"];

async function release({ accountId, keyId }: Principal, leaseId: LeaseId): Promise<void> {
  const closing = { accountId, leaseId, keyId, amountNanos: 0n, kind: "close" } as const;
  const [released] = await releaseLeases(books.app.sql, [closing], books);
  expect(released?.verdict).toBe("closed");
}

function refusalOf(answer: Acquired) {
  if (!("resetsAt" in answer)) throw new Error(`not refused: ${answer.verdict}`);
  return { verdict: answer.verdict, resetsAt: answer.resetsAt?.toISOString() };
}

/** As dates; undefined for a key that was never used. */
async function startsOf({ keyId }: Principal) {
  const [row] = await books.owner.sql<Record<Period, string>[]>`
    select day_start::text as day, week_start::text as week, month_start::text as month
      from api_keys where id = ${keyId}`;
  return row;
}

const day = (date: string) => `${date}T00:00:00.000Z`;

/** An instant, the first days of its day, week and month, and the first days of the next ones. */
const instants = [
  {
    at: "2026-11-22T23:59:59.999Z", // a Sunday
    starts: { day: "2026-11-22", week: "2026-11-16", month: "2026-11-01" },
    ends: { day: "2026-11-23", week: "2026-11-23", month: "2026-12-01" },
  },
  {
    at: "2026-11-23T00:00:00.000Z", // a Monday
    starts: { day: "2026-11-23", week: "2026-11-23", month: "2026-11-01" },
    ends: { day: "2026-11-24", week: "2026-11-30", month: "2026-12-01" },
  },
  {
    at: "2028-02-29T23:59:59.999Z", // a Tuesday
    starts: { day: "2028-02-29", week: "2028-02-28", month: "2028-02-01" },
    ends: { day: "2028-03-01", week: "2028-03-06", month: "2028-03-01" },
  },
  {
    at: "2026-12-31T12:30:00.000Z", // a Thursday
    starts: { day: "2026-12-31", week: "2026-12-28", month: "2026-12-01" },
    ends: { day: "2027-01-01", week: "2027-01-04", month: "2027-01-01" },
  },
  {
    at: "2027-01-01T00:00:00.000Z", // a Friday, in a week of the year before
    starts: { day: "2027-01-01", week: "2026-12-28", month: "2027-01-01" },
    ends: { day: "2027-01-02", week: "2027-01-04", month: "2027-02-01" },
  },
] as const;

test.each(instants)(
  "at $at each period has its first day, and ends when the next one begins",
  async ({ at, starts, ends }) => {
    await setClock(at);
    for (const period of periods) {
      const principal = await books.newPrincipal(1_000n, { [period]: 500n } satisfies KeyLimits);
      const { answer, hourLeftMs, release } = await acquire(principal, 500n);
      expect(answer.verdict).toBe("held");
      expect(hourLeftMs).toBe(3_600_000 - (Date.parse(at) % 3_600_000));
      expect(await startsOf(principal)).toEqual(starts);
      expect(refusalOf((await acquire(principal, 1n)).answer)).toEqual({
        verdict: `key_${period}`,
        resetsAt: day(ends[period]),
      });
      await release();
    }
  },
);

/** The last instant of a period, and the first one of the next, for periods that end alone or together. */
const edges = [
  { last: "2026-11-24T23:59:59.999Z", first: day("2026-11-25"), over: ["day"] },
  { last: "2026-11-22T23:59:59.999Z", first: day("2026-11-23"), over: ["day", "week"] },
  { last: "2026-12-31T23:59:59.999Z", first: day("2027-01-01"), over: ["day", "month"] },
  { last: "2027-01-31T23:59:59.999Z", first: day("2027-02-01"), over: ["day", "week", "month"] },
] as const;

test.each(edges)("what was held at $last does not count at $first in: $over", async (edge) => {
  const over: readonly Period[] = edge.over;
  for (const period of periods) {
    await setClock(edge.last);
    const principal = await books.newPrincipal(10_000n, { [period]: 500n } satisfies KeyLimits);
    const before = await acquire(principal, 500n);
    expect(before.answer.verdict).toBe("held");
    await setClock(edge.first);
    const after = await acquire(principal, 400n);
    expect(after.answer.verdict).toBe(over.includes(period) ? "held" : `key_${period}`);
    await before.release();
    if (after.answer.verdict === "held") await after.release();
  }
});

test.each(edges)(
  "what a lease of $last holds and spends counts only in periods that last",
  async (edge) => {
    const over: readonly Period[] = edge.over;
    await setClock(edge.last);
    const principal = await books.newPrincipal(10_000n);
    const before = await acquire(principal, 500n);
    await before.charge(300n);
    await setClock(edge.first);
    const after = await acquire(principal, 40n);
    await before.release();
    const counters = await books.counters(principal.keyId);
    for (const period of periods) {
      expect([period, counters[`${period}_spent`]]).toEqual([
        period,
        over.includes(period) ? 0n : 300n,
      ]);
      expect([period, counters[`${period}_held`]]).toEqual([period, 40n]);
    }
    expect(counters).toMatchObject({ total_spent: 300n, total_held: 40n });
    await after.release();
  },
);
