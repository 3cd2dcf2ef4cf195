// Validates the parameters, field by field; the ranges are those of `/v1`.
import { stopsMax } from "@turnpike/terms";
import { type Parameters, parseTools, stopsOf } from "../conversation/conversation.ts";
import { schemaProblem } from "./schema-problem.ts";

export type ParameterErrors = { -readonly [Name in keyof Parameters]?: string };

export function checkParameters(
  parameters: Parameters,
  maxOutputTokens: number | undefined,
): ParameterErrors {
  const errors: ParameterErrors = {};
  if (!isBetween(parameters.temperature, 0, 2)) errors.temperature = "Enter a number from 0 to 2.";
  if (!isBetween(parameters.topP, 0, 1)) errors.topP = "Enter a number from 0 to 1.";
  const { maxTokens } = parameters;
  const most = maxOutputTokens ?? Number.MAX_SAFE_INTEGER;
  if (maxTokens !== "" && !(/^[1-9]\d{0,8}$/.test(maxTokens) && Number(maxTokens) <= most)) {
    errors.maxTokens = `Enter a whole number from 1 to ${most}.`;
  }
  if (stopsOf(parameters.stop).length > stopsMax) {
    errors.stop = `Use at most ${stopsMax} stop sequences.`;
  }
  if (parseTools(parameters.tools) === undefined) errors.tools = "This is not a JSON array.";
  const { json, schema } = parameters;
  const problem = json && schema.trim() !== "" ? schemaProblem(schema) : undefined;
  if (problem !== undefined) errors.schema = problem;
  return errors;
}

/** Empty means the model's default. */
function isBetween(text: string, least: number, most: number): boolean {
  if (text === "") return true;
  return /^\d(?:\.\d{1,4})?$/.test(text) && Number(text) >= least && Number(text) <= most;
}
