// What a caller reads when no money was held: whose limit it was, what is needed and what is available.
import { Fault } from "@turnpike/base";
import type { RefusedBudget } from "@turnpike/db";
import { formatUtc } from "@turnpike/format";
import type { BudgetRefusal, HoldDecision } from "@turnpike/ledger";
import { type BudgetKind, type BudgetPeriod, formatUsd, type Nanos } from "@turnpike/terms";

type Refused = Exclude<HoldDecision, { verdict: "held" }>;

/** The refusal as the caller reads it: whose limit it was, what is needed and what is available. */
export function holdFault(refused: Refused, neededNanos: Nanos): Fault {
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
      return stoppedFault(refused.verdict, money);
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
    default:
      return budgetFault(refused.verdict, refused.resetsAt, sums + held, money);
  }
}

/** The refusal of an account that may not call at all, whatever it has and needs. */
export function stoppedFault(
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

const budgetSubjects = {
  account: "This account",
  project: "The project of this API key",
  member: "The member this request is made for",
} as const satisfies Record<Exclude<BudgetKind, "key">, string>;

/** A budget of a key is its spend limit, and refuses under that name. */
function budgetFault(
  verdict: BudgetRefusal,
  resetsAt: Date | null,
  sums: string,
  money: Readonly<Record<string, string>>,
): Fault {
  const [kind, period] = splitRefusal(verdict);
  const noun = kind === "key" ? "spend limit" : "budget";
  const limit = period === "total" ? `its ${noun}` : `its ${noun} per ${period}`;
  const resets = resetsAt === null ? "" : ` It resets on ${formatUtc(resetsAt)}.`;
  const metadata = { period, ...money, reset_at: resetsAt?.toISOString() ?? null };
  if (kind === "key") {
    return new Fault("key_limit_reached", `This API key reached ${limit}. ${sums}${resets}`, {
      metadata: { limit_source: "key_limit", reason: "key_limit_reached", ...metadata },
    });
  }
  const message = `${budgetSubjects[kind]} reached ${limit}. ${sums}${resets} Someone who manages budgets can raise it in the console.`;
  return new Fault("budget_reached", message, {
    metadata: { limit_source: "budget", reason: "budget_reached", budget_of: kind, ...metadata },
  });
}

/** Undefined unless the fault is `budget_reached`, which only `budgetFault` makes, with both members. */
export function reachedBudgetOf({ code, details }: Fault): RefusedBudget | undefined {
  if (code !== "budget_reached") return undefined;
  const { budget_of: kind, period } = details.metadata ?? {};
  return { kind, period } as RefusedBudget;
}

/** A refusal is made of the two, by the type. */
function splitRefusal(verdict: BudgetRefusal): [BudgetKind, BudgetPeriod] {
  return verdict.split("_") as [BudgetKind, BudgetPeriod];
}
