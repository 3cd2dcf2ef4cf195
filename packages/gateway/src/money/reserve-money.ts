// How much is held for a call, and how long its answer may therefore be. The worst case at the most expensive route it
// may use is held before any upstream is called; the output limit follows the money, at each route by its own price.
// What is nearly always known at once is no promise: an async function takes six heap cells (decision 16).
import { Fault } from "@turnpike/base";
import {
  affordableOutputTokens,
  boundExtras,
  boundPrompt,
  type ModelRequest,
  outputBound,
  pricesOfCall,
  type Route,
  worstCase,
} from "@turnpike/catalog";
import { guardrailFault, nameOwner, type RuleOwner } from "@turnpike/keys";
import type { Hold, HoldDecision, HoldRefusal, HoldRequest } from "@turnpike/ledger";
import { formatUsd, maxNanos, minNanos, type Nanos, type Rates, zeroNanos } from "@turnpike/terms";
import type { AuthenticatedCall, Gateway } from "../gateway.ts";
import {
  type Candidate,
  type ModelRoutes,
  planOf,
  type RoutePlan,
} from "../routing/plan-routes.ts";
import { type CountedCall, countPrompts, type PromptBound } from "./count-prompts.ts";
import { holdFault } from "./hold-fault.ts";

/** An answer shorter than this is not worth a call, unless the caller asks for it. */
const leastOutputTokens = 256;
/** Texts up to this size are clamped by their byte bound; longer ones are counted first. */
const countAboveBytes = 2_000;

/** Money reserved for a call, and the output limit that follows from it. */
export type Reservation = {
  readonly hold: Hold;
  /** What the hold was sized by. */
  readonly promptBound: PromptBound;
  /** What to tell the upstream; undefined leaves the caller's own limit, if any. */
  readonly maxTokens: number | undefined;
  /** The most output tokens the hold covers, over all answers. */
  readonly coveredTokens: number;
};

/** Money reserved, and the part of a plan that it was reserved for: nothing else may be called. */
export type Reserved = { readonly plan: RoutePlan; readonly reservation: Reservation };

/**
 * Waits only where no lease in memory covers the call. Rejects with `insufficient_quota`,
 * `key_limit_reached` and the like, and with `unsupported_value` if the call may cost more than
 * `maxCostNanos` everywhere, with `guardrail_blocked` if it may cost more than a guardrail allows; then no money moved.
 */
export function reserveMoney(
  gateway: Pick<Gateway, "ledger">,
  call: CountedCall,
  plan: RoutePlan,
  maxCostNanos: Nanos | undefined = undefined,
): Reserved | Promise<Reserved> {
  const rule = call.principal.guardrails?.maxCall;
  if (rule !== undefined && (maxCostNanos === undefined || rule.value < maxCostNanos)) {
    return reserveAtMost(gateway, call, plan, { maxCostNanos: rule.value, owner: rule.owner });
  }
  return maxCostNanos === undefined
    ? reserveWorstCase(gateway, call, plan)
    : reserveAtMost(gateway, call, plan, { maxCostNanos });
}

function reserveWorstCase(
  gateway: Pick<Gateway, "ledger">,
  call: CountedCall,
  plan: RoutePlan,
): Reserved | Promise<Reserved> {
  const { modelRequest } = plan;
  const allOrNothing =
    modelRequest.model.tokenizer !== "bytes" && modelRequest.request.textBytes > countAboveBytes;
  const first = describeHold(call, plan, boundPrompt, allOrNothing);
  const decision = gateway.ledger.hold(first);
  if ("verdict" in decision && decision.verdict === "held") {
    return { plan, reservation: coverFirst(plan, boundPrompt, decision.hold) };
  }
  return reserveCounted(gateway, call, plan, { first, decision });
}

/** What was asked of the ledger by the byte bound of the prompt. */
type FirstHold = {
  readonly first: HoldRequest;
  readonly decision: HoldDecision | Promise<HoldDecision>;
};

async function reserveCounted(
  { ledger }: Pick<Gateway, "ledger">,
  call: CountedCall,
  plan: RoutePlan,
  { first, decision: deciding }: FirstHold,
): Promise<Reserved> {
  const decision = await deciding;
  if (decision.verdict === "held") {
    return { plan, reservation: coverFirst(plan, boundPrompt, decision.hold) };
  }
  if (otherRefusals.has(decision.verdict)) throw holdFault(decision, first.floorNanos);

  // The byte bound is several times too high for prose: count before refusing.
  const { promptBound: counted, isWhole } = await countPrompts(plan, call, decision.availableNanos);
  const second = describeHold(call, plan, counted, false);
  if (!isWhole) throw holdFault(decision, second.floorNanos);
  if (second.wantNanos >= first.wantNanos && !first.allOrNothing) {
    throw holdFault(decision, first.floorNanos);
  }
  const again = await ledger.hold(second);
  if (again.verdict === "held") {
    return { plan, reservation: coverFirst(plan, counted, again.hold) };
  }
  throw holdFault(again, second.floorNanos);
}

/** The most a call may cost. */
type CostCeiling = {
  readonly maxCostNanos: Nanos;
  /** Of the guardrail that set it; the caller did otherwise. */
  readonly owner?: RuleOwner;
};

/** With a ceiling, the answer is as short as the ceiling requires. */
async function reserveAtMost(
  { ledger }: Pick<Gateway, "ledger">,
  call: CountedCall,
  admitted: RoutePlan,
  ceiling: CostCeiling,
): Promise<Reserved> {
  const { maxCostNanos } = ceiling;
  const { promptBound } = await countPrompts(admitted, call, maxCostNanos);
  const plan = filterByCost(admitted, promptBound, ceiling);
  const worst = describeHold(call, plan, promptBound, false);
  const wantNanos = minNanos(worst.wantNanos, maxCostNanos);
  const decision = await ledger.hold({ ...worst, wantNanos });
  if (decision.verdict !== "held") throw holdFault(decision, worst.floorNanos);
  const {
    modelRequest,
    routes: [route],
  } = plan;
  const held = { hold: decision.hold, promptBound };
  return { plan, reservation: coverCandidate(held, { modelRequest, route }) };
}

