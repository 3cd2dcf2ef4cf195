// How much is held for a call, and how long its answer may therefore be. The worst case at the
// pinned price is held before the upstream hears of the call; the output limit follows the money. What
// a caller reads when no money was held is decided here as well.
import { Fault, formatUsd, type Nanos } from "@turnpike/base";
import {
  affordableOutputTokens,
  boundPrompt,
  countPrompt,
  type ModelRequest,
  outputBound,
  type Route,
  worstCase,
} from "@turnpike/catalog";
import type { Hold, HoldDecision, HoldRefusal, HoldRequest } from "@turnpike/ledger";
import type { AuthenticatedCall, Gateway } from "./gateway.ts";

/** An answer shorter than this is not worth a call, unless the caller wants it so. */
const leastOutputTokens = 256;
/** Texts up to this size are clamped by their byte bound; longer ones are counted first. */
const countAboveBytes = 2_000;

/** Money reserved for a call, and the output limit that follows from it. */
export type Reservation = {
  readonly hold: Hold;
  /** What to tell the upstream; undefined leaves the caller's own limit, if any. */
  readonly maxTokens: number | undefined;
  /** The most output tokens the hold covers, over all answers. */
  readonly coveredTokens: number;
};

export type ReservationRequest = {
  readonly call: AuthenticatedCall;
  readonly asked: ModelRequest;
  readonly route: Route;
};

/** Throws `insufficient_quota`, `key_limit_reached` and the like; then no money moved. */
export async function reserveMoney(
  { ledger }: Pick<Gateway, "ledger">,
  wanted: ReservationRequest,
): Promise<Reservation> {
  const { asked } = wanted;
  const byBytes = boundPrompt(asked);
  const exact = asked.model.tokenizer !== "bytes" && asked.request.textBytes > countAboveBytes;
  const first = describeHold(wanted, byBytes, exact);
  const decision = await ledger.hold(first);
  if (decision.verdict === "held") return readReservation(asked, byBytes, first, decision.hold);
  if (!moneyRefusals.has(decision.verdict)) throw refuseHold(decision, first.floorNanos);

  // The byte bound is several times too high for prose: count before refusing.
  const counted = await countPrompt(asked);
  if (counted >= byBytes && !exact) throw refuseHold(decision, first.floorNanos);
  const second = describeHold(wanted, counted, false);
  const again = await ledger.hold(second);
  if (again.verdict === "held") return readReservation(asked, counted, second, again.hold);
  throw refuseHold(again, second.floorNanos);
}

function describeHold(
  { call, asked, route }: ReservationRequest,
  promptTokens: number,
  exact: boolean,
): HoldRequest {
  const { principal } = call;
  const { model, request } = asked;
  const output = outputBound(asked);
  const least = Math.min(leastOutputTokens, output.tokens);
  return {
    id: call.generationId,
    accountId: principal.accountId,
    keyId: principal.keyId,
    wantNanos: worstCase(model.price, promptTokens, output.tokens, output.answers),
    floorNanos: worstCase(model.price, promptTokens, least, output.answers),
    halve: output.isDefault,
    exact,
    model: model.id,
    provider: route.provider.id,
    priceId: model.price.id,
    streamed: request.stream,
    origin: principal.origin,
    operation: asked.operation,
    requestId: call.requestId,
    userAgent: call.userAgent,
  };
}

function readReservation(
  asked: ModelRequest,
  promptTokens: number,
  { wantNanos }: HoldRequest,
  hold: Hold,
): Reservation {
  const { grantedNanos } = hold;
  const { tokens, answers } = outputBound(asked);
  if (grantedNanos >= wantNanos) {
    return { hold, maxTokens: undefined, coveredTokens: tokens * answers };
  }
  const { price } = asked.model;
  const limit = affordableOutputTokens(price, promptTokens, answers, grantedNanos) ?? 0;
  return { hold, maxTokens: limit, coveredTokens: limit * answers };
}

const moneyRefusals: ReadonlySet<HoldRefusal> = new Set([
  "clamped",
  "balance",
  "in_flight",
  "key_day",
  "key_week",
  "key_month",
  "key_total",
]);

type Refused = Exclude<HoldDecision, { verdict: "held" }>;

/** The refusal as the caller reads it: whose limit it was, what is needed and what is available. */
export function refuseHold(refused: Refused, neededNanos: Nanos): Fault {
  const needed = formatUsd(neededNanos);
  const available = formatUsd(refused.availableNanos);
  const money = { needed_usd: needed, available_usd: available };
  const sums = `This request needs at least $${needed} and $${available} is available.`;
  switch (refused.verdict) {
    case "missing":
    case "key_revoked":
      return new Fault("invalid_api_key", "Incorrect API key provided. It may have been revoked.");
    case "suspended":
      return new Fault("account_suspended", "This account is suspended. Please contact support.");
    case "frozen":
      return new Fault(
        "account_frozen",
        "This account is frozen because a payment was reversed. Add funds in the console to use it again.",
        { metadata: { limit_source: "account_balance", reason: "frozen", ...money } },
      );
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
      return new Fault("insufficient_quota", `${sums} Add funds to your Wallet in the console.`, {
        metadata: { limit_source: "account_balance", reason: "balance_too_low", ...money },
      });
    case "key_day":
    case "key_week":
    case "key_month":
    case "key_total":
      return refuseByKeyLimit(refused.verdict, refused.resetsAt, sums, money);
  }
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
