// How much the model is to think, and whether it shows its thoughts. Gemini 3 has levels, Gemini 2.5
// has budgets; both accept a budget in tokens.
import type { JsonObject } from "@turnpike/base";
import { untranslatable } from "../../untranslatable.ts";
import { parseReasoning } from "../requested-reasoning.ts";

/** Efforts as the levels of Gemini 3, and as the budgets of Google's own OpenAI-compatible API. */
const efforts = new Map<string, { readonly level: string; readonly budget: number }>([
  ["none", { level: "minimal", budget: 0 }],
  ["minimal", { level: "minimal", budget: 1_024 }],
  ["low", { level: "low", budget: 1_024 }],
  ["medium", { level: "medium", budget: 8_192 }],
  ["high", { level: "high", budget: 24_576 }],
  ["xhigh", { level: "high", budget: 24_576 }],
  ["max", { level: "high", budget: 24_576 }],
]);

/**
 * 2 for everything before Gemini 3, including Gemma; models with any other name are treated as the
 * newest.
 */
export function generationOf(upstreamModel: string): 2 | 3 {
  return /(?:^|\/)(?:gemini-[12][.-]|gemma)/i.test(upstreamModel) ? 2 : 3;
}

/** Undefined if the caller leaves it to the model. Throws the Fault of a field. */
export function thinkingConfigOf(body: JsonObject, upstreamModel: string): JsonObject | undefined {
  const asked = parseReasoning(body);
  if (asked === undefined) return undefined;
  const { enabled, effort, param, budget, isHidden } = asked;
  const config: JsonObject = {};
  const word = enabled === false ? "none" : effort;
  if (budget !== undefined) config.thinkingBudget = fitBudget(budget, upstreamModel);
  else if (word !== undefined) Object.assign(config, spellEffort(word, param, upstreamModel));
  // Google refuses to show thoughts where none are asked for.
  const thinks = enabled !== false && config.thinkingBudget !== 0;
  if (thinks && !isHidden) config.includeThoughts = true;
  return Object.keys(config).length === 0 ? undefined : config;
}

function spellEffort(word: string, param: string, upstreamModel: string): JsonObject {
  const known = efforts.get(word);
  if (known === undefined) {
    throw untranslatable(param, `it must be one of ${[...efforts.keys()].join(", ")}`);
  }
  if (generationOf(upstreamModel) === 2) {
    return { thinkingBudget: fitBudget(known.budget, upstreamModel) };
  }
  const isMinimal = known.level === "minimal" && !knowsMinimal.test(upstreamModel);
  return { thinkingLevel: isMinimal ? "low" : known.level };
}

/** Gemini 3 cannot stop thinking, and models other than these think at least a little. */
const knowsMinimal = /flash-lite|gemini-3(?:\.[0-6])?-flash/i;

const pro = /-pro\b/i;

type BudgetRange = { readonly least: number; readonly most: number };

/** Which budgets Google accepts: https://ai.google.dev/gemini-api/docs/thinking#set-budget. */
const ranges: readonly (readonly [model: RegExp, range: BudgetRange])[] = [
  [/-flash-lite\b/i, { least: 512, most: 24_576 }],
  [pro, { least: 128, most: 32_768 }],
];
const otherRange: BudgetRange = { least: 1, most: 24_576 };

/** The nearest budget that the model accepts; 0 only where it can answer without thinking. */
function fitBudget(budget: number, upstreamModel: string): number {
  const whole = Math.trunc(budget);
  const canStop = generationOf(upstreamModel) === 2 && !pro.test(upstreamModel);
  if (whole <= 0 && canStop) return 0;
  const { least, most } = ranges.find(([model]) => model.test(upstreamModel))?.[1] ?? otherRange;
  return Math.min(Math.max(whole, least), most);
}
