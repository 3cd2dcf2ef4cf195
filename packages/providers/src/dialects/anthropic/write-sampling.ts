// How an answer is sampled, as far as its model lets a caller decide that.
import type { JsonObject } from "@turnpike/base";

/**
 * Models from Claude 4.7 on refuse every such field. Source:
 * https://docs.claude.com/en/docs/about-claude/models/migrating-to-claude-4.
 */
const sampleThemselves =
  /claude-(?:[a-z]+-4[.-](?:[7-9]|\d{2})(?!\d)|[a-z]+-(?:[5-9]|\d{2,})(?!\d)|mythos-)/;

/** Models from Claude Opus 4.1 and Claude 4.5 on (SalesforceAIResearch/MCP-Universe#49). */
const samplesByOne = /claude-(?:opus-4[.-]1(?!\d)|[a-z]+-4[.-][56](?!\d))/;

/** Whether a model refuses `temperature` beside `top_p`. */
export function refusesBoth(upstreamModel: string): boolean {
  return samplesByOne.test(upstreamModel);
}

const samplingFields: readonly string[] = ["temperature", "top_p", "top_k"];

export function isSampling(name: string): boolean {
  return samplingFields.includes(name);
}

/** False for a field of these that the model is not sent. */
export function takesSampling(upstreamModel: string, name: string): boolean {
  return !isSampling(name) || !sampleThemselves.test(upstreamModel);
}

/** The members of a chat completion's `body` that a model is sent. */
export function writeSampling(body: JsonObject, upstreamModel: string): JsonObject {
  const written: JsonObject = {};
  if (sampleThemselves.test(upstreamModel)) return written;
  for (const key of ["top_p", "top_k"]) {
    if ((body[key] ?? null) !== null) written[key] = body[key];
  }
  if (typeof body.temperature === "number") {
    // Anthropic's scale ends at 1, chat's at 2.
    written.temperature = Math.min(body.temperature, 1);
    if (refusesBoth(upstreamModel)) delete written.top_p;
  }
  return written;
}
