// What a charge leaves of its lease: headroom that no later call is expected to use is returned
// immediately.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { noFailpoint } from "@turnpike/base";
import { toNanos } from "@turnpike/terms";
import { type BoundedConnection, openBoundedConnection } from "../batches/bounded-connection.ts";
import type { Hold, HoldRequest } from "../hold.ts";
import { acquireLeases } from "../leases/acquire-leases.ts";
import { LeaseBook } from "../leases/lease-book.ts";
import { openSweeper } from "../leases/open-sweeper.ts";
import { releaseLeases } from "../leases/release-leases.ts";
import {
  chargeOf,
  holdOf,
  openTestBooks,
  silentLog,
  type TestBooks,
} from "../open-test-books.fixture.ts";
import { type Charger, openCharger } from "./open-charger.ts";

let books: TestBooks;
let lateConnection: BoundedConnection;
let charger: Charger;
let book: LeaseBook;
let pokes = 0;
beforeAll(async () => {
  books = await openTestBooks();
  const { url } = books.database;
  const { instanceId, metrics } = books;
  const common = { url, max: 1, deadlineMs: 60_000, applicationName: "charger test" };
  lateConnection = openBoundedConnection(common);
  book = new LeaseBook();
  charger = openCharger({
    url,
    lateConnection,
    instanceId,
    book,
    log: silentLog,
    metrics,
    failpoint: noFailpoint,
    onHeadroom() {
      pokes += 1;
    },
    onEnd: () => undefined,
  });
});
afterAll(async () => {
  await charger.close();
  await lateConnection.close();
  await books.close();
});
afterEach(async () => expect(await books.check()).toEqual([]));

/** A call of 1,000 nano-dollars that is paid by its own lease. */
async function openCall(known?: HoldRequest): Promise<Hold> {
  const request = known ?? holdOf(await books.newPrincipal(1_000_000n), 1_000n);
  const reserved = book.reserve(request.facts);
  const options = { instanceId: books.instanceId, wait: true, late: false };
  await acquireLeases(books.app.sql, [{ ...request, ...reserved, aheadNanos: 0n }], options);
  book.enlarge(reserved, 1_000n, 0n);
  return {
    request,
    lease: reserved.lease,
    grantedNanos: toNanos(1_000n),
    heldAtMs: performance.now(),
  };
}

test("what a call did not cost is reported as free immediately if its lease is exact or retired", async () => {
  for (const change of [{ nearlyEmpty: true }, { state: "retired" }]) {
    const hold = await openCall();
    Object.assign(hold.lease, change);
    pokes = 0;
    await charger.charge(chargeOf(hold, 300n));
    expect(pokes).toBe(1);
    expect(hold.lease).toMatchObject({ heldNanos: 0n, spentNanos: 300n });
  }
});

test("what a call did not cost stays with a lease that later calls are expected to use", async () => {
  const hold = await openCall();
  pokes = 0;
  await charger.charge(chargeOf(hold, 300n));
  expect(pokes).toBe(0);
  expect(hold.lease).toMatchObject({ grantedNanos: 1_000n, heldNanos: 0n, spentNanos: 300n });
});

test("a late charge spends nothing of the lease it came too late for, and its own lease closes next", async () => {
  const hold = await openCall();
  const { request, lease } = hold;
  const release = { ...request.facts, leaseId: lease.id, amountNanos: 0n, kind: "close" as const };
  await releaseLeases(books.app.sql, [release], { instanceId: books.instanceId });
  expect(await charger.charge(chargeOf(hold, 300n))).toMatchObject({ verdict: "late_settled" });
  expect(lease).toMatchObject({ state: "retired", heldNanos: 0n, spentNanos: 0n });
  const closing = book.due().close.filter(({ accountId }) => accountId === request.facts.accountId);
  expect(closing).toHaveLength(2);
});

test("what a call held that had been charged before is returned at once, and what others hold of its lease is not", async () => {
  const first = await openCall();
  await charger.charge(chargeOf(first, 300n));
  book.retire(first.lease);
  const repeated = await openCall(first.request);
  const { accountId } = first.request.facts;
  const running = await openCall(holdOf(first.request.facts, 1_000n));
  expect(running.lease).toBe(repeated.lease);
  pokes = 0;
  const answer = await charger.charge(chargeOf(repeated, 300n));
  expect(answer).toMatchObject({ verdict: "already", chargedNanos: 300n });
  expect(pokes).toBe(1);
  const sweeper = openSweeper({
    connection: lateConnection,
    instanceId: books.instanceId,
    book,
    log: silentLog,
    failpoint: noFailpoint,
  });
  await sweeper.sweep();
  expect(await books.shown(accountId)).toEqual({ balance: 999_700n, held: 1_000n });
  await charger.charge(chargeOf(running, 1_000n));
  await sweeper.sweep();
  expect(await books.shown(accountId)).toEqual({ balance: 998_700n, held: 0n });
  await sweeper.stop();
});
