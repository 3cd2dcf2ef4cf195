// Validates the parameters, field by field; the ranges are those of `/v1`.
import { type Parameters, readTools, stopsOf } from "./conversation.ts";
import { t } from "./texts.ts";

export type ParameterErrors = { -readonly [Name in keyof Parameters]?: string };

const stopsMax = 4;

export function checkParameters(
  parameters: Parameters,
  maxOutputTokens: number | undefined,
): ParameterErrors {
  const errors: ParameterErrors = {};
  if (!isBetween(parameters.temperature, 0, 2)) errors.temperature = t("parameter.wrongTo2");
  if (!isBetween(parameters.topP, 0, 1)) errors.topP = t("parameter.wrongTo1");
  const { maxTokens } = parameters;
  const most = maxOutputTokens ?? Number.MAX_SAFE_INTEGER;
  if (maxTokens !== "" && !(/^[1-9]\d{0,8}$/.test(maxTokens) && Number(maxTokens) <= most)) {
    errors.maxTokens = t("parameter.wrongCount", { most });
  }
  if (stopsOf(parameters.stop).length > stopsMax) errors.stop = t("parameter.wrongStops");
  if (readTools(parameters.tools) === undefined) errors.tools = t("parameter.wrongTools");
  return errors;
}

/** Empty means the model's default. */
function isBetween(text: string, least: number, most: number): boolean {
  if (text === "") return true;
  return /^\d(?:\.\d{1,4})?$/.test(text) && Number(text) >= least && Number(text) <= most;
}
