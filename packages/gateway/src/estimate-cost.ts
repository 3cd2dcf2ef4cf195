// What a request would cost, without running it: admitted like a call, so that estimates are limited in
// the same way, and free, because nothing is called or held: what bounds it is the time that counting takes.
import { maxNanos, type Nanos, toFault } from "@turnpike/base";
import {
  boundExtras,
  type CountCaller,
  costOf,
  estimatePromptTokens,
  outputBound,
  pricesOfCall,
  worstCase,
} from "@turnpike/catalog";
import { nameForCaller, type ParsedRequest, type TokenUsage } from "@turnpike/wire";
import { admitRequest } from "./admit-request.ts";
import type { Gateway, Principal } from "./gateway.ts";
import { keepFitting, type ModelRoutes } from "./routing/plan-routes.ts";

export type RouteEstimate = {
  readonly provider: string;
  /** As if nothing of it were cached. */
  readonly promptNanos: Nanos;
  /** With every answer as long as it may be. */
  readonly maxNanos: Nanos;
};

export type ModelEstimate = {
  readonly model: string;
  readonly promptTokens: number;
  /** Of all answers together. */
  readonly maxOutputTokens: number;
  /** In the order they would be tried. */
  readonly routes: readonly RouteEstimate[];
};

export type CostEstimate = {
  /** The model asked for, and those that follow where it fails. */
  readonly models: readonly [ModelEstimate, ...ModelEstimate[]];
  readonly headers: Readonly<Record<string, string>>;
};

type Estimates = Pick<Gateway, "catalog" | "limiter" | "routeHealth" | "countBudget">;

/** Rejects with the Fault of the first rule that would refuse the request, and once `signal` aborts. */
export async function estimateCost(
  gateway: Estimates,
  principal: Principal,
  request: ParsedRequest,
  signal: AbortSignal,
): Promise<CostEstimate> {
  try {
    return await estimate(gateway, principal, request, signal);
  } catch (thrown) {
    throw nameForCaller(toFault(thrown), request);
  }
}

async function estimate(
  gateway: Estimates,
  principal: Principal,
  request: ParsedRequest,
  signal: AbortSignal,
): Promise<CostEstimate> {
  const { accountId } = principal;
  const { plan: admitted, admission } = await admitRequest(gateway, principal, request, "measure");
  try {
    // Each model may have a tokenizer of its own.
    const texts = 1 + admitted.fallbacks.length;
    const time = gateway.countBudget.take(accountId, request.textBytes * texts);
    try {
      const caller = { accountId, signal, onSpent: time.spend };
      const { fallbacks, ...first } = await keepFitting(admitted, caller);
      const models: [ModelEstimate, ...ModelEstimate[]] = [await estimateModel(first, caller)];
      for (const fallback of fallbacks) models.push(await estimateModel(fallback, caller));
      return { models, headers: admission.headers };
    } finally {
      time.end();
    }
  } finally {
    admission.end(0);
  }
}

async function estimateModel(
  { matched, routes }: ModelRoutes,
  caller: CountCaller,
): Promise<ModelEstimate> {
  const promptTokens = await estimatePromptTokens(matched, caller);
  const { tokens, answers } = outputBound(matched);
  const extras = boundExtras(matched);
  const prompt = plainPrompt(promptTokens, extras.audioPromptTokens);
  return {
    model: matched.model.id,
    promptTokens,
    maxOutputTokens: tokens * answers,
    routes: routes.map((route) => {
      const prices = pricesOfCall(matched, route, promptTokens);
      const most = prices.map((price) => worstCase(price, promptTokens, tokens, answers, extras));
      return {
        provider: route.provider.id,
        promptNanos: prices.map((price) => costOf(price, prompt)).reduce(maxNanos),
        maxNanos: most.reduce(maxNanos),
      };
    }),
  };
}

function plainPrompt(promptTokens: number, audioTokens: number): TokenUsage {
  return {
    promptTokens,
    completionTokens: 0,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    audioPromptTokens: Math.min(audioTokens, promptTokens),
  };
}
