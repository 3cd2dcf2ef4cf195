// The rules of a guardrail as sentences.
import type { Weekday } from "@turnpike/terms";
import type { Answers } from "../../lib/api.ts";

export const dayNames = {
  mon: "Mon",
  tue: "Tue",
  wed: "Wed",
  thu: "Thu",
  fri: "Fri",
  sat: "Sat",
  sun: "Sun",
} as const satisfies Record<Weekday, string>;

export type Guardrail = Answers["guardrails"]["list"]["guardrails"][number];

/** One sentence for each rule. */
export function describeRules(rules: Guardrail["rules"], timeZone: string): readonly string[] {
  const list = (names: readonly string[]) => names.join(", ") || "none";
  const { allowedModels, allowedProviders, allowedAddresses, allowedHours: hours } = rules;
  const { maxInputUsdPerMillion: input, maxOutputUsdPerMillion: output, maxCallUsd: call } = rules;
  return [
    allowedModels !== null && `Models: ${list(allowedModels)}`,
    allowedProviders !== null && `Providers: ${list(allowedProviders)}`,
    input !== null && `At most ${`$${input}`} per million input tokens`,
    output !== null && `At most ${`$${output}`} per million output tokens`,
    call !== null && `At most ${`$${call}`} for one request`,
    rules.denyTraining && "Only providers that do not train on prompts",
    rules.denyRetention && "Only providers that do not keep prompts",
    allowedAddresses !== null && `Addresses: ${list(allowedAddresses)}`,
    hours !== null &&
      `${hours.days.map((day) => dayNames[day]).join(", ")}, ${hours.from} to ${hours.until} (${timeZone})`,
  ].filter((text) => text !== false);
}
