// A lease as this process knows it: money that the database has reserved for one payer, and how much of it can still
// be granted. What is granted or spent of it is decided in `lease-book.ts`.
import type { AccountId, ApiKeyId, LeaseId, PersonId } from "@turnpike/base";
import type { CallFacts } from "../charges/call-facts.ts";

/**
 * `open`: calls are granted from it. `retired`: it grants nothing more. `closing`: the statement that
 * closes it is running; if that fails it is `retired` again. Closed, it leaves the book.
 */
export type LeaseState = "open" | "retired" | "closing";

/** Money reserved in advance for one payer, for calls of one hour of the account's time zone. */
export type Lease = {
  readonly id: LeaseId;
  readonly accountId: AccountId;
  /** Null for an account that pays without a key (the playground). */
  readonly keyId: ApiKeyId | null;
  /** Who uses the playground. */
  readonly personId: PersonId | undefined;
  /** As the database last said, less what is on its way back. */
  grantedNanos: bigint;
  /** Charged durably. */
  spentNanos: bigint;
  /** Held by running calls, by charges that are not durable yet and by statements under way. */
  heldNanos: bigint;
  /** Calls that hold some of it, or nothing, until their charge is durable: it is not closed meanwhile. */
  callCount: number;
  /** Acquisitions under way, which may enlarge it however little they hold: it is not closed meanwhile. */
  pendingCount: number;
  /** On the monotonic clock: when its hour has ended at the latest, and it grants nothing more. */
  endsAtMs: number;
  state: LeaseState;
  /** The database has it. Until then it grants nothing, not even a hold of nothing. */
  exists: boolean;
  /**
   * Its headroom is returned before anything more is granted from it: the conditions of its grant
   * have changed.
   */
  recalled: boolean;
  /** So little money is left that what a call did not cost is returned immediately. */
  nearlyEmpty: boolean;
  /**
   * When an answer was lost, if one was: how much the database has granted, charged or taken back is unknown, so it is
   * told what running calls need, or to close the lease. Zero if everything is known.
   */
  lostAtMs: number;
  /** A statement that returns headroom of it is running: no other one is due meanwhile. */
  releasing: boolean;
  lastHoldAtMs: number;
};

export type PayerOf = Pick<CallFacts, "accountId" | "keyId" | "personId">;

/** Headroom of a lease that granted nothing for this long is returned. */
const idleMs = 2_000;

/** Whether it is a lease or a call of this account or key; all belong to `undefined`. */
export function belongsTo(payer: PayerOf, id: AccountId | ApiKeyId | undefined): boolean {
  return id === undefined || payer.accountId === id || payer.keyId === id;
}

/** Whether it grants nothing more, and nothing is under way that could need it or enlarge it. */
export function isFree(lease: Lease): boolean {
  return lease.state === "retired" && lease.pendingCount === 0 && lease.callCount === 0;
}

/** Whether it has headroom that nothing is going to use. */
export function isIdle(lease: Lease, nowMs: number): boolean {
  if (headroomOf(lease) <= 0n) return false;
  return (
    lease.state !== "open" ||
    lease.recalled ||
    lease.nearlyEmpty ||
    nowMs - lease.lastHoldAtMs >= idleMs
  );
}

/** Whether only an acquisition, or the end of its hour, can give it anything to return. */
export function isAtRest(lease: Lease): boolean {
  const { state, callCount, pendingCount, recalled } = lease;
  const isUsed = callCount > 0 || pendingCount > 0 || recalled;
  return state === "open" && !isUsed && headroomOf(lease) === 0n;
}

/** What the lease can still grant. */
export function headroomOf(lease: Lease): bigint {
  return lease.grantedNanos - lease.spentNanos - lease.heldNanos;
}

export function payerIdOf({ accountId, keyId, personId }: PayerOf): string {
  // A person may use the playground of several accounts.
  return keyId ?? (personId === undefined ? accountId : `${accountId} ${personId}`);
}
