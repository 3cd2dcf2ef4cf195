// The leases of this process in memory: money that a durable lease has already reserved is granted to
// calls from here, without a statement. Nothing here creates money: headroom only ever comes from an
// acquisition that the database answered. Only an open lease grants, and it is closed once it is retired,
// no acquisition for it is under way and nothing holds it.
import { type AccountId, type ApiKeyId, type LeaseId, newId } from "@turnpike/base";
import type { Nanos } from "@turnpike/terms";
import { Demand } from "../reservation.ts";
import {
  belongsTo,
  headroomOf,
  isAtRest,
  isFree,
  isIdle,
  type Lease,
  type PayerOf,
  payerIdOf,
} from "./lease.ts";

/** An acquisition under way, and the headroom that was set aside for it. */
export type Reservation = { readonly lease: Lease; readonly ownNanos: bigint };

const hourMs = 3_600_000;
/** What is reserved in advance covers about this much time at the recent demand. */
const headStartMs = 2_000;
type Payer = { lease: Lease | undefined; readonly demand: Demand };

export class LeaseBook {
  readonly #payers = new Map<string, Payer>();
  /** Those that may have lost their lease and their demand. */
  readonly #fading = new Map<string, Payer>();
  /** Every lease that may still be open in the database. */
  readonly #leases = new Set<Lease>();
  /** Those that may be due. All others are open, and have nothing to return until an acquisition enlarges them. */
  readonly #watched = new Set<Lease>();
  /** The first of the others ends its hour then. */
  #restEndsAtMs = Number.POSITIVE_INFINITY;
  /** Monotonic, in milliseconds. */
  readonly nowMs: () => number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.nowMs = nowMs;
  }

  get size(): number {
    return this.#leases.size;
  }

  /** Those with a lease or with recent demand, and until the next `due` also those that lost both. */
  get payerCount(): number {
    return this.#payers.size;
  }

  /** Counts a call's demand, and grants `wantNanos` if the payer's lease covers it. */
  take(payer: PayerOf, wantNanos: Nanos): Lease | undefined {
    const nowMs = this.nowMs();
    const known = this.#find(payer, nowMs);
    known.demand.add(Number(wantNanos), nowMs);
    return this.#grant(known, wantNanos, nowMs);
  }

  /** Like `take`, for a call whose demand `take` has already counted. */
  retake(payer: PayerOf, wantNanos: Nanos): Lease | undefined {
    const nowMs = this.nowMs();
    return this.#grant(this.#find(payer, nowMs), wantNanos, nowMs);
  }

  #grant(known: Payer, wantNanos: Nanos, nowMs: number): Lease | undefined {
    const lease = this.#current(known, nowMs);
    if (lease === undefined || !lease.exists || lease.recalled) return undefined;
    if (headroomOf(lease) < wantNanos) return undefined;
    lease.heldNanos += wantNanos;
    lease.callCount += 1;
    lease.lastHoldAtMs = nowMs;
    return lease;
  }

  /**
   * Begins an acquisition, which `endAcquisition` or `enlarge` ends: sets all headroom of the payer's
   * lease aside for it, unless that is recalled, and opens a lease if the payer has none.
   */
  reserve(payer: PayerOf): Reservation {
    const nowMs = this.nowMs();
    const known = this.#find(payer, nowMs);
    const lease = this.#current(known, nowMs) ?? this.#open(payer, nowMs);
    known.lease = lease;
    this.#watched.add(lease);
    const ownNanos = lease.recalled ? 0n : headroomOf(lease);
    lease.heldNanos += ownNanos;
    lease.pendingCount += 1;
    return { lease, ownNanos };
  }

  /** The acquisition added nothing: what was set aside for it is headroom again. */
  endAcquisition({ lease, ownNanos }: Reservation): void {
    lease.heldNanos -= ownNanos;
    lease.pendingCount -= 1;
  }

  /**
   * The acquisition was granted `grantedNanos` for its call and `extraNanos` for later ones, what was set
   * aside included. False if the lease was retired meanwhile: then the call gets nothing from it, and
   * its close returns everything.
   */
  enlarge(reservation: Reservation, grantedNanos: bigint, extraNanos: bigint): boolean {
    const { lease, ownNanos } = reservation;
    this.endAcquisition(reservation);
    lease.exists = true;
    lease.grantedNanos += grantedNanos + extraNanos - ownNanos;
    if (lease.state !== "open") return false;
    lease.heldNanos += grantedNanos;
    lease.callCount += 1;
    return true;
  }

  /** The call has ended, or never began: nothing of it is held any more. */
  endHold({ lease, grantedNanos }: { readonly lease: Lease; readonly grantedNanos: bigint }): void {
    lease.heldNanos -= grantedNanos;
    lease.callCount -= 1;
  }

  /** A lease that grants nothing; it is closed after `endAcquisition`. */
  openRetired(payer: PayerOf): Lease {
    const lease = this.#open(payer, this.nowMs());
    lease.state = "retired";
    lease.pendingCount = 1;
    return lease;
  }

  /** The head start this payer's recent demand suggests, in nano-dollars. */
  aheadNanos(payer: PayerOf): bigint {
    const nowMs = this.nowMs();
    return BigInt(Math.floor(this.#find(payer, nowMs).demand.at(nowMs)));
  }

  /** It grants nothing more; what it has not spent is returned when its calls have ended. */
  retire(lease: Lease): void {
    if (lease.state === "open") lease.state = "retired";
    this.#watched.add(lease);
    const id = payerIdOf(lease);
    const known = this.#payers.get(id);
    if (known?.lease !== lease) return;
    known.lease = undefined;
    this.#fading.set(id, known);
  }

  /**
   * Like `retire`, because it is not known what the database says of it: the answer to a statement was lost, which may even
   * run later, or a call had been charged before.
   */
  lose(lease: Lease): void {
    this.retire(lease);
    lease.lostAtMs = this.nowMs();
  }

  /** After a lapse, and at the end of the process: what this process reserved may no longer be its own. */
  retireAll(): void {
    for (const lease of this.#leases) this.retire(lease);
  }

  /**
   * Headroom of an account, of a key or of all is due immediately, and no call is granted from it before
   * it was returned: the next call asks the database.
   */
  recall(id: AccountId | ApiKeyId | undefined): void {
    for (const lease of this.#leases) {
      if (belongsTo(lease, id)) lease.recalled = true;
    }
  }

  /** Leases to close now, headroom to return now, and leases that keep only what running calls hold. */
  due(): { readonly close: Lease[]; readonly release: Lease[]; readonly keep: Lease[] } {
    const nowMs = this.nowMs();
    const close: Lease[] = [];
    const release: Lease[] = [];
    const keep: Lease[] = [];
    if (nowMs >= this.#restEndsAtMs) this.#watchAll();
    for (const lease of this.#watched) {
      if (lease.releasing || lease.state === "closing") continue;
      if (lease.state === "open" && nowMs >= lease.endsAtMs) this.retire(lease);
      if (isFree(lease)) close.push(lease);
      else if (lease.lostAtMs > 0) {
        if (lease.pendingCount === 0) keep.push(lease);
      } else if (isIdle(lease, nowMs)) release.push(lease);
      else if (isAtRest(lease)) this.#rest(lease);
    }
    this.#forgetPayers(nowMs);
    return { close, release, keep };
  }

  #watchAll(): void {
    this.#restEndsAtMs = Number.POSITIVE_INFINITY;
    for (const lease of this.#leases) this.#watched.add(lease);
  }

  #rest(lease: Lease): void {
    this.#watched.delete(lease);
    this.#restEndsAtMs = Math.min(this.#restEndsAtMs, lease.endsAtMs);
  }

  /** Whether a lease that grants nothing more and that no call holds is still open in the database. */
  isClosable(): boolean {
    return [...this.#watched].some((lease) => lease.state !== "open" && lease.callCount === 0);
  }

  /** Until `forget`, or until `retryClose` after a failure. */
  beginClose(lease: Lease): void {
    lease.state = "closing";
  }

  retryClose(lease: Lease): void {
    lease.state = "retired";
  }

  /** Closed in the database. */
  forget(lease: Lease): void {
    this.retire(lease);
    this.#leases.delete(lease);
    this.#watched.delete(lease);
  }

  #find(payer: PayerOf, nowMs: number): Payer {
    const id = payerIdOf(payer);
    let known = this.#payers.get(id);
    if (known === undefined) {
      known = { lease: undefined, demand: new Demand(headStartMs, nowMs) };
      this.#payers.set(id, known);
      this.#fading.set(id, known);
    }
    return known;
  }

  #current(known: Payer, nowMs: number): Lease | undefined {
    const { lease } = known;
    if (lease === undefined || nowMs < lease.endsAtMs) return lease;
    this.retire(lease);
    return undefined;
  }

  #open({ accountId, keyId, personId }: PayerOf, nowMs: number): Lease {
    const lease: Lease = {
      id: newId<LeaseId>(),
      accountId,
      keyId,
      personId,
      grantedNanos: 0n,
      spentNanos: 0n,
      heldNanos: 0n,
      callCount: 0,
      pendingCount: 0,
      endsAtMs: nowMs + hourMs,
      state: "open",
      exists: false,
      recalled: false,
      nearlyEmpty: false,
      lostAtMs: 0,
      releasing: false,
      lastHoldAtMs: nowMs,
    };
    this.#leases.add(lease);
    this.#watched.add(lease);
    return lease;
  }

  #forgetPayers(nowMs: number): void {
    for (const [id, known] of this.#fading) {
      if (known.lease !== undefined) this.#fading.delete(id);
      else if (known.demand.at(nowMs) === 0) {
        this.#fading.delete(id);
        this.#payers.delete(id);
      }
    }
  }
}
