// OpenAI's effort level for the reasoning that a chat completion asks for. OpenAI has levels and no budgets,
// and which levels there are depends on the model.
import type { JsonObject } from "@turnpike/base";
import { parseReasoning } from "../requested-reasoning.ts";

/**
 * What "do not reason" is for models that have a word for it; most others refuse `none`. Source: OpenAI's
 * models page.
 */
const leastEfforts: readonly (readonly [model: RegExp, effort: string])[] = [
  [/(?:^|\/)gpt-5\.[1-9](?:-mini|-nano|-luna|-sol|-terra)?(?:-\d{4}-\d{2}-\d{2})?$/, "none"],
  [/(?:^|\/)gpt-5(?:-mini|-nano)?(?:-\d{4}-\d{2}-\d{2})?$/, "minimal"],
  [/(?:^|\/)(?:o1|o3|o3-mini|o4-mini)(?:-\d{4}-\d{2}-\d{2})?$/, "low"],
];

/** Undefined if it asks for none, or if the model has no word for what it asks for. */
export function effortFor(body: JsonObject, upstreamModel: string): string | undefined {
  const asked = parseReasoning(body);
  if (asked === undefined) return undefined;
  const { enabled, effort, budget } = asked;
  if (enabled === false) {
    return leastEfforts.find(([model]) => model.test(upstreamModel))?.[1] ?? effort;
  }
  if (effort !== undefined || budget === undefined) return effort;
  if (budget < 8_192) return "low";
  return budget < 16_384 ? "medium" : "high";
}
