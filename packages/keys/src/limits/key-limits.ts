// The limits of a key, as its owner set them; absent means unlimited. Its row has how fast calls may be made and until
// when: what it may spend are its budgets, and what it may call is its guardrail (`store-key-limits.ts`).
import type { ProjectId } from "@turnpike/base";
import { apiKeys, type PriceTerm } from "@turnpike/db";
import type { BudgetPeriod, Nanos } from "@turnpike/terms";
import type { GuardrailRules } from "../guardrails/guardrail-rules.ts";

/** How fast calls may be made, and how many at once; absent means unlimited. */
export type RateLimits = {
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
  readonly concurrency?: number;
};

/** What every call of a key is compared with. */
export type RowLimits = RateLimits & { readonly expiresAt?: Date };

export type KeyLimits = RowLimits &
  Pick<GuardrailRules, "allowedModels" | "allowedAddresses"> & {
    /** Most that may be spent and held per day, week (from Monday) and month in the account's time zone, and ever. */
    readonly spendLimitNanos: Readonly<Partial<Record<BudgetPeriod, Nanos>>>;
  };

/** The limits that a key shares with others. */
export type SharedLimits = {
  readonly projectId: ProjectId;
  readonly project: RateLimits;
  readonly account: RateLimits;
  /** Absent for an account that pays list prices, as nearly all do. */
  readonly priceTerms?: readonly PriceTerm[];
};

export const noLimits: KeyLimits = { spendLimitNanos: {} };

/** The columns `toRowLimits` reads. */
export const rowLimitSelection = {
  requestsPerMinute: apiKeys.requestsPerMinute,
  tokensPerMinute: apiKeys.tokensPerMinute,
  concurrency: apiKeys.concurrency,
  expiresAt: apiKeys.expiresAt,
} as const;

export type RowLimitColumns = Pick<typeof apiKeys.$inferSelect, keyof typeof rowLimitSelection>;

export function toRates(
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

export function toRowLimits(row: RowLimitColumns): RowLimits {
  return { ...toRates(row), ...(row.expiresAt !== null && { expiresAt: row.expiresAt }) };
}
