// The bounds of an acquisition, to the nano-dollar: a key's total spending and reservations, and
// the money left after the grant for a head start.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { type AccountId, newId } from "@turnpike/base";
import {
  chargeOf,
  grantOf,
  holdOf,
  openTestBooks,
  type Principal,
  type TestBooks,
} from "../open-test-books.fixture.ts";
import { type Acquired, acquireLeases } from "./acquire-leases.ts";
import { LeaseBook } from "./lease-book.ts";

let books: TestBooks;
beforeAll(async () => {
  books = await openTestBooks();
});
afterAll(() => books.close());
afterEach(async () => expect(await books.check()).toEqual([]));

/** One batch; each call opens its own lease. */
async function acquire(
  calls: readonly {
    readonly principal: Principal;
    readonly want: bigint;
    readonly ahead?: bigint;
  }[],
): Promise<readonly (Acquired | "busy")[]> {
  const acquisitions = calls.map(({ principal, want, ahead = 0n }) => {
    const hold = holdOf(principal, want);
    return { ...hold, ...new LeaseBook().reserve(hold.facts), aheadNanos: ahead };
  });
  const options = { instanceId: books.instanceId, wait: true, late: false };
  return (await acquireLeases(books.app.sql, acquisitions, options)).answers;
}

test("a key's total spend limit counts what it has spent and what is reserved", async () => {
  const principal = await books.newPrincipal(1_000_000n, { total: 1_000n });
  const ledger = books.openLedger();
  const hold = grantOf(await ledger.hold(holdOf(principal, 300n)));
  await ledger.charge(chargeOf(hold, 300n));
  expect(await ledger.drain(60_000)).toBe(true);
  await acquire([{ principal, want: 200n }]);
  expect(await acquire([{ principal, want: 501n }])).toMatchObject([
    { verdict: "key_total", availableNanos: 500n },
  ]);
  expect(await acquire([{ principal, want: 500n }])).toMatchObject([{ grantedNanos: 500n }]);
});

test("of several limits of a key the one with the least left applies and is named", async () => {
  const limits = { day: 700n, week: 500n, month: 600n, total: 800n };
  const principal = await books.newPrincipal(10_000n, limits);
  expect(await acquire([{ principal, want: 501n }])).toMatchObject([
    { verdict: "key_week", availableNanos: 500n },
  ]);
  expect(await acquire([{ principal, want: 500n }])).toMatchObject([{ grantedNanos: 500n }]);
});

test("a batch of unknown accounts only is reported missing", async () => {
  const { keyId } = await books.newPrincipal(10n);
  const unknown = { accountId: newId<AccountId>(), keyId };
  expect(await acquire([{ principal: unknown, want: 1n }])).toMatchObject([{ verdict: "missing" }]);
});

test("no part of a call's reservation may be negative, and every part may be zero", async () => {
  const { accountId, keyId } = await books.newPrincipal(10n);
  const ask = (...[want, floor, own, ahead]: readonly number[]) => books.app.sql`
    select verdicts::text from acquire_leases(
      ${books.instanceId}, true, false, ${`{${newId()}}`}, ${`{${accountId}}`}, ${`{${keyId}}`},
      ${`{${want}}`}, ${`{${floor}}`}, ${`{${own}}`}, ${`{${ahead}}`}, '{f}', '{f}', null)`;
  const negatives = [
    [-1, 0, 0, 0],
    [0, -1, 0, 0],
    [0, 0, -1, 0],
    [0, 0, 0, -1],
  ];
  for (const parts of negatives) {
    const refused = await ask(...parts).catch(String);
    expect(refused).toContain("a call wants a negative reservation");
  }
  expect(await ask(0, 0, 0, 0)).toMatchObject([{ verdicts: "{held}" }]);
});

test("what a call reserves from its key's limit counts as elsewhere for the next call of its batch", async () => {
  const principal = await books.newPrincipal(10_000n, { day: 500n });
  const calls = [300n, 201n].map((want) => ({ principal, want }));
  expect(await acquire(calls)).toMatchObject([
    { verdict: "held" },
    { verdict: "key_day", elsewhereNanos: 300n },
  ]);
});

