// Texts about the rule of a guardrail that refused a request.
import { createTexts } from "../../lib/create-texts.ts";

const rule = {
  account: "It is a rule of the account: {rule}.",
  project: "It is a rule of the project {name}: {rule}.",
  key: "It is a rule of the API key: {rule}.",
  change: "Change the rules",
  view: "View the rules",
} as const;

const names = {
  allowed_models: "allowed models",
  allowed_providers: "allowed providers",
  max_input_usd_per_million: "price of input tokens",
  max_output_usd_per_million: "price of output tokens",
  max_call_usd: "cost of one call",
  deny_training: "only providers that do not train on prompts",
  deny_retention: "only providers that do not keep prompts",
  allowed_addresses: "allowed addresses",
  allowed_hours: "allowed days and hours",
} as const;

export const t = createTexts({ rule, names });

type Named = keyof typeof names;

function isNamed(rule: string): rule is Named {
  return Object.hasOwn(names, rule);
}

export function nameRule(rule: string): string {
  return isNamed(rule) ? t(`names.${rule}`) : rule;
}
