// The words of a hold: what is asked for, what is granted, and how it ends. A hold is the request
// row itself, so both ends of its life carry what the row shows.
import type { AccountId, ApiKeyId, Nanos, PriceId, RequestId } from "@turnpike/base";
import type { RequestAttempt } from "@turnpike/db";

export type HoldRequest = {
  readonly id: RequestId;
  readonly accountId: AccountId;
  /** Null for a request that no key made (the playground). */
  readonly keyId: ApiKeyId | null;
  /** The most the request can cost. */
  readonly wantNanos: Nanos;
  /** The least worth holding; below it the request is refused. */
  readonly floorNanos: Nanos;
  /** Take at most half of what is available, so that parallel requests share a small account. */
  readonly halve: boolean;
  /** Refuse (`clamped`) rather than grant less than `wantNanos`. */
  readonly exact: boolean;
  readonly model: string;
  readonly provider: string;
  readonly priceId: PriceId;
  readonly streamed: boolean;
  readonly origin: "api" | "playground";
  readonly traceId: string;
  readonly userAgent: string;
};

/** Why no money was held. `in_flight`: it is there, but held by requests still running. */
export type HoldRefusal =
  | "missing"
  | "suspended"
  | "frozen"
  | "key_revoked"
  | "clamped"
  | "balance"
  | "in_flight"
  | "key_day"
  | "key_week"
  | "key_month"
  | "key_total";

export type HoldDecision =
  | { readonly verdict: "held"; readonly grantedNanos: Nanos; readonly availableNanos: Nanos }
  | {
      readonly verdict: HoldRefusal;
      readonly availableNanos: Nanos;
      /** When the key limit that refused starts anew. */
      readonly resetsAt: Date | null;
    };

export type TokenCounts = {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
};

export const noTokens: TokenCounts = {
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

/** What the row shows about how the request went. */
export type RequestFacts = TokenCounts & {
  /** `estimated` is the most the call can have used, where nobody reported or saw how much. */
  readonly usageSource: "upstream" | "counted" | "estimated" | "none";
  readonly maxTokens: number | null;
  readonly status: number;
  /** A word of ours: `completed`, `client_closed`, `upstream_failed`, … */
  readonly outcome: string;
  readonly errorCode: string | null;
  readonly finishReason: string | null;
  readonly nativeFinishReason: string | null;
  readonly provider: string | null;
  readonly upstreamId: string | null;
  readonly attempts: readonly RequestAttempt[];
  readonly firstByteMs: number | null;
  readonly overheadMs: number | null;
  readonly totalMs: number | null;
};

export const noFacts: RequestFacts = {
  ...noTokens,
  usageSource: "none",
  maxTokens: null,
  status: 0,
  outcome: "",
  errorCode: null,
  finishReason: null,
  nativeFinishReason: null,
  provider: null,
  upstreamId: null,
  attempts: [],
  firstByteMs: null,
  overheadMs: null,
  totalMs: null,
};

export type Settlement = {
  readonly id: RequestId;
  readonly accountId: AccountId;
  readonly state: "settled" | "released" | "expired";
  /** Charged up to what was held; the rest becomes shortfall. */
  readonly costNanos: Nanos;
  readonly facts: RequestFacts;
};

export type Settled = {
  /** `already`: it had ended before, with this charge, and nothing moved now. */
  readonly verdict: "settled" | "released" | "expired" | "late_settled" | "already" | "missing";
  readonly chargedNanos: Nanos;
  readonly shortfallNanos: Nanos;
};
