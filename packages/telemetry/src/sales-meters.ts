// What calls were charged, what they cost the operator, and their tokens. Both names come from the catalog, so
// the number of series is bounded.
import type { Registry } from "prom-client";
import { createSeries } from "./create-series.ts";

/** What a durable charge says of its call. */
export type Sale = {
  readonly provider: string;
  readonly model: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
  readonly usageDetails: {
    /** What the provider bills, in nano-dollars; absent without an operator's cost in the catalog. */
    readonly operatorCostNanos?: string;
  } | null;
};

export type SalesMeters = { countSale(sale: Sale, chargedNanos: bigint): void };

export function createSalesMeters(registry: Registry): SalesMeters {
  const labelNames = ["provider", "model"] as const;
  const addRevenue = createSeries(registry, {
    name: "turnpike_revenue_nanos_total",
    help: "Money charged for calls, by the provider that answered and the model, in nano-dollars.",
    labelNames,
  });
  const addCost = createSeries(registry, {
    name: "turnpike_provider_cost_nanos_total",
    help: "What providers bill for calls by the operator's costs in the catalog, in nano-dollars; routes without costs are not counted.",
    labelNames,
  });
  const addTokens = createSeries(registry, {
    name: "turnpike_tokens_total",
    help: "Tokens of charged calls. Prompt includes cached and cache_write, completion includes reasoning.",
    labelNames: ["provider", "model", "kind"],
  });
  return {
    countSale(sale, chargedNanos) {
      const { provider, model } = sale;
      const costNanos = sale.usageDetails?.operatorCostNanos;
      addRevenue(Number(chargedNanos), provider, model);
      if (costNanos !== undefined) addCost(Number(costNanos), provider, model);
      addTokens(sale.promptTokens, provider, model, "prompt");
      addTokens(sale.completionTokens, provider, model, "completion");
      if (sale.cachedTokens > 0) addTokens(sale.cachedTokens, provider, model, "cached");
      if (sale.cacheWriteTokens > 0)
        addTokens(sale.cacheWriteTokens, provider, model, "cache_write");
      if (sale.reasoningTokens > 0) addTokens(sale.reasoningTokens, provider, model, "reasoning");
    },
  };
}
