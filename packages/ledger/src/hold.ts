// The types of a hold: what is asked for, what is granted, and how it is charged. A hold is a part of
// a lease in memory; the request row is written once, when the call has ended, and carries both ends.
import type { AccountId, ApiKeyId, GenerationId, Nanos, PersonId, PriceId } from "@turnpike/base";
import type {
  BudgetKind,
  BudgetPeriod,
  RequestAttempt,
  RequestOperation,
  UsageDetails,
} from "@turnpike/db";
import type { TokenUsage } from "@turnpike/wire";
import type { Lease } from "./lease.ts";

export type HoldRequest = {
  readonly id: GenerationId;
  readonly accountId: AccountId;
  /** Null for a request that no key made (the playground). */
  readonly keyId: ApiKeyId | null;
  /** Who calls without a key. The database knows who made a key. */
  readonly personId?: PersonId | undefined;
  /** The most the request can cost. */
  readonly wantNanos: Nanos;
  /** The least worth holding; below it the request is refused. */
  readonly floorNanos: Nanos;
  /** Take at most half of what is available, so that parallel requests share a small account. */
  readonly halve: boolean;
  /** Refuse (`clamped`) rather than grant less than `wantNanos`. */
  readonly exact: boolean;
  readonly streamed: boolean;
  readonly origin: "api" | "playground";
  readonly operation: RequestOperation;
  readonly requestId: string;
  readonly userAgent: string;
  /** How the calling application names itself, if it does. */
  readonly app?: string | undefined;
  /** Whom it calls for, if it says so. */
  readonly endUser?: string | undefined;
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

/** What the row shows about how the request went. */
export type RequestFacts = TokenUsage & {
  /** Undefined for a call billed by tokens only. */
  readonly usageDetails?: UsageDetails | undefined;
  /** `estimated` is the most the call can have used, if its usage was neither reported nor seen. */
  readonly usageSource: "upstream" | "counted" | "estimated" | "none";
  readonly maxTokens: number | null;
  readonly status: number;
  /** One of our own terms: `completed`, `client_closed`, `upstream_failed`, … */
  readonly outcome: string;
  readonly errorCode: string | null;
  readonly finishReason: string | null;
  readonly nativeFinishReason: string | null;
  /** The route that answered or was last tried, and the price of the call there. */
  readonly model: string;
  readonly provider: string;
  readonly priceId: PriceId;
  readonly upstreamId: string | null;
  readonly attempts: readonly RequestAttempt[];
  readonly firstByteMs: number | null;
  readonly overheadMs: number | null;
  readonly totalMs: number | null;
};

/** How a call ended and what it cost. */
export type Charge = {
  readonly hold: Hold;
  /** `released` charges nothing. */
  readonly state: "settled" | "released";
  /** Charged up to what was held; the rest becomes shortfall. */
  readonly costNanos: Nanos;
  readonly facts: RequestFacts;
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
