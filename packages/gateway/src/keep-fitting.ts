// Which models of a plan can read the whole prompt: one that is too long for a model goes to those it is not
// too long for, and is refused if it is too long for all of them.
import { Fault } from "@turnpike/base";
import { refuseOverlongPrompt } from "@turnpike/catalog";
import type { Choice, RoutePlan } from "./plan-routes.ts";

/** Takes time in proportion to the prompt. Throws `context_length_exceeded` of the first model. */
export async function keepFitting(plan: RoutePlan): Promise<RoutePlan> {
  if (plan.fallbacks.length === 0) {
    await refuseOverlongPrompt(plan.asked);
    return plan;
  }
  const fitting: Choice[] = [];
  let refused: Fault | undefined;
  for (const { asked, routes } of [plan, ...plan.fallbacks]) {
    try {
      await refuseOverlongPrompt(asked);
      fitting.push({ asked, routes });
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      refused ??= thrown;
    }
  }
  const [first, ...fallbacks] = fitting;
  if (first !== undefined) return { ...first, fallbacks };
  throw refused ?? new Error("a plan without a model");
}
