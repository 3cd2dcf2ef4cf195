// What a caller reads when no money was held: whose limit it was, what is needed and what is available.
import { Fault, formatUsd, type Nanos } from "@turnpike/base";
import type { HoldDecision } from "@turnpike/ledger";

type Refused = Exclude<HoldDecision, { verdict: "held" }>;

/** The refusal as the caller reads it: whose limit it was, what is needed and what is available. */
export function refuseHold(refused: Refused, neededNanos: Nanos): Fault {
  const needed = formatUsd(neededNanos);
  const available = formatUsd(refused.availableNanos);
  const heldUsd = formatUsd(refused.elsewhereNanos);
  const money = { needed_usd: needed, available_usd: available, held_usd: heldUsd };
  const sums = `This request needs at least $${needed} and $${available} is available.`;
  const held = refused.elsewhereNanos > 0n ? ` $${heldUsd} is held by requests still running.` : "";
  switch (refused.verdict) {
    case "missing":
    case "key_revoked":
      return new Fault("invalid_api_key", "Incorrect API key provided. It may have been revoked.");
    case "suspended":
    case "frozen":
      return refuseStopped(refused.verdict, money);
    case "in_flight":
      return new Fault(
        "insufficient_quota",
        `${sums} The rest is held by requests still running. Please try again in 1s.`,
        {
          retryAfterMs: 1_000,
          metadata: { limit_source: "account_balance", reason: "in_flight_hold", ...money },
        },
      );
    case "clamped":
    case "balance":
      return new Fault(
        "insufficient_quota",
        `${sums}${held} Add funds to your Wallet in the console.`,
        {
          metadata: { limit_source: "account_balance", reason: "balance_too_low", ...money },
        },
      );
    case "key_day":
    case "key_week":
    case "key_month":
    case "key_total":
      return refuseByKeyLimit(refused.verdict, refused.resetsAt, sums + held, money);
  }
}

/** The refusal of an account that may not call at all, whatever it has and needs. */
export function refuseStopped(
  verdict: "suspended" | "frozen",
  money: Readonly<Record<string, string>> = {},
): Fault {
  if (verdict === "suspended") {
    return new Fault("account_suspended", "This account is suspended. Please contact support.");
  }
  return new Fault(
    "account_frozen",
    "This account is frozen because a payment was reversed. Add funds in the console to use it again.",
    { metadata: { limit_source: "account_balance", reason: "frozen", ...money } },
  );
}

const periodNames = {
  key_day: "day",
  key_week: "week",
  key_month: "month",
  key_total: "total",
} as const;

function refuseByKeyLimit(
  verdict: keyof typeof periodNames,
  resetsAt: Date | null,
  sums: string,
  money: Readonly<Record<string, string>>,
): Fault {
  const period = periodNames[verdict];
  const limit = period === "total" ? "its spend limit" : `its spend limit per ${period}`;
  const resets = resetsAt === null ? "" : ` It resets at ${resetsAt.toISOString()}.`;
  return new Fault("key_limit_reached", `This API key reached ${limit}. ${sums}${resets}`, {
    metadata: {
      limit_source: "key_limit",
      reason: "key_limit_reached",
      period,
      ...money,
      reset_at: resetsAt?.toISOString() ?? null,
    },
  });
}
