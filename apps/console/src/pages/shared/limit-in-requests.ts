// What an amount per period means in requests, at the present price of a typical one.
import type { Answers } from "../../lib/api.ts";
import { formatCount } from "../../lib/format.ts";
import { plural } from "../../lib/plural.ts";
import { calculateCost, pricesFor } from "./calculate-cost.ts";

type Model = Answers["models"]["list"][number];
export type LimitPeriod = "day" | "week" | "month" | "total";

const typical = { inputTokens: 1_200, cachedTokens: 0, outputTokens: 300 };
const days = { day: 1, week: 7, month: 30, total: undefined } as const;

/** "About 48 requests a day to Alpha Large, of 1,200 tokens in and 300 out." Undefined without an amount or a price. */
export function limitInRequests(
  amount: string,
  period: LimitPeriod,
  model: Model | undefined,
): string | undefined {
  const usd = /^\d+(?:\.\d+)?$/.test(amount.trim()) ? Number(amount) : 0;
  if (usd === 0 || model === undefined) return undefined;
  const costUsd = Number(calculateCost(pricesFor(model, typical.inputTokens), typical, 1));
  if (costUsd === 0) return undefined;
  const spread = days[period];
  const count = Math.floor(usd / (spread ?? 1) / costUsd);
  const requests =
    count < 1
      ? "Less than one request"
      : `About ${formatCount(count)} ${plural(count, "request", "requests")}`;
  const often = spread === undefined ? "in total" : "a day";
  const { inputTokens, outputTokens } = typical;
  return `${requests} ${often} to ${model.name}, of ${formatCount(inputTokens)} tokens in and ${formatCount(outputTokens)} out.`;
}
