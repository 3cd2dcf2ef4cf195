// Returning money of leases: what was asked for is durable when the sweep resolves, a lease is in one
// statement at a time, and a locked account delays only a recall of that account.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { type ApiKeyId, type Failpoint, newId, noFailpoint } from "@turnpike/base";
import { elementsOf, type Sql } from "@turnpike/db";
import { toNanos } from "@turnpike/terms";
import { type BoundedConnection, openBoundedConnection } from "../batches/bounded-connection.ts";
import {
  holdOf,
  openTestBooks,
  type Principal,
  silentLog,
  type TestBooks,
} from "../open-test-books.fixture.ts";
import { acquireLeases } from "./acquire-leases.ts";
import type { Lease, PayerOf } from "./lease.ts";
import { LeaseBook } from "./lease-book.ts";
import { openSweeper, type Sweeper } from "./open-sweeper.ts";
import { releaseLeases } from "./release-leases.ts";

let books: TestBooks;
let connection: BoundedConnection;
beforeAll(async () => {
  books = await openTestBooks();
  connection = openBoundedConnection({
    url: books.database.url,
    max: 1,
    deadlineMs: 60_000,
    applicationName: "sweeper test",
  });
});
let principal: Principal;
let book: LeaseBook;
let sweeper: Sweeper;
/** Runs once, when a statement has been sent. */
let onSent: (() => void) | undefined;
const failpoint: Failpoint = (name) => {
  if (name !== "release-sent") return;
  const run = onSent;
  onSent = undefined;
  run?.();
};
beforeEach(async () => {
  principal = await books.newPrincipal(1_000_000n);
  book = new LeaseBook();
  const { instanceId } = books;
  sweeper = openSweeper({ connection, instanceId, book, log: silentLog, failpoint });
});
afterEach(async () => {
  expect(await sweeper.closeAll()).toBe(true);
  await sweeper.stop();
  expect(await books.check()).toEqual([]);
});
afterAll(async () => {
  await connection.close();
  await books.close();
});

/** A lease with `nanos` of headroom, reserved in the database. */
async function openLease(payer: PayerOf & Principal, nanos: bigint): Promise<Lease> {
  const reserved = book.reserve(payer);
  const hold = holdOf(payer, nanos);
  await acquireLeases(books.app.sql, [{ ...hold, ...reserved, aheadNanos: 0n }], {
    instanceId: books.instanceId,
    wait: true,
    late: false,
  });
  book.enlarge(reserved, 0n, nanos);
  book.endHold({ lease: reserved.lease, grantedNanos: 0n });
  return reserved.lease;
}

test("a sweep that is asked for while another runs includes what became due meanwhile", async () => {
  const other = await books.newPrincipal(1_000_000n);
  const [first, second] = [await openLease(principal, 700n), await openLease(other, 500n)];
  let asked: Promise<void> | undefined;
  onSent = () => {
    asked = Promise.resolve().then(() => {
      second.nearlyEmpty = true;
      return sweeper.sweep();
    });
  };
  first.nearlyEmpty = true;
  await sweeper.sweep();
  await asked;
  expect(second.grantedNanos).toBe(0n);
  expect(await books.money(other.accountId)).toMatchObject({ held: 0n });
});

test("a lease is in one statement at a time, and grants nothing of what is returned", async () => {
  const lease = await openLease(principal, 700n);
  const seen: unknown[] = [];
  onSent = () => {
    const reserved = book.reserve(principal);
    seen.push(book.due(), reserved.ownNanos);
    book.endAcquisition(reserved);
  };
  lease.nearlyEmpty = true;
  await sweeper.sweep();
  expect(seen).toEqual([{ close: [], release: [], keep: [] }, 0n]);
  onSent = () => {
    seen.push(book.due());
  };
  book.retire(lease);
  await sweeper.sweep();
  expect(seen.at(-1)).toEqual({ close: [], release: [], keep: [] });
  expect(book.size).toBe(0);
});

test("a lease whose answer was lost is in no other statement while one reduces it", async () => {
  const lease = await openLease(principal, 700n);
  const held = book.take(principal, toNanos(100n));
  book.lose(lease);
  const seen: unknown[] = [];
  onSent = () => {
    seen.push(book.due());
  };
  await sweeper.sweep();
  expect(held).toBe(lease);
  expect(seen).toEqual([{ close: [], release: [], keep: [] }]);
  expect(await books.money(principal.accountId)).toMatchObject({ held: 100n });
  book.endHold({ lease, grantedNanos: 100n });
});

test("a sweep leaves a locked account for later; sweepLocked waits for the account it names", async () => {
  const lease = await openLease(principal, 700n);
  const { waiting } = await books.owner.sql.begin(async (sql) => {
    await sql`select 1 from accounts where id = ${principal.accountId} for update`;
    lease.nearlyEmpty = true;
    await sweeper.sweep();
    expect(lease).toMatchObject({ grantedNanos: 700n, heldNanos: 0n, lostAtMs: 0 });
    await sweeper.sweepLocked((await books.newPrincipal(0n)).accountId);
    const waiting = sweeper.sweepLocked(principal.accountId);
    return { waiting };
  });
  await waiting;
  expect(lease.grantedNanos).toBe(0n);
});