test("a call that waits for its locked key is granted once the key is free", async () => {
  const principal = await books.newPrincipal(10_000n);
  const { waiting } = await books.owner.sql.begin(async (sql) => {
    await sql`select 1 from api_keys where id = ${principal.keyId} for update`;
    const waiting = acquire([{ principal, want: 100n }]);
    await awaitLockWait();
    return { waiting };
  });
  expect(await waiting).toMatchObject([{ grantedNanos: 100n }]);
});

test("a key of another account pays nothing, even if its own account is in the batch", async () => {
  const [principal, other] = [await books.newPrincipal(10_000n), await books.newPrincipal(10_000n)];
  const answers = await acquire([
    { principal: { ...principal, keyId: other.keyId }, want: 100n },
    { principal: other, want: 200n },
  ]);
  expect(answers).toMatchObject([{ verdict: "missing" }, { grantedNanos: 200n }]);
});

test("a lease lasts for what is left of the hour", async () => {
  const principal = await books.newPrincipal(10_000n);
  const hold = holdOf(principal, 100n);
  const call = { ...hold, ...new LeaseBook().reserve(hold.facts), aheadNanos: 0n };
  const options = { instanceId: books.instanceId, wait: true, late: false };
  const { hourLeftMs } = await acquireLeases(books.app.sql, [call], options);
  expect(hourLeftMs).toBeGreaterThan(0);
  expect(hourLeftMs).toBeLessThanOrEqual(3_600_000);
});

test("a head start is at most one sixteenth of what is left after the grant", async () => {
  const principal = await books.newPrincipal(320_000n);
  await acquire([{ principal, want: 10_000n, ahead: 320_000n }]);
  const extra = 310_000n / 16n;
  expect(await books.money(principal.accountId)).toMatchObject({ held: 10_000n + extra });
});

test("headroom that a call does not need stays with its lease", async () => {
  const principal = await books.newPrincipal(10_000n);
  const book = new LeaseBook();
  const options = { instanceId: books.instanceId, wait: true, late: false };
  const ask = async (want: bigint) => {
    const hold = holdOf(principal, want);
    const { lease, ownNanos } = book.reserve(hold.facts);
    const call = { ...hold, lease, ownNanos, aheadNanos: 0n };
    const { answers } = await acquireLeases(books.app.sql, [call], options);
    Object.assign(lease, { grantedNanos: 1_000n, heldNanos: 0n });
    return answers;
  };
  await ask(1_000n);
  expect(await ask(300n)).toMatchObject([{ grantedNanos: 300n, extraNanos: 700n }]);
  expect(await books.leases(principal.accountId)).toMatchObject([{ granted_nanos: "1000" }]);
  expect(await books.money(principal.accountId)).toMatchObject({ held: 1_000n });
});

test("a head start beside headroom that covers the call reserves no more than is available", async () => {
  const principal = await books.newPrincipal(100_000n);
  const lease = new LeaseBook().reserve(principal).lease;
  const options = { instanceId: books.instanceId, wait: true, late: false };
  const ask = (want: bigint, ownNanos: bigint, aheadNanos: bigint) =>
    acquireLeases(
      books.app.sql,
      [{ ...holdOf(principal, want), lease, ownNanos, aheadNanos }],
      options,
    );
  await ask(99_990n, 0n, 0n);
  const { answers } = await ask(1_000n, 99_990n, 50_000n);
  expect(answers).toMatchObject([{ grantedNanos: 1_000n, extraNanos: 98_990n }]);
  expect(await books.money(principal.accountId)).toMatchObject({ held: 99_990n });
});

test("a refused call does not count as use of its key, even if its batch grants another", async () => {
  const [poor, rich] = [await books.newPrincipal(10n), await books.newPrincipal(10n)];
  await acquire([
    { principal: poor, want: 11n },
    { principal: rich, want: 1n },
  ]);
  const read = (principal: Principal) => books.app.sql<{ last_used_at: Date | null }[]>`
    select last_used_at from api_keys where id = ${principal.keyId}`;
  expect(await read(poor)).toMatchObject([{ last_used_at: null }]);
  expect((await read(rich))[0]?.last_used_at).not.toBeNull();
});

/** Resolves when a statement of the server's role waits for a lock. */
async function awaitLockWait(): Promise<void> {
  for (;;) {
    const waiting = await books.owner.sql`
      select 1 from pg_stat_activity
       where datname = ${books.database.name} and wait_event_type = 'Lock'`;
    if (waiting.length > 0) return;
    await Bun.sleep(10);
  }
}
