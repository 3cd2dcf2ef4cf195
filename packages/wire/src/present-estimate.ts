// What a request would cost, as `POST /v1/estimate` shows it. Amounts are JSON numbers in USD; exact decimal
// strings stand beside the one that callers compare with a budget.
import { formatUsd, type Nanos, toUsdNumber, zeroNanos } from "@turnpike/base";

export type EstimateView = {
  readonly model: string;
  readonly promptTokens: number;
  readonly maxOutputTokens: number;
  readonly answers: number;
  readonly routes: readonly {
    readonly provider: string;
    readonly promptNanos: Nanos;
    readonly maxNanos: Nanos;
  }[];
};

/** `max_cost` is that of the dearest provider: the prompt is estimated, and a provider may count it otherwise. */
export function estimateBody(view: EstimateView): Record<string, unknown> {
  let [promptNanos, maxNanos] = [zeroNanos, zeroNanos];
  for (const route of view.routes) {
    if (route.promptNanos > promptNanos) promptNanos = route.promptNanos;
    if (route.maxNanos > maxNanos) maxNanos = route.maxNanos;
  }
  return {
    object: "estimate",
    model: view.model,
    prompt_tokens: view.promptTokens,
    max_completion_tokens: view.maxOutputTokens * view.answers,
    prompt_cost: toUsdNumber(promptNanos),
    max_cost: toUsdNumber(maxNanos),
    max_cost_usd: formatUsd(maxNanos),
    endpoints: view.routes.map((route) => ({
      provider_name: route.provider,
      prompt_cost: toUsdNumber(route.promptNanos),
      max_cost: toUsdNumber(route.maxNanos),
    })),
  };
}
