// Leases in memory: what is due, what may be closed, and that a payer without a lease and without recent
// demand takes no memory.
import { beforeEach, expect, test } from "bun:test";
import { type AccountId, type ApiKeyId, newId } from "@turnpike/base";
import { toNanos } from "@turnpike/terms";
import type { Lease, PayerOf } from "./lease.ts";
import { LeaseBook } from "./lease-book.ts";

let nowMs: number;
let book: LeaseBook;
beforeEach(() => {
  nowMs = 1_000;
  book = new LeaseBook(() => nowMs);
});

function newPayer(): PayerOf {
  return { accountId: newId<AccountId>(), keyId: newId<ApiKeyId>() };
}

/** A lease of `payer` that the database has granted `nanos`. */
function grant(payer: PayerOf, nanos: bigint): Lease {
  const reserved = book.reserve(payer);
  book.endAcquisition(reserved);
  reserved.lease.grantedNanos = nanos;
  reserved.lease.exists = true;
  return reserved.lease;
}

test("a payer whose lease is closed and whose demand has faded is forgotten", () => {
  const payer = newPayer();
  book.take(payer, toNanos(100n));
  book.forget(grant(payer, 1_000n));
  book.due();
  expect(book.aheadNanos(payer)).toBe(100n);
  expect(book.payerCount).toBe(1);
  nowMs += 2_000;
  book.due();
  expect(book.payerCount).toBe(0);
});

test("a call that is tried again is granted like any other and adds no demand", () => {
  const payer = newPayer();
  expect(book.take(payer, toNanos(100n))).toBeUndefined();
  const lease = grant(payer, 100n);
  expect(book.retake(payer, toNanos(100n))).toBe(lease);
  expect(book.retake(payer, toNanos(1n))).toBeUndefined();
  expect(book.aheadNanos(payer)).toBe(100n);
});

test("a lease that the database has not opened yet grants nothing, not even a hold of nothing", () => {
  const payer = newPayer();
  const reserved = book.reserve(payer);
  expect(book.take(payer, toNanos(0n))).toBeUndefined();
  book.endAcquisition(reserved);
  expect(book.retake(payer, toNanos(0n))).toBeUndefined();
  expect(book.enlarge(book.reserve(payer), 0n, 0n)).toBe(true);
  expect(book.take(payer, toNanos(0n))).toBe(reserved.lease);
});

test("a payer keeps its lease, however long ago its last call was", () => {
  const payer = newPayer();
  const lease = grant(payer, 1_000n);
  nowMs += 60_000;
  book.due();
  expect(book.payerCount).toBe(1);
  expect(book.take(payer, toNanos(1_000n))).toBe(lease);
});

test("a lease without headroom is due again when an acquisition enlarges it, and when its hour ends", () => {
  const lease = grant(newPayer(), 0n);
  expect(book.due()).toEqual({ close: [], release: [], keep: [] });
  expect(book.enlarge(book.reserve(lease), 0n, 100n)).toBe(true);
  book.endHold({ lease, grantedNanos: 0n });
  nowMs += 2_000;
  expect(book.due().release).toEqual([lease]);
  lease.grantedNanos = 0n;
  expect(book.due()).toEqual({ close: [], release: [], keep: [] });
  nowMs = lease.endsAtMs - 1;
  expect(book.due().close).toEqual([]);
  nowMs = lease.endsAtMs;
  expect(book.due().close).toEqual([lease]);
});

test("a lease without headroom is closed with all others", () => {
  const lease = grant(newPayer(), 0n);
  book.due();
  expect(book.isClosable()).toBe(false);
  book.retireAll();
  expect(book.isClosable()).toBe(true);
  expect(book.due().close).toEqual([lease]);
});

test("a lease can be closed once it is retired and nothing holds it, not before", () => {
  const payer = newPayer();
  const lease = grant(payer, 1_000n);
  expect(book.isClosable()).toBe(false);
  book.take(payer, toNanos(400n));
  book.retire(lease);
  expect(book.isClosable()).toBe(false);
  expect(book.due().close).toEqual([]);
  book.endHold({ lease, grantedNanos: 400n });
  expect(book.isClosable()).toBe(true);
  expect(book.due().close).toEqual([lease]);
  book.forget(lease);
  expect(book.isClosable()).toBe(false);
});

test("a lease is not closed while a call runs from it that holds nothing", () => {
  const payer = newPayer();
  const taken = grant(payer, 1_000n);
  book.take(payer, toNanos(0n));
  book.retire(taken);
  expect(book.enlarge(book.reserve(payer), 0n, 0n)).toBe(true);
  const acquired = book.take(payer, toNanos(0n));
  if (acquired === undefined) throw new Error("not granted");
  book.retire(acquired);
  expect(book.due().close).toEqual([]);
  expect(book.isClosable()).toBe(false);
  book.endHold({ lease: taken, grantedNanos: 0n });
  expect(book.due().close).toEqual([taken]);
  book.endHold({ lease: acquired, grantedNanos: 0n });
  expect(book.due().close).toEqual([taken]);
  book.endHold({ lease: acquired, grantedNanos: 0n });
  expect(book.due().close).toEqual([taken, acquired]);
});

