// How much is held for a call, and how long its answer may therefore be. The worst case at the
// pinned price is held before the upstream hears of the call; the output limit follows the money.
import { Fault, formatUsd, type Nanos } from "@turnpike/base";
import {
  affordableOutputTokens,
  boundPrompt,
  countPrompt,
  type Model,
  worstCase,
} from "@turnpike/catalog";
import type { HoldDecision, HoldRefusal, HoldRequest } from "@turnpike/ledger";
import type { ChatRequest } from "@turnpike/wire";
import type { ChatCall, Gateway, Reservation, Spender } from "./gateway.ts";

/** An answer shorter than this is not worth a call, unless the caller wants it so. */
const leastOutputTokens = 256;
/** Texts up to this size are clamped by their byte bound; longer ones are counted first. */
const countAboveBytes = 2_000;

/** Throws `insufficient_quota`, `key_limit_reached` and their like; then no money moved. */
export async function reserveMoney(
  gateway: Pick<Gateway, "ledger">,
  call: ChatCall,
  spender: Spender,
  model: Model,
  chat: ChatRequest,
): Promise<Reservation> {
  const byBytes = boundPrompt(model, chat);
  const first = sizeHold(model, chat, byBytes);
  const describe = (size: HoldSize, exact: boolean): HoldRequest => ({
    ...describeHold(call, spender, model, chat),
    ...size,
    exact,
  });
  const exact = chat.textBytes > countAboveBytes;
  const decision = await gateway.ledger.placeHold(describe(first, exact));
  if (decision.verdict === "held") return readReservation(model, chat, byBytes, first, decision);
  if (!moneyRefusals.has(decision.verdict)) throw refuseHold(decision, first.floorNanos);

  // The byte bound is several times too high for prose: count before saying no.
  const counted = await countPrompt(model, chat);
  if (counted >= byBytes && !exact) throw refuseHold(decision, first.floorNanos);
  const second = sizeHold(model, chat, counted);
  const again = await gateway.ledger.placeHold(describe(second, false));
  if (again.verdict === "held") return readReservation(model, chat, counted, second, again);
  throw refuseHold(again, second.floorNanos);
}

type HoldSize = Pick<HoldRequest, "wantNanos" | "floorNanos">;

/** No answer is longer than the context, whatever limit the caller names. */
function outputLimit(model: Model, chat: ChatRequest): number {
  return Math.min(chat.maxTokens ?? model.maxOutputTokens, model.contextTokens);
}

function sizeHold(model: Model, chat: ChatRequest, promptTokens: number): HoldSize {
  const output = outputLimit(model, chat);
  const least = Math.min(leastOutputTokens, output);
  return {
    wantNanos: worstCase(model.price, promptTokens, output, chat.choices),
    floorNanos: worstCase(model.price, promptTokens, least, chat.choices),
  };
}

function describeHold(
  call: ChatCall,
  spender: Spender,
  model: Model,
  chat: ChatRequest,
): Omit<HoldRequest, "wantNanos" | "floorNanos" | "exact"> {
  return {
    id: call.id,
    accountId: spender.accountId,
    keyId: spender.keyId,
    halve: chat.maxTokens === undefined,
    model: model.id,
    provider: model.routes[0].provider.id,
    priceId: model.price.id,
    streamed: chat.stream,
    origin: spender.origin,
    traceId: call.traceId,
    userAgent: call.userAgent,
  };
}

function readReservation(
  model: Model,
  chat: ChatRequest,
  promptTokens: number,
  size: HoldSize,
  held: Extract<HoldDecision, { verdict: "held" }>,
): Reservation {
  const { grantedNanos } = held;
  const output = outputLimit(model, chat);
  const whole = grantedNanos >= size.wantNanos;
  const limit = whole
    ? output
    : (affordableOutputTokens(model.price, promptTokens, chat.choices, grantedNanos) ?? 0);
  return {
    grantedNanos,
    maxTokens: whole ? undefined : limit,
    coveredTokens: limit * chat.choices,
  };
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

/** The refusal as the caller reads it: whose limit it was, what is needed and what is there. */
function refuseHold(refused: Refused, neededNanos: Nanos): Fault {
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