/** The models and routes whose shortest answer costs at most `maxCostNanos`. */
function filterByCost(plan: RoutePlan, promptBound: PromptBound, ceiling: CostCeiling): RoutePlan {
  const { maxCostNanos } = ceiling;
  const floors: Nanos[] = [];
  const within: ModelRoutes[] = [];
  for (const { modelRequest, routes } of [plan, ...plan.fallbacks]) {
    const [first, ...others] = routes.filter((route) => {
      const bound = { wantNanos: zeroNanos, floorNanos: zeroNanos };
      const { floorNanos } = boundRoute(modelRequest, route, promptBound, bound);
      floors.push(floorNanos);
      return floorNanos <= maxCostNanos;
    });
    if (first !== undefined) within.push({ modelRequest, routes: [first, ...others] });
  }
  const kept = planOf(within);
  if (kept !== undefined) return kept;
  throw tooExpensive(floors.reduce(minNanos), ceiling);
}

function tooExpensive(neededNanos: Nanos, { maxCostNanos, owner }: CostCeiling): Fault {
  const facts = { needed_usd: formatUsd(neededNanos) };
  const may = `This request may cost $${facts.needed_usd} with the shortest answer, which is more than`;
  const most = `$${formatUsd(maxCostNanos)}`;
  if (owner === undefined) {
    const sentence = `${may} its max_cost of ${most}.`;
    return new Fault("unsupported_value", sentence, { param: "max_cost", metadata: facts });
  }
  const broken = { rule: "max_call_usd", owner } as const;
  const sentence = `${may} the ${most} that ${nameOwner(owner)} allows for one call.`;
  return guardrailFault(broken, sentence, facts);
}

/** The same hold, with the output limit of another route: it may cost more or less, or write more. */
export function coverCandidate(
  { hold, promptBound }: Pick<Reservation, "hold" | "promptBound">,
  { modelRequest, route }: Candidate,
): Reservation {
  const { grantedNanos } = hold;
  const promptTokens = promptBound(modelRequest);
  const { tokens, answers } = outputBound(modelRequest);
  const extras = boundExtras(modelRequest);
  const prices = pricesOfCall(modelRequest, route, promptTokens);
  const isCovered = (price: Rates) =>
    grantedNanos >= worstCase(price, promptTokens, tokens, answers, extras);
  if (prices.every(isCovered)) {
    return { hold, promptBound, maxTokens: undefined, coveredTokens: tokens * answers };
  }
  let limit = tokens;
  for (const price of prices) {
    const most = affordableOutputTokens(price, promptTokens, answers, grantedNanos, extras) ?? 0;
    limit = Math.min(limit, most);
  }
  return { hold, promptBound, maxTokens: limit, coveredTokens: limit * answers };
}

function coverFirst(plan: RoutePlan, promptBound: PromptBound, hold: Hold): Reservation {
  const {
    modelRequest,
    routes: [route],
  } = plan;
  if (hold.grantedNanos < hold.request.wantNanos) {
    return coverCandidate({ hold, promptBound }, { modelRequest, route });
  }
  const { tokens, answers } = outputBound(modelRequest);
  return { hold, promptBound, maxTokens: undefined, coveredTokens: tokens * answers };
}

function describeHold(
  call: AuthenticatedCall,
  plan: RoutePlan,
  promptBound: PromptBound,
  allOrNothing: boolean,
): HoldRequest {
  const { modelRequest, fallbacks } = plan;
  const bound = boundRoutes(plan, promptBound, { wantNanos: zeroNanos, floorNanos: zeroNanos });
  for (const each of fallbacks) boundRoutes(each, promptBound, bound);
  const { wantNanos, floorNanos } = bound;
  return {
    facts: call.facts,
    wantNanos,
    floorNanos,
    atMostHalf: outputBound(modelRequest).isDefault,
    allOrNothing,
  };
}

type HoldBound = { wantNanos: Nanos; floorNanos: Nanos };

/** Raises `bound` to what a call can cost at the routes of a model. */
function boundRoutes(
  { modelRequest, routes }: ModelRoutes,
  promptBound: PromptBound,
  bound: HoldBound,
): HoldBound {
  for (const route of routes) boundRoute(modelRequest, route, promptBound, bound);
  return bound;
}

/** The same for a route, at the most expensive of its prices. */
function boundRoute(
  modelRequest: ModelRequest,
  route: Route,
  promptBound: PromptBound,
  bound: HoldBound,
): HoldBound {
  const promptTokens = promptBound(modelRequest);
  const { tokens, answers } = outputBound(modelRequest);
  // Only text can be cut short: an image, audio or a transcript is whole or nothing.
  const isText = modelRequest.operation === "chat";
  const least = isText ? Math.min(leastOutputTokens, tokens) : tokens;
  const extras = boundExtras(modelRequest);
  for (const price of pricesOfCall(modelRequest, route, promptTokens)) {
    const wantNanos = worstCase(price, promptTokens, tokens, answers, extras);
    const floorNanos = worstCase(price, promptTokens, least, answers, extras);
    bound.wantNanos = maxNanos(bound.wantNanos, wantNanos);
    bound.floorNanos = maxNanos(bound.floorNanos, floorNanos);
  }
  return bound;
}

const otherRefusals = new Set<HoldRefusal>(["missing", "key_revoked", "suspended", "frozen"]);
