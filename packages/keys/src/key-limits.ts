// The limits of a key, as its owner set them. Absent means unlimited. The row has the same values in
// columns, which are read here and nowhere else.
import type { Nanos, ProjectId } from "@turnpike/base";
import { apiKeys, type PriceTerm } from "@turnpike/db";

export type SpendPeriod = "day" | "week" | "month" | "total";

export type KeyLimits = {
  /** Most that may be spent and held per day, week (from Monday) and month in the account's time zone, and ever. */
  readonly spendLimitNanos: Readonly<Partial<Record<SpendPeriod, Nanos>>>;
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
  readonly concurrency?: number;
  /** Public model ids. */
  readonly allowedModels?: readonly string[];
  /** Addresses or CIDR ranges. */
  readonly allowedAddresses?: readonly string[];
  readonly expiresAt?: Date;
};

/** How fast calls may be made, and how many at once; absent means unlimited. */
export type RateLimits = Pick<KeyLimits, "requestsPerMinute" | "tokensPerMinute" | "concurrency">;

/** The limits that a key shares with others. */
export type SharedLimits = {
  readonly projectId: ProjectId;
  readonly project: RateLimits;
  readonly account: RateLimits;
  /** Absent for an account that pays list prices, as nearly all do. */
  readonly priceTerms?: readonly PriceTerm[];
};

export const noLimits: KeyLimits = { spendLimitNanos: {} };

/** The columns `readLimits` reads. */
export const limitSelection = {
  dayLimitNanos: apiKeys.dayLimitNanos,
  weekLimitNanos: apiKeys.weekLimitNanos,
  monthLimitNanos: apiKeys.monthLimitNanos,
  totalLimitNanos: apiKeys.totalLimitNanos,
  requestsPerMinute: apiKeys.requestsPerMinute,
  tokensPerMinute: apiKeys.tokensPerMinute,
  concurrency: apiKeys.concurrency,
  allowedModels: apiKeys.allowedModels,
  allowedAddresses: apiKeys.allowedAddresses,
  expiresAt: apiKeys.expiresAt,
} as const;

export type LimitColumns = Pick<typeof apiKeys.$inferSelect, keyof typeof limitSelection>;

export function readRates(
  row: {
    readonly [Name in keyof RateLimits]-?: number | null;
  },
): RateLimits {
  return {
    ...(row.requestsPerMinute !== null && { requestsPerMinute: row.requestsPerMinute }),
    ...(row.tokensPerMinute !== null && { tokensPerMinute: row.tokensPerMinute }),
    ...(row.concurrency !== null && { concurrency: row.concurrency }),
  };
}

export function readLimits(row: LimitColumns): KeyLimits {
  return {
    spendLimitNanos: {
      ...(row.dayLimitNanos !== null && { day: row.dayLimitNanos }),
      ...(row.weekLimitNanos !== null && { week: row.weekLimitNanos }),
      ...(row.monthLimitNanos !== null && { month: row.monthLimitNanos }),
      ...(row.totalLimitNanos !== null && { total: row.totalLimitNanos }),
    },
    ...readRates(row),
    ...(row.allowedModels !== null && { allowedModels: row.allowedModels }),
    ...(row.allowedAddresses !== null && { allowedAddresses: row.allowedAddresses }),
    ...(row.expiresAt !== null && { expiresAt: row.expiresAt }),
  };
}
