// Acquisitions under way: nothing closes the lease that an answer is about to enlarge, an answer that
// says nothing about the hour ends no lease, and every hold is lowered by the call that it was given to.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Failpoint } from "@turnpike/base";
import { type BoundedConnection, openBoundedConnection } from "../batches/bounded-connection.ts";
import type { HoldRequest } from "../hold.ts";
import {
  holdOf,
  openTestBooks,
  type Principal,
  silentLog,
  type TestBooks,
} from "../open-test-books.fixture.ts";
import { acquireLeases } from "./acquire-leases.ts";
import type { Lease } from "./lease.ts";
import { LeaseBook } from "./lease-book.ts";
import { type Acquirer, openAcquirer } from "./open-acquirer.ts";
import { openSweeper, type Sweeper } from "./open-sweeper.ts";

let books: TestBooks;
let connection: BoundedConnection;
beforeAll(async () => {
  books = await openTestBooks();
  const options = { max: 1, deadlineMs: 60_000, applicationName: "acquirer test" };
  connection = openBoundedConnection({ url: books.database.url, ...options });
});
afterAll(async () => {
  await connection.close();
  await books.close();
});

let principal: Principal;
let aheadMs: number;
let book: LeaseBook;
let acquirer: Acquirer;
let sweeper: Sweeper;
/** Run once each, when the statement has been sent and when its answer has arrived. */
let onSent: (() => void) | undefined;
let onCommitted: (() => void) | undefined;
const failpoint: Failpoint = (name) => {
  const run = name === "hold-sent" ? onSent : name === "hold-committed" ? onCommitted : undefined;
  if (run !== undefined) onSent = onCommitted = undefined;
  run?.();
};
beforeEach(async () => {
  principal = await books.newPrincipal(1_000_000n);
  aheadMs = 0;
  book = new LeaseBook(() => performance.now() + aheadMs);
  const common = { instanceId: books.instanceId, book, metrics: books.metrics, failpoint };
  acquirer = openAcquirer({
    ...common,
    url: books.database.url,
    lockedAccountConnections: 2,
    holdMs: 60_000,
  });
  sweeper = openSweeper({ ...common, connection, log: silentLog });
});
afterEach(async () => {
  await acquirer.close();
  await sweeper.closeAll();
  await sweeper.stop();
  expect(await books.check()).toEqual([]);
});

async function holdFor(request: HoldRequest) {
  const answer = await acquirer.acquire(request);
  if (!("lease" in answer)) throw new Error(`refused: ${answer.verdict}`);
  return answer;
}

/** The lease that memory grants from now. */
function leaseOf(payer: Principal): Lease {
  const reserved = book.reserve(payer);
  book.endAcquisition(reserved);
  return reserved.lease;
}

async function isOpen(lease: Lease): Promise<boolean> {
  const rows = await books.leases(lease.accountId);
  return rows.some((row) => row.id === lease.id && row.closed_at === null);
}

for (const [cause, end] of [
  ["its hour ended", () => (aheadMs += 3_600_000)],
  ["this process lapsed", () => book.retireAll()],
] as const) {
  test(`a lease is not closed while an acquisition for it is in flight, although ${cause}`, async () => {
    const lease = leaseOf(principal);
    const closing: Lease[] = [];
    onSent = () => {
      end();
      closing.push(...book.due().close);
    };
    const answer = await acquirer.acquire(holdOf(principal, 1_000n));
    expect(closing).toEqual([]);
    // It is granted on no retired lease: the call asks for another one.
    expect(answer).toEqual({ verdict: "closed" });
    expect(await isOpen(lease)).toBe(true);
    await sweeper.sweep();
    expect(book.size).toBe(0);
    expect(await books.money(principal.accountId)).toMatchObject({ held: 0n });
  });
}

test("a batch that finds every account locked ends no lease", async () => {
  const lease = leaseOf(principal);
  const { waiting } = await books.owner.sql.begin(async (sql) => {
    await sql`select 1 from accounts where id = ${principal.accountId} for update`;
    const answered = Promise.withResolvers<void>();
    onCommitted = answered.resolve;
    const waiting = holdFor(holdOf(principal, 1_000n));
    await answered.promise;
    return { waiting };
  });
  const hold = await waiting;
  expect(hold.lease).toBe(lease);
  expect(lease.state).toBe("open");
  book.endHold(hold);
});

