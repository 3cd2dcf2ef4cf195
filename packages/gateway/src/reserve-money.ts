// How much is held for a call, and how long its answer may therefore be. The worst case at the
// pinned price is held before the upstream hears of the call; the output limit follows the money.
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
import { refuseHold } from "./refuse-hold.ts";

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
  const exact = model.tokenizer !== "bytes" && chat.textBytes > countAboveBytes;
  const decision = await gateway.ledger.hold(describe(first, exact));
  if (decision.verdict === "held") return readReservation(model, chat, byBytes, first, decision);
  if (!moneyRefusals.has(decision.verdict)) throw refuseHold(decision, first.floorNanos);

  // The byte bound is several times too high for prose: count before saying no.
  const counted = await countPrompt(model, chat);
  if (counted >= byBytes && !exact) throw refuseHold(decision, first.floorNanos);
  const second = sizeHold(model, chat, counted);
  const again = await gateway.ledger.hold(describe(second, false));
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
    id: call.generationId,
    accountId: spender.accountId,
    keyId: spender.keyId,
    halve: chat.maxTokens === undefined,
    model: model.id,
    provider: model.routes[0].provider.id,
    priceId: model.price.id,
    streamed: chat.stream,
    origin: spender.origin,
    requestId: call.requestId,
    userAgent: call.userAgent,
  };
}

function readReservation(
  model: Model,
  chat: ChatRequest,
  promptTokens: number,
  size: HoldSize,
  { hold }: Extract<HoldDecision, { verdict: "held" }>,
): Reservation {
  const { grantedNanos } = hold;
  const output = outputLimit(model, chat);
  const whole = grantedNanos >= size.wantNanos;
  const limit = whole
    ? output
    : (affordableOutputTokens(model.price, promptTokens, chat.choices, grantedNanos) ?? 0);
  return {
    hold,
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
