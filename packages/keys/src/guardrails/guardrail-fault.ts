// The refusals of guardrails. Each names the rule, whose rule it is and who can change it.
import { Fault, type FaultCode, isInRanges } from "@turnpike/base";
import type { RefusedRule } from "@turnpike/db";
import type { GuardrailKind } from "@turnpike/terms";
import {
  describeHours,
  type Guardrails,
  isWithinHours,
  type RuleOwner,
} from "./compile-guardrails.ts";

/** As the fields of the management API are called. */
export type RuleName =
  | "allowed_models"
  | "allowed_providers"
  | "max_input_usd_per_million"
  | "max_output_usd_per_million"
  | "max_call_usd"
  | "deny_training"
  | "deny_retention"
  | "allowed_addresses"
  | "allowed_hours";

const codes: Readonly<Partial<Record<RuleName, FaultCode>>> = {
  allowed_models: "model_not_allowed",
  allowed_addresses: "address_not_allowed",
};

const changers: Readonly<Record<GuardrailKind, string>> = {
  account: "an owner or admin of the account",
  project: "an owner or admin of the account",
  key: "the member who created the key, or an owner or admin of the account",
};

export type BrokenRule = { readonly rule: RuleName; readonly owner: RuleOwner };

/** The Fault of a broken rule; `sentence` says what it does not allow. */
export function guardrailFault(
  { rule, owner }: BrokenRule,
  sentence: string,
  facts: Readonly<Record<string, unknown>> = {},
): Fault {
  const changedBy = changers[owner.kind];
  const metadata = { limit_source: "guardrail", ...describeRule({ rule, owner }), ...facts };
  return new Fault(
    codes[rule] ?? "guardrail_blocked",
    `${sentence} This rule (${rule}) can be changed by ${changedBy}.`,
    { metadata: { ...metadata, changed_by: changedBy } },
  );
}

/** Undefined unless the fault is one of `guardrailFault`, with both members. */
export function brokenRuleOf({ details }: Fault): RefusedRule | undefined {
  const { limit_source: source, rule_of: kind, rule } = details.metadata ?? {};
  return source === "guardrail" ? ({ kind, rule } as RefusedRule) : undefined;
}

/** What a caller is told of a rule. */
export function describeRule({ rule, owner }: BrokenRule) {
  return { rule, rule_of: owner.kind, ...(owner.kind === "project" && { project: owner.name }) };
}

export function nameOwner({ kind, name }: RuleOwner): string {
  if (kind === "project") return `the project ${name}`;
  return kind === "key" ? "this API key" : "this account";
}

/** At the beginning of a sentence. */
function subjectOf(owner: RuleOwner): string {
  const name = nameOwner(owner);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** `model` is the id of the catalog. Throws `model_not_allowed`. */
export function requireAllowedModel({ models }: Guardrails, model: string): void {
  const broken = models.find(({ value: allows }) => !allows(model));
  if (broken === undefined) return;
  throw guardrailFault(
    { rule: "allowed_models", owner: broken.owner },
    `${subjectOf(broken.owner)} may not use the model \`${model}\`.`,
  );
}

/** Throws `address_not_allowed`. */
export function requireAllowedAddress({ addresses }: Guardrails, address: string): void {
  const broken = addresses.find(({ value: ranges }) => !isInRanges(address, ranges));
  if (broken === undefined) return;
  throw guardrailFault(
    { rule: "allowed_addresses", owner: broken.owner },
    `${subjectOf(broken.owner)} may not be used from ${address}.`,
  );
}

/** Throws `guardrail_blocked` outside the allowed hours. */
export function requireAllowedHours({ hours, clock }: Guardrails, at = new Date()): void {
  const broken = hours.find(({ value }) => !isWithinHours(value, clock, at));
  if (broken === undefined) return;
  throw guardrailFault(
    { rule: "allowed_hours", owner: broken.owner },
    `${subjectOf(broken.owner)} may only be used on ${describeHours(broken.value)} (${clock.timeZone}).`,
  );
}