test("the answer for a batch whose accounts are locked has no rest of the hour", async () => {
  const request = holdOf(principal, 1_000n);
  const call = { ...request, ...book.reserve(request.facts), aheadNanos: 0n };
  const batch = await books.owner.sql.begin(async (sql) => {
    await sql`select 1 from accounts where id = ${principal.accountId} for update`;
    const options = { instanceId: books.instanceId, wait: false, late: false };
    // Without `p_wait`, so it does not wait for the lock.
    return acquireLeases(books.app.sql, [call], options);
  });
  expect(batch).toEqual({ answers: ["busy"], hourLeftMs: undefined });
  book.endAcquisition(call);
});

test("a lost answer of one batch does not close the lease that another is about to enlarge", async () => {
  const lease = leaseOf(principal);
  onSent = () => {
    book.retire(lease);
    void sweeper.sweep();
  };
  expect(await acquirer.acquire(holdOf(principal, 1_000n))).toEqual({ verdict: "closed" });
  const next = await holdFor(holdOf(principal, 1_000n));
  expect(next.lease).not.toBe(lease);
  book.endHold(next);
});

test("what a lost answer granted is returned although an earlier call of the lease still runs", async () => {
  const running = await holdFor(holdOf(principal, 700n));
  running.lease.nearlyEmpty = true;
  await sweeper.sweep();
  onCommitted = () => {
    throw Object.assign(new Error("the answer is lost"), { code: "CONNECTION_CLOSED" });
  };
  const second = await holdFor(holdOf(principal, 1_000n));
  expect(second.lease).not.toBe(running.lease);
  second.lease.nearlyEmpty = true;
  await sweeper.sweep();
  expect((await books.shown(principal.accountId)).held).toBe(1_700n);
  // The statement might have run only now, so it is told again for a while.
  expect(running.lease.lostAtMs).toBeGreaterThan(0);
  aheadMs += 10_001;
  await sweeper.sweep();
  expect(running.lease.lostAtMs).toBe(0);
  book.endHold(running);
  book.endHold(second);
  await sweeper.sweep();
  expect((await books.shown(principal.accountId)).held).toBe(0n);
});

test("a call served from memory holds its money once, although the batch fails for another", async () => {
  const served = await holdFor(holdOf(principal, 1_000n));
  book.endHold(served);
  const broken = await books.newPrincipal(10_000n);
  await books.owner.sql.unsafe(
    `alter table accounts add constraint broken check (id <> '${broken.accountId}' or held_nanos = 0)`,
  );
  try {
    const [memory, failed] = await Promise.allSettled([
      acquirer.acquire(holdOf(principal, 400n)),
      acquirer.acquire(holdOf(broken, 10n)),
    ]);
    expect([memory.status, failed.status]).toEqual(["fulfilled", "rejected"]);
    expect(served.lease.heldNanos).toBe(400n);
    if (memory.status === "fulfilled" && "lease" in memory.value) book.endHold(memory.value);
    expect(served.lease.heldNanos).toBe(0n);
  } finally {
    await books.owner.sql`alter table accounts drop constraint broken`;
  }
});

test("a lease whose calls have ended closes, although a batch that served one of them failed", async () => {
  const served = await holdFor(holdOf(principal, 1_000n));
  book.endHold(served);
  onSent = () => {
    throw new Error("the statement fails");
  };
  const other = await books.newPrincipal(10_000n);
  const ends = await Promise.allSettled([
    acquirer.acquire(holdOf(principal, 400n)),
    acquirer.acquire(holdOf(other, 10n)),
  ]);
  for (const end of ends) {
    if (end.status === "fulfilled" && "lease" in end.value) book.endHold(end.value);
  }
  // The abandoned statement has the account locked until it is done.
  while (!(await sweeper.closeAll())) await Bun.sleep(5);
  expect(book.size).toBe(0);
  expect(await books.money(principal.accountId)).toMatchObject({ held: 0n });
});

test("a lease is exact while less than 32 times the need of its last call was left", async () => {
  const isExact = async (want: bigint) => {
    const payer = await books.newPrincipal(1_000_000n);
    const { lease } = await holdFor(holdOf(payer, want));
    const { nearlyEmpty } = lease;
    book.retireAll();
    return nearlyEmpty;
  };
  expect(await isExact(1_000_000n / 32n)).toBe(false);
  expect(await isExact(1_000_000n / 32n + 1n)).toBe(true);
});
