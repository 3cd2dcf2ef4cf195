// Which routes of a model the guardrails of a caller allow: the others are not planned. What the catalog does not
// say of a route counts as if the provider did it.
import {
  boundExtras,
  highestRates,
  type Model,
  type ModelRequest,
  pricesOfCall,
  type Route,
} from "@turnpike/catalog";
import {
  type BrokenRule,
  describeRule,
  type Guardrails,
  guardrailFault,
  nameOwner,
} from "@turnpike/keys";
import { formatUsd, type Nanos, toNanos } from "@turnpike/terms";

/** Throws `guardrail_blocked`, with the rule that excluded each route, if none is left. */
export function filterByGuardrails(
  modelRequest: ModelRequest,
  routes: Model["routes"],
  guardrails: Guardrails,
): Model["routes"] {
  const excluded: Excluded[] = [];
  const [first, ...others] = routes.filter((route) => {
    const broken = findBroken(modelRequest, route, guardrails);
    if (broken !== undefined) excluded.push({ provider: route.provider.id, ...broken });
    return broken === undefined;
  });
  if (first !== undefined) return [first, ...others];
  throw noneLeft(modelRequest, excluded);
}

/** A broken rule, and what it allows instead, after "only". */
type Broken = BrokenRule & { readonly only: string };
type Excluded = Broken & { readonly provider: string };

function findBroken(
  modelRequest: ModelRequest,
  route: Route,
  { providers, maxInput, maxOutput, denyTraining, denyRetention }: Guardrails,
): Broken | undefined {
  const { id } = route.provider;
  const foreign = providers.find(({ value: allows }) => !allows(id));
  if (foreign !== undefined) {
    const only = "some providers";
    return { rule: "allowed_providers", owner: foreign.owner, only };
  }
  if (denyTraining !== undefined && route.dataCollection !== "deny") {
    const only = "providers that are known not to train on prompts";
    return { rule: "deny_training", owner: denyTraining, only };
  }
  if (denyRetention !== undefined && route.zdr !== true) {
    const only = "providers that are known not to keep prompts";
    return { rule: "deny_retention", owner: denyRetention, only };
  }
  if (maxInput === undefined && maxOutput === undefined) return undefined;
  const { input, output } = highestPrices(modelRequest, route);
  if (maxInput !== undefined && input > maxInput.value) {
    const only = upTo(maxInput.value, "input");
    return { rule: "max_input_usd_per_million", owner: maxInput.owner, only };
  }
  if (maxOutput !== undefined && output > maxOutput.value) {
    const only = upTo(maxOutput.value, "output");
    return { rule: "max_output_usd_per_million", owner: maxOutput.owner, only };
  }
  return undefined;
}

/** Of everything that a token of this call can be billed at. */
function highestPrices(modelRequest: ModelRequest, route: Route) {
  const extras = boundExtras(modelRequest);
  const highest = { input: 0n, output: 0n };
  for (const price of pricesOfCall(modelRequest, route)) {
    const { inputNanosPerMillion, outputNanosPerMillion } = highestRates(price, extras);
    if (inputNanosPerMillion > highest.input) highest.input = inputNanosPerMillion;
    if (outputNanosPerMillion > highest.output) highest.output = outputNanosPerMillion;
  }
  return highest;
}

function upTo(nanos: Nanos, what: string): string {
  return `prices of up to $${formatUsd(toNanos(nanos))} per million ${what} tokens`;
}

function noneLeft({ model }: ModelRequest, excluded: readonly Excluded[]) {
  const [first] = excluded;
  if (first === undefined) throw new Error("a model without routes");
  const { rule, owner, only } = first;
  const by = excluded.map(({ provider, ...broken }) => ({ provider, ...describeRule(broken) }));
  return guardrailFault(
    { rule, owner },
    `No provider of \`${model.id}\` may be called: ${nameOwner(owner)} allows only ${only}.`,
    { excluded: by },
  );
}
