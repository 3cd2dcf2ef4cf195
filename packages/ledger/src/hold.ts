// The types of a hold: what is asked for, what is granted, and how it is charged. A hold is a part of
// a lease in memory; the request row is written once, when the call has ended, and carries both ends.
import type { BudgetKind, BudgetPeriod, Nanos } from "@turnpike/terms";
import type { CallFacts } from "./charges/call-facts.ts";
import type { Lease } from "./leases/lease.ts";

export type HoldRequest = {
  /** Who pays, and what else is known of the call. */
  readonly facts: CallFacts;
  /** The most the request can cost. */
  readonly wantNanos: Nanos;
  /** The least worth holding; below it the request is refused. */
  readonly floorNanos: Nanos;
  /** Take at most half of what is available, so that parallel requests share a small account. */
  readonly atMostHalf: boolean;
  /** Refuse (`clamped`) rather than grant less than `wantNanos`. */
  readonly allOrNothing: boolean;
};

/** A hard budget whose limit would be exceeded. */
export type BudgetRefusal = `${BudgetKind}_${BudgetPeriod}`;

/** Why no money was held. `in_flight`: there is enough, but it is held by requests still running. */
export type HoldRefusal =
  | "missing"
  | "suspended"
  | "frozen"
  | "key_revoked"
  | "clamped"
  | "balance"
  | "in_flight"
  | BudgetRefusal;

/** Money of a lease that one running call may cost. It ends with exactly one charge. */
export type Hold = {
  readonly request: HoldRequest;
  readonly lease: Lease;
  readonly grantedNanos: Nanos;
  /** `performance.now()` when it was granted. */
  readonly heldAtMs: number;
};

export type HoldDecision =
  | { readonly verdict: "held"; readonly hold: Hold }
  | {
      readonly verdict: HoldRefusal;
      readonly availableNanos: Nanos;
      /** Held by other requests, of the balance or of the budget, whichever refused. */
      readonly elsewhereNanos: Nanos;
      /** When the budget that refused resets. */
      readonly resetsAt: Date | null;
    };

/** What a call cost. How it ended is in the facts of its hold, which no longer change. */
export type Charge = {
  readonly hold: Hold;
  /** `released` charges nothing. */
  readonly state: "settled" | "released";
  /** Charged up to what was held; the rest becomes shortfall. */
  readonly costNanos: Nanos;
};

export type Charged = {
  /**
   * `late_settled`: the lease had been closed meanwhile. `already`: the request had been written before,
   * with this charge, and nothing moved now.
   */
  readonly verdict: "settled" | "released" | "late_settled" | "already";
  readonly chargedNanos: Nanos;
  readonly shortfallNanos: Nanos;
};