test("sweepLocked ends although its account stays locked, and a later sweep returns the money", async () => {
  const lease = await openLease(principal, 700n);
  await books.owner.sql.begin(async (sql) => {
    await sql`select 1 from accounts where id = ${principal.accountId} for update`;
    book.recall(principal.accountId);
    await sweeper.sweepLocked(principal.accountId);
    // A periodic round may be trying at the same moment, so only the money is certain.
    expect(lease.grantedNanos).toBe(700n);
  });
  await sweeper.sweepLocked(principal.accountId);
  expect(lease.grantedNanos).toBe(0n);
});

test("a lease that another instance has closed grants nothing more, whatever it had left", async () => {
  const lease = await openLease(principal, 700n);
  const release = { ...principal, leaseId: lease.id, amountNanos: 0n, kind: "close" as const };
  const options = { instanceId: books.instanceId };
  expect(await releaseLeases(books.app.sql, [release], options)).toMatchObject([
    { verdict: "closed" },
  ]);
  book.recall(principal.accountId);
  await sweeper.sweep();
  expect(lease.state).toBe("retired");
  const next = book.reserve(principal);
  expect(next.lease).not.toBe(lease);
  book.endAcquisition(next);
});

test("a lease whose release may have been lost is closed, not released once more", async () => {
  const lease = await openLease(principal, 700n);
  onSent = () => {
    throw new Error("the answer is lost");
  };
  lease.nearlyEmpty = true;
  await sweeper.sweep();
  expect(lease).toMatchObject({ state: "retired", heldNanos: 0n });
  expect(lease.lostAtMs).toBeGreaterThan(0);
  await sweeper.sweep();
  expect(book.size).toBe(0);
  expect(await books.money(principal.accountId)).toMatchObject({ held: 0n });
});

test("a sweep takes one round at most, however many calls ask for another meanwhile", async () => {
  const busyBook = new LeaseBook();
  const { lease } = busyBook.reserve(principal);
  lease.nearlyEmpty = true;
  lease.grantedNanos = 1n;
  let rounds = 0;
  /** While each round runs, a call ends and leaves money to return, which asks for another round. */
  async function run(): Promise<unknown> {
    rounds += 1;
    await Promise.resolve();
    lease.grantedNanos += 1n;
    if (rounds < 1_000) busySweeper.poke();
    return [{ verdict: "released" }];
  }
  const busySweeper = openSweeper({
    // It responds to `releaseLeases`, the only statement of a sweep.
    connection: { run: run as BoundedConnection["run"], close: async () => undefined },
    instanceId: books.instanceId,
    book: busyBook,
    log: silentLog,
    failpoint: noFailpoint,
  });
  busySweeper.poke();
  await busySweeper.sweepLocked();
  // The running round, its own, and at most the beginning of one that another call asked for.
  expect(rounds).toBeLessThanOrEqual(3);
  rounds = 1_000;
  await busySweeper.stop();
});

test("a stopped sweeper sends nothing more", async () => {
  function openCounting() {
    const ownBook = new LeaseBook();
    ownBook.reserve(principal);
    const counted = { rounds: 0 };
    // It answers the only statement that is due: which of the accounts and keys were stopped.
    async function run(): Promise<unknown> {
      counted.rounds += 1;
      return [];
    }
    const own = openSweeper({
      connection: { run: run as BoundedConnection["run"], close: async () => undefined },
      instanceId: books.instanceId,
      book: ownBook,
      log: silentLog,
      failpoint: noFailpoint,
    });
    return { own, counted };
  }
  const stopped = openCounting();
  await stopped.own.stop();
  const running = openCounting();
  while (running.counted.rounds < 3) await Bun.sleep(10);
  await running.own.stop();
  expect(stopped.counted.rounds).toBe(0);
});

test("a statement about many leases locks as few accounts as it can", async () => {
  const payers = Array.from({ length: 180 }, (_, index) => ({ account: index % 3 }));
  const principals = [
    principal,
    await books.newPrincipal(1_000n),
    await books.newPrincipal(1_000n),
  ];
  for (const { account } of payers) {
    const { accountId } = principals[account] ?? principal;
    book.endAcquisition(book.reserve({ accountId, keyId: newId<ApiKeyId>(), personId: undefined }));
  }
  const { run } = connection;
  const accounts: number[] = [];
  const counted: BoundedConnection = {
    ...connection,
    run: (query) =>
      run((sql, db) => {
        const unsafe: Sql["unsafe"] = (text, parameters, options) => {
          accounts.push(new Set(elementsOf(String(parameters?.[1]))).size);
          return sql.unsafe(text, parameters, options);
        };
        const own = new Proxy(sql, {
          get: (target, name) => (name === "unsafe" ? unsafe : Reflect.get(target, name)),
        });
        return query(own, db);
      }),
  };
  const { instanceId } = books;
  const other = openSweeper({ connection: counted, instanceId, book, log: silentLog, failpoint });
  book.retireAll();
  await other.sweep();
  await other.stop();
  // 60 leases of each: the first statement has those of two accounts and the first of the third.
  expect(accounts).toEqual([3, 1]);
});
