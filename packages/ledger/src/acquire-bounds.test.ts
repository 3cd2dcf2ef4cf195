// What bounds an acquisition to the nano-dollar: what a key has spent and reserved in all, and the money
// that is left after the grant for a head start.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { type Acquired, acquireLeases } from "./acquire-leases.ts";
import { LeaseBook } from "./lease-book.ts";
import {
  chargeOf,
  grantOf,
  holdOf,
  openTestBooks,
  type Spender,
  type TestBooks,
} from "./open-test-books.fixture.ts";

let books: TestBooks;
beforeAll(async () => {
  books = await openTestBooks();
});
afterAll(() => books.close());
afterEach(async () => expect(await books.check()).toEqual([]));

/** One batch; each call opens a lease of its own. */
async function acquire(
  calls: readonly { readonly spender: Spender; readonly want: bigint; readonly ahead?: bigint }[],
): Promise<readonly (Acquired | "busy")[]> {
  const acquisitions = calls.map(({ spender, want, ahead = 0n }) => {
    const hold = holdOf(spender, want);
    return { ...hold, ...new LeaseBook().reserve(hold), aheadNanos: ahead };
  });
  const options = { instanceId: books.instanceId, wait: true, late: false };
  return (await acquireLeases(books.app.sql, acquisitions, options)).answers;
}

test("the spend limit of a key in all counts what it has spent and what is reserved", async () => {
  const spender = await books.newSpender(1_000_000n, { total: 1_000n });
  const ledger = books.openLedger();
  const hold = grantOf(await ledger.hold(holdOf(spender, 300n)));
  await ledger.charge(chargeOf(hold, 300n));
  expect(await ledger.drain(20_000)).toBe(true);
  await acquire([{ spender, want: 200n }]);
  expect(await acquire([{ spender, want: 501n }])).toMatchObject([
    { verdict: "key_total", availableNanos: 500n },
  ]);
  expect(await acquire([{ spender, want: 500n }])).toMatchObject([{ grantedNanos: 500n }]);
});

test("a head start is at most one sixteenth of what is left after the grant", async () => {
  const spender = await books.newSpender(320_000n);
  await acquire([{ spender, want: 10_000n, ahead: 320_000n }]);
  const extra = 310_000n / 16n;
  expect(await books.money(spender.accountId)).toMatchObject({ held: 10_000n + extra });
});

test("headroom that a call does not need stays with its lease", async () => {
  const spender = await books.newSpender(10_000n);
  const book = new LeaseBook();
  const options = { instanceId: books.instanceId, wait: true, late: false };
  const ask = async (want: bigint) => {
    const hold = holdOf(spender, want);
    const { lease, ownNanos } = book.reserve(hold);
    const call = { ...hold, lease, ownNanos, aheadNanos: 0n };
    const { answers } = await acquireLeases(books.app.sql, [call], options);
    Object.assign(lease, { grantedNanos: 1_000n, heldNanos: 0n });
    return answers;
  };
  await ask(1_000n);
  expect(await ask(300n)).toMatchObject([{ grantedNanos: 300n, extraNanos: 700n }]);
  expect(await books.leases(spender.accountId)).toMatchObject([{ granted_nanos: "1000" }]);
  expect(await books.money(spender.accountId)).toMatchObject({ held: 1_000n });
});

test("a refused call is no use of its key, also where its batch grants another", async () => {
  const [poor, rich] = [await books.newSpender(10n), await books.newSpender(10n)];
  await acquire([
    { spender: poor, want: 11n },
    { spender: rich, want: 1n },
  ]);
  const read = (spender: Spender) => books.app.sql<{ last_used_at: Date | null }[]>`
    select last_used_at from api_keys where id = ${spender.keyId}`;
  expect(await read(poor)).toMatchObject([{ last_used_at: null }]);
  expect((await read(rich))[0]?.last_used_at).not.toBeNull();
});
