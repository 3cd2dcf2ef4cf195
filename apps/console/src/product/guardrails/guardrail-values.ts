// The rules of a guardrail as a form holds them, and as the API takes them.
import type { Weekday } from "@turnpike/terms";
import type { Inputs } from "../../lib/api.ts";
import { namesOf } from "../../lib/names-of.ts";
import { omitEmpty } from "../../lib/omit-empty.ts";
import { linesOf } from "../../lib/typed-text.ts";
import { isUsd, parseUsd } from "../../lib/typed-usd.ts";
import { dayNames, type Guardrail } from "./describe-rules.ts";

type Rules = Guardrail["rules"];
type RulesInput = Inputs["guardrails"]["set"]["rules"];

export type RuleValues = {
  models: string;
  providers: string;
  input: string;
  output: string;
  call: string;
  training: boolean;
  retention: boolean;
  addresses: string;
  from: string;
  until: string;
} & Record<Weekday, boolean>;

export function valuesOf(rules: Rules | undefined): RuleValues {
  const days = rules?.allowedHours?.days ?? [];
  return {
    models: rules?.allowedModels?.join("\n") ?? "",
    providers: rules?.allowedProviders?.join("\n") ?? "",
    input: rules?.maxInputUsdPerMillion ?? "",
    output: rules?.maxOutputUsdPerMillion ?? "",
    call: rules?.maxCallUsd ?? "",
    training: rules?.denyTraining ?? false,
    retention: rules?.denyRetention ?? false,
    addresses: rules?.allowedAddresses?.join("\n") ?? "",
    from: rules?.allowedHours?.from ?? "08:00",
    until: rules?.allowedHours?.until ?? "18:00",
    mon: days.includes("mon"),
    tue: days.includes("tue"),
    wed: days.includes("wed"),
    thu: days.includes("thu"),
    fri: days.includes("fri"),
    sat: days.includes("sat"),
    sun: days.includes("sun"),
  };
}

/** The error of each field; the server validates again. */
export function checkRules(values: RuleValues) {
  const isEmpty = Object.keys(rulesOf(values)).length === 0;
  return {
    models: checkNames(values.models) ?? (isEmpty ? "Set at least one rule." : undefined),
    providers: checkNames(values.providers),
    input: checkAmount(values.input),
    output: checkAmount(values.output),
    call: checkAmount(values.call),
    from: checkTime(values.from),
    until: checkTime(values.until),
  };
}

export function rulesOf(values: RuleValues): RulesInput {
  const days = namesOf(dayNames).filter((day) => values[day]);
  const [from, until] = [values.from.trim(), values.until.trim()];
  return omitEmpty({
    allowedModels: linesOf(values.models),
    allowedProviders: linesOf(values.providers),
    maxInputUsdPerMillion: parseUsd(values.input),
    maxOutputUsdPerMillion: parseUsd(values.output),
    maxCallUsd: parseUsd(values.call),
    denyTraining: values.training || undefined,
    denyRetention: values.retention || undefined,
    allowedAddresses: linesOf(values.addresses),
    allowedHours: days.length > 0 ? { days, from, until } : undefined,
  });
}

function checkNames(text: string): string | undefined {
  return linesOf(text).every((name) => /^[^*]*\*?$/.test(name))
    ? undefined
    : "A wildcard is only possible at the end of a name.";
}

function checkAmount(text: string): string | undefined {
  const usd = parseUsd(text);
  return usd === "" || isUsd(usd, "nanos") ? undefined : "Write an amount like 0.5.";
}

function checkTime(text: string): string | undefined {
  const isTime = /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/.test(text.trim());
  return isTime ? undefined : "Write a time like 08:00.";
}
