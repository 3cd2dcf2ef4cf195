// What an amount per period means in requests, at the present price of a typical one.
import { type BudgetPeriod, parseDecimal } from "@turnpike/terms";
import type { Answers } from "../../lib/api.ts";
import { formatCount } from "../../lib/format.ts";
import { counted } from "../../lib/plural.ts";
import { isUsd, parseUsd } from "../../lib/typed-usd.ts";
import { calculateCost } from "../prices/calculate-cost.ts";

type Model = Answers["models"]["list"][number];

const typical = { promptTokens: 1_200, completionTokens: 300 };
const days = { day: 1n, week: 7n, month: 30n, total: undefined } as const satisfies Record<
  BudgetPeriod,
  bigint | undefined
>;

/** "About 48 requests a day to Alpha Large, of 1,200 tokens in and 300 out." Undefined without an amount or a price. */
export function limitInRequests(
  amount: string,
  period: BudgetPeriod,
  model: Model | undefined,
): string | undefined {
  const usd = parseUsd(amount);
  if (model === undefined || !isUsd(usd, "nanos")) return undefined;
  const limit = parseDecimal(usd);
  const cost = parseDecimal(calculateCost(model, typical));
  if (limit.digits === 0n || cost.digits === 0n) return undefined;
  const spread = days[period];
  // Both in the smallest unit of either.
  const limitUnits = limit.digits * 10n ** BigInt(cost.scale);
  const costUnits = cost.digits * 10n ** BigInt(limit.scale) * (spread ?? 1n);
  const count = Number(limitUnits / costUnits);
  const requests = count < 1 ? "Less than one request" : `About ${counted(count, "request")}`;
  const often = spread === undefined ? "in total" : "a day";
  const { promptTokens, completionTokens } = typical;
  return `${requests} ${often} to ${model.name}, of ${formatCount(promptTokens)} tokens in and ${formatCount(completionTokens)} out.`;
}