test("a lease closes when its hour ends, to the millisecond", () => {
  const payer = newPayer();
  const lease = grant(payer, 1_000n);
  lease.endsAtMs = nowMs + 10;
  nowMs += 9;
  expect(book.take(payer, toNanos(1n))).toBe(lease);
  book.endHold({ lease, grantedNanos: 1n });
  expect(book.due().close).toEqual([]);
  nowMs += 1;
  expect(book.take(payer, toNanos(1n))).toBeUndefined();
  expect(book.due().close).toEqual([lease]);
});

test("headroom is due after two seconds without a hold, immediately when recalled or exact", () => {
  const idle = grant(newPayer(), 1_000n);
  const recalled = grant(newPayer(), 1_000n);
  const nearlyEmpty = grant(newPayer(), 1_000n);
  book.recall(recalled.accountId);
  nearlyEmpty.nearlyEmpty = true;
  expect(book.due().release).toEqual([recalled, nearlyEmpty]);
  nowMs += 1_999;
  expect(book.due().release).toEqual([recalled, nearlyEmpty]);
  nowMs += 1;
  expect(book.due().release).toEqual([idle, recalled, nearlyEmpty]);
});

test("a lease whose answer was lost keeps what its calls hold, once no acquisition is under way", () => {
  const payer = newPayer();
  const lease = grant(payer, 1_000n);
  book.take(payer, toNanos(400n));
  const call = book.reserve(payer);
  book.lose(lease);
  expect(book.due()).toEqual({ close: [], release: [], keep: [] });
  book.endAcquisition(call);
  expect(book.due()).toEqual({ close: [], release: [], keep: [lease] });
  book.endHold({ lease, grantedNanos: 400n });
  expect(book.due()).toEqual({ close: [lease], release: [], keep: [] });
});

test("a lease with a statement under way that returns or closes it is not due", () => {
  const releasing = grant(newPayer(), 1_000n);
  book.retire(releasing);
  releasing.releasing = true;
  const closing = grant(newPayer(), 0n);
  book.retire(closing);
  book.beginClose(closing);
  expect(book.due()).toEqual({ close: [], release: [], keep: [] });
  expect(book.isClosable()).toBe(true);
  book.retryClose(closing);
  expect(book.due().close).toEqual([closing]);
});

test("a lease is not closed while acquisitions for it are under way, even if they hold nothing", () => {
  const payer = newPayer();
  const [first, second] = [book.reserve(payer), book.reserve(payer)];
  expect([first.ownNanos, second.ownNanos]).toEqual([0n, 0n]);
  book.retire(first.lease);
  expect(book.due().close).toEqual([]);
  book.endAcquisition(first);
  expect(book.due().close).toEqual([]);
  expect(book.isClosable()).toBe(true);
  book.endAcquisition(second);
  expect(book.due().close).toEqual([first.lease]);
});

test("an answer enlarges an open lease; a retired one grants nothing of it and is closed", () => {
  const payer = newPayer();
  const lease = grant(payer, 300n);
  expect(book.enlarge(book.reserve(payer), 700n, 100n)).toBe(true);
  expect(lease).toMatchObject({ grantedNanos: 800n, heldNanos: 700n, pendingCount: 0 });
  book.endHold({ lease, grantedNanos: 700n });
  const late = book.reserve(payer);
  book.retireAll();
  expect(book.enlarge(late, 900n, 0n)).toBe(false);
  expect(lease).toMatchObject({ grantedNanos: 900n, heldNanos: 0n, pendingCount: 0 });
  expect(book.due().close).toEqual([lease]);
});

test("a lease that the database never answered for ends after an hour", () => {
  const payer = newPayer();
  const lease = grant(payer, 0n);
  nowMs += 3_600_000;
  expect(book.due().close).toEqual([lease]);
});

test("a lease that is opened for a late charge is not closed before the charge is written", () => {
  const lease = book.openRetired(newPayer());
  expect(book.due().close).toEqual([]);
  book.endAcquisition({ lease, ownNanos: 0n });
  expect(book.due().close).toEqual([lease]);
});

test("recalled headroom is set aside for no acquisition, so that it can be returned", () => {
  const payer = newPayer();
  const lease = grant(payer, 1_000n);
  book.recall(payer.accountId);
  const reserved = book.reserve(payer);
  expect(reserved.ownNanos).toBe(0n);
  expect(book.due().release).toEqual([lease]);
  book.endAcquisition(reserved);
  lease.recalled = false;
  expect(book.reserve(payer).ownNanos).toBe(1_000n);
});

test("a recall of a key or an account stops only its own leases", () => {
  const payer = newPayer();
  const sibling = { ...payer, keyId: newId<ApiKeyId>() };
  const other = newPayer();
  const leases = [payer, sibling, other].map((each) => grant(each, 1_000n));
  const recalled = () => leases.map((lease) => lease.recalled);
  book.recall(payer.keyId ?? undefined);
  expect(recalled()).toEqual([true, false, false]);
  book.recall(payer.accountId);
  expect(recalled()).toEqual([true, true, false]);
  book.recall(undefined);
  expect(recalled()).toEqual([true, true, true]);
});
