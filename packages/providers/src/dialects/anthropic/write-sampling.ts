// How an answer is sampled, as far as its model lets a caller decide that.
import type { JsonObject } from "@turnpike/base";
import { isCarried, renamedFor, samplingNames } from "@turnpike/wire";
import { copyFields } from "../lost-fields.ts";

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

const samplingFields: ReadonlySet<string> = new Set(
  samplingNames.filter((name) => isCarried("anthropic", name)),
);

export function isSampling(name: string): boolean {
  return samplingFields.has(name);
}

/** False for a field of these that the model is not sent. */
export function takesSampling(upstreamModel: string, name: string): boolean {
  return !isSampling(name) || !sampleThemselves.test(upstreamModel);
}

const renamed = renamedFor("anthropic");

/** The members of a chat completion's `body` that a model is sent as they are, or nearly. */
export function writeCopied(body: JsonObject, upstreamModel: string): JsonObject {
  const written = copyFields(body, renamed, (name) => takesSampling(upstreamModel, name));
  if (typeof body.temperature === "number" && takesSampling(upstreamModel, "temperature")) {
    // Anthropic's scale ends at 1, chat's at 2.
    written.temperature = Math.min(body.temperature, 1);
    if (refusesBoth(upstreamModel)) delete written.top_p;
  }
  return written;
}
