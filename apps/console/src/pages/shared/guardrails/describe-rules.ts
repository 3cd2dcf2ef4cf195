// The rules of a guardrail as sentences.
import type { Answers } from "../../../lib/api.ts";
import { t } from "./texts.ts";

export type Guardrail = Answers["guardrails"]["list"]["guardrails"][number];

/** One sentence for each rule. */
export function describeRules(rules: Guardrail["rules"], timeZone: string): readonly string[] {
  const list = (names: readonly string[]) => names.join(", ") || t("rule.nothing");
  const { allowedModels, allowedProviders, allowedAddresses, allowedHours: hours } = rules;
  const { maxInputUsdPerMillion: input, maxOutputUsdPerMillion: output, maxCallUsd: call } = rules;
  return [
    allowedModels !== null && t("rule.models", { names: list(allowedModels) }),
    allowedProviders !== null && t("rule.providers", { names: list(allowedProviders) }),
    input !== null && t("rule.input", { usd: `$${input}` }),
    output !== null && t("rule.output", { usd: `$${output}` }),
    call !== null && t("rule.call", { usd: `$${call}` }),
    rules.denyTraining && t("rule.training"),
    rules.denyRetention && t("rule.retention"),
    allowedAddresses !== null && t("rule.addresses", { names: list(allowedAddresses) }),
    hours !== null &&
      t("rule.hours", {
        days: hours.days.map((day) => t(`day.${day}`)).join(", "),
        from: hours.from,
        until: hours.until,
        timeZone,
      }),
  ].filter((text) => text !== false);
}
