// What a request asks of a model's reasoning, read once for all dialects, so that contradictory fields mean
// the same whichever provider answers: off wins over everything, `reasoning` over `reasoning_effort`.
import { isObject, type JsonObject, parseText } from "@turnpike/base";

export type RequestedReasoning = {
  /** False if the model is not to reason, undefined if that is left to it. */
  readonly enabled: boolean | undefined;
  /** Undefined without one, and where `enabled: false` outweighs it; `none` where that is why it is off. */
  readonly effort: string | undefined;
  /** The field that `effort` came from. */
  readonly param: "reasoning.effort" | "reasoning_effort";
  /** Tokens; undefined without a budget and while reasoning is off. */
  readonly budget: number | undefined;
  /** Whether the caller asks not to be shown the model's thoughts. */
  readonly isHidden: boolean;
};

/**
 * Reads `reasoning`, `reasoning_effort` and `include_reasoning` of a chat completion; undefined if it asks
 * for nothing. A budget stays beside an effort, because each dialect takes the one it has.
 */
export function parseReasoning(body: JsonObject): RequestedReasoning | undefined {
  const { reasoning, reasoning_effort: named, include_reasoning: included } = body;
  const isAsked = isObject(reasoning) || typeof named === "string" || included === true;
  if (!isAsked) return undefined;
  const inner = isObject(reasoning) ? reasoning : {};
  const own = parseText(inner.effort);
  const effort = own ?? parseText(named);
  const isOff = inner.enabled === false || effort === "none";
  const budget = inner.max_tokens;
  const isOn = inner.enabled === true || effort !== undefined || typeof budget === "number";
  return {
    enabled: isOff ? false : isOn || undefined,
    effort: inner.enabled === false ? undefined : effort,
    param: own === undefined ? "reasoning_effort" : "reasoning.effort",
    budget: isOff || typeof budget !== "number" ? undefined : budget,
    isHidden: inner.exclude === true || included === false,
  };
}
