// The prompts of a call by the tokenizers of its models. A prompt is counted whole only if money may cover it: who
// has none cannot make us work for a refusal.
import {
  affordablePromptTokens,
  boundPrompt,
  countPrompt,
  type ModelRequest,
  pricesOfCall,
} from "@turnpike/catalog";
import type { Nanos } from "@turnpike/terms";
import type { ParsedRequest } from "@turnpike/wire";
import type { AuthenticatedCall, Call } from "../gateway.ts";
import type { RoutePlan } from "../routing/plan-routes.ts";

/** A refusal names what such a prompt needs; a longer one is counted no further than the money goes. */
const countedAnywayTokens = 20_000;

/** A call, and the signal that its caller has left. */
export type CountedCall = AuthenticatedCall & Pick<Call<ParsedRequest>, "signal">;

/** The most tokens the prompt of a request can have. */
export type PromptBound = (modelRequest: ModelRequest) => number;

type CountedPrompts = {
  readonly promptBound: PromptBound;
  /** False if a prompt was counted no further because `moneyNanos` does not cover it anywhere. */
  readonly isWhole: boolean;
};

/** For each model of the plan. */
export async function countPrompts(
  plan: RoutePlan,
  { principal, signal }: CountedCall,
  moneyNanos: Nanos,
): Promise<CountedPrompts> {
  const counts = new Map<ModelRequest, number>();
  const caller = { accountId: principal.accountId, signal };
  let isWhole = true;
  for (const { modelRequest, routes } of [plan, ...plan.fallbacks]) {
    let limit = countedAnywayTokens;
    for (const route of routes) {
      for (const price of pricesOfCall(modelRequest, route)) {
        limit = Math.max(limit, affordablePromptTokens(price, moneyNanos) + 1);
      }
    }
    const counted = await countPrompt(modelRequest, caller, limit);
    if (counted >= limit) isWhole = false;
    counts.set(modelRequest, counted);
  }
  return {
    promptBound: (modelRequest) => counts.get(modelRequest) ?? boundPrompt(modelRequest),
    isWhole,
  };
}
