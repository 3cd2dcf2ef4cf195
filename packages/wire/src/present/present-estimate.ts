// What a request would cost, as `POST /v1/estimate` shows it. Amounts are JSON numbers in USD; the one that
// callers compare with a budget is also an exact decimal string.
import { formatUsd, maxNanos, type Nanos, toUsdNumber, zeroNanos } from "@turnpike/terms";

export type EstimateView = {
  /** The model asked for, and those that follow where it fails. */
  readonly models: readonly [ModelEstimateView, ...ModelEstimateView[]];
};

type ModelEstimateView = {
  readonly model: string;
  readonly promptTokens: number;
  /** Of all answers together. */
  readonly maxOutputTokens: number;
  readonly routes: readonly {
    readonly provider: string;
    readonly promptNanos: Nanos;
    readonly maxNanos: Nanos;
  }[];
};

/**
 * Each figure is the largest of all models and providers that may answer, so `max_cost` is the most the
 * call can cost. The prompt is estimated, and a provider may count it differently.
 */
export function estimateBody({ models }: EstimateView): Record<string, unknown> {
  const routes = models.flatMap(({ model, routes: own }) =>
    own.map((route) => ({ model, ...route })),
  );
  const max = routes.map((route) => route.maxNanos).reduce(maxNanos, zeroNanos);
  return {
    object: "estimate",
    model: models[0].model,
    prompt_tokens: Math.max(...models.map(({ promptTokens }) => promptTokens)),
    max_completion_tokens: Math.max(...models.map(({ maxOutputTokens }) => maxOutputTokens)),
    prompt_cost: toUsdNumber(routes.map((route) => route.promptNanos).reduce(maxNanos, zeroNanos)),
    max_cost: toUsdNumber(max),
    max_cost_usd: formatUsd(max),
    endpoints: routes.map((route) => ({
      model: route.model,
      provider_name: route.provider,
      prompt_cost: toUsdNumber(route.promptNanos),
      max_cost: toUsdNumber(route.maxNanos),
    })),
  };
}
