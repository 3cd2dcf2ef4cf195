// The prices an account agreed with the operator: a markup or a discount on the list price of some models. The
// most specific term that is in force decides; terms never add up.
import type { PriceTerm } from "@turnpike/db";
import { matchesName } from "../guardrails/guardrail-rules.ts";

/** The constraint `accounts_price_terms` has the same bound. */
export const priceTermMax = 100;

/** Undefined where the list price applies. */
export function markupOf(
  terms: readonly PriceTerm[] | undefined,
  modelId: string,
  now: number = Date.now(),
): number | undefined {
  if (terms === undefined) return undefined;
  let best: PriceTerm | undefined;
  for (const term of terms) {
    if (!isInForce(term, now) || !matchesName(term.models, modelId)) continue;
    if (best === undefined || isMoreSpecific(term.models, best.models)) best = term;
  }
  return best?.markupBasisPoints;
}

/** One whose end has passed stays stored until the terms are set again. */
export function isInForce({ until }: PriceTerm, now: number = Date.now()): boolean {
  return until === undefined || Date.parse(until) > now;
}

/** An id before a pattern, and a longer pattern before a shorter one. */
function isMoreSpecific(a: string, b: string): boolean {
  const isPattern = (text: string) => text.endsWith("*");
  if (isPattern(a) !== isPattern(b)) return isPattern(b);
  return a.length > b.length;
}

/** As it is shown and written in the audit log: `anthropic/*: -10% until 2027-01-01`. */
export function describePriceTerm({ models, markupBasisPoints, until }: PriceTerm): string {
  const percent = `${markupBasisPoints < 0 ? "" : "+"}${markupBasisPoints / 100}%`;
  return `${models}: ${percent}${until === undefined ? "" : ` until ${until.slice(0, 10)}`}`;
}
