// What a request would cost, without running it.
import {
  boundExtras,
  type CountCaller,
  estimatePromptTokens,
  outputBound,
  pricesOfCall,
  worstCase,
} from "@turnpike/catalog";
import { costOf, maxNanos, type Nanos } from "@turnpike/terms";
import type { TokenUsage } from "@turnpike/wire";
import { filterByContext, type ModelRoutes } from "../routing/plan-routes.ts";
import { type MeasuredRequest, measureRequest } from "./measure-request.ts";

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

/** Rejects as `measureRequest` does. Each model may have a tokenizer of its own. */
export async function estimateCost(measured: MeasuredRequest): Promise<CostEstimate> {
  return measureRequest(
    measured,
    ({ fallbacks }) => 1 + fallbacks.length,
    async (admitted, caller) => {
      const { fallbacks, ...first } = await filterByContext(admitted, caller);
      const models: [ModelEstimate, ...ModelEstimate[]] = [await estimateModel(first, caller)];
      for (const fallback of fallbacks) models.push(await estimateModel(fallback, caller));
      return { models };
    },
  );
}

async function estimateModel(
  { modelRequest, routes }: ModelRoutes,
  caller: CountCaller,
): Promise<ModelEstimate> {
  const promptTokens = await estimatePromptTokens(modelRequest, caller);
  const { tokens, answers } = outputBound(modelRequest);
  const extras = boundExtras(modelRequest);
  const prompt = plainPrompt(promptTokens, extras.audioPromptTokens);
  return {
    model: modelRequest.model.id,
    promptTokens,
    maxOutputTokens: tokens * answers,
    routes: routes.map((route) => {
      const prices = pricesOfCall(modelRequest, route, promptTokens);
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
