// What a key may know about its account and itself: `/v1/credits` and `/v1/key` in OpenRouter's
// shapes. Their amounts are JSON numbers (USD); our additional ones are exact decimal strings.
import { formatUsd, maxNanos, type Nanos, toNanos, toUsdNumber, zeroNanos } from "@turnpike/terms";

export type CreditsView = {
  /** All money ever added, minus what was taken back. */
  readonly creditedNanos: Nanos;
  readonly spentNanos: Nanos;
  /** Reserved for running requests. */
  readonly heldNanos: Nanos;
};

/**
 * Source: OpenRouter's `GET /credits`, and beside it what the AI SDK's gateway provider reads there. `available_usd` is what the next
 * request may use.
 */
export function creditsBody(view: CreditsView): Record<string, unknown> {
  const available = toNanos(view.creditedNanos - view.spentNanos - view.heldNanos);
  return {
    data: {
      total_credits: toUsdNumber(view.creditedNanos),
      total_usage: toUsdNumber(view.spentNanos),
      held_usd: formatUsd(view.heldNanos),
      available_usd: formatUsd(available),
    },
    balance: formatUsd(toNanos(view.creditedNanos - view.spentNanos)),
    total_used: formatUsd(view.spentNanos),
  };
}

export type KeyPeriod = {
  readonly spentNanos: Nanos;
  readonly heldNanos: Nanos;
  /** null: no limit for this period. */
  readonly limitNanos: Nanos | null;
};

export type KeyView = {
  readonly name: string;
  /** The key as lists show it: `sk-tp-9f2a…c41d`. */
  readonly masked: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly requestsPerMinute: number | null;
  /** In the account's time zone: days, weeks from Monday, months; `total` since the key was created. */
  readonly day: KeyPeriod;
  readonly week: KeyPeriod;
  readonly month: KeyPeriod;
  readonly total: KeyPeriod;
};

/**
 * Source: OpenRouter's `GET /key`, which has one limit per key: `limit`, `limit_reset` and
 * `limit_remaining` are those of the limit with least left; `limits` has all of them.
 */
export function keyBody(view: KeyView): Record<string, unknown> {
  const limits = [
    { reset: "daily", period: view.day },
    { reset: "weekly", period: view.week },
    { reset: "monthly", period: view.month },
    { reset: null, period: view.total },
  ].flatMap(({ reset, period }) => limitOf(reset, period));
  const tightest = limits.toSorted((a, b) => (a.remaining < b.remaining ? -1 : 1))[0];
  return {
    data: {
      label: view.masked,
      name: view.name,
      limit: tightest ? toUsdNumber(tightest.limit) : null,
      limit_reset: tightest?.reset ?? null,
      limit_remaining: tightest ? toUsdNumber(tightest.remaining) : null,
      limits: limits.map(({ reset, limit, remaining }) => ({
        reset,
        limit_usd: formatUsd(limit),
        remaining_usd: formatUsd(remaining),
      })),
      // OpenRouter's clients read one list of all that bounds a key.
      budgets: limits.map(budgetOf),
      effective_budget: tightest ? budgetOf(tightest) : null,
      usage: toUsdNumber(view.total.spentNanos),
      usage_daily: toUsdNumber(view.day.spentNanos),
      usage_weekly: toUsdNumber(view.week.spentNanos),
      usage_monthly: toUsdNumber(view.month.spentNanos),
      include_byok_in_limit: false,
      byok_usage: 0,
      byok_usage_daily: 0,
      byok_usage_weekly: 0,
      byok_usage_monthly: 0,
      is_free_tier: false,
      is_management_key: false,
      is_provisioning_key: false,
      creator_user_id: null,
      organization_id: null,
      workspace_id: null,
      allowed_data_regions: [],
      free_model_daily_requests: { used: 0, limit: 0, remaining: 0 },
      created_at: view.createdAt.toISOString(),
      expires_at: view.expiresAt?.toISOString() ?? null,
      rate_limit: {
        requests: view.requestsPerMinute ?? -1,
        interval: "60s",
        note: "-1 means that the key has no limit of its own.",
      },
    },
  };
}

type Limit = {
  readonly reset: string | null;
  readonly limit: Nanos;
  readonly spent: Nanos;
  readonly remaining: Nanos;
};

function limitOf(reset: string | null, { limitNanos, spentNanos }: KeyPeriod): Limit[] {
  if (limitNanos === null) return [];
  const remaining = maxNanos(toNanos(limitNanos - spentNanos), zeroNanos);
  return [{ reset, limit: limitNanos, spent: spentNanos, remaining }];
}

/** Source: OpenRouter's `KeyBudget`. Ours begin again at a midnight of the account, whose time is not given. */
function budgetOf({ reset, limit, spent, remaining }: Limit) {
  return {
    scope: "key_limit",
    guardrail_id: null,
    budget_id: null,
    limit_usd: toUsdNumber(limit),
    spend_usd: toUsdNumber(spent),
    remaining_usd: toUsdNumber(remaining),
    reset_interval: reset,
    resets_at: null,
    include_byok: false,
  };
}
