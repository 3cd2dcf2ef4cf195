// `supported_parameters` of a model, and which member of a request a model is not known to support: both are read from
// the rows of the table, so that `/v1/models` lists what `require_parameters` routes by.
import type { JsonObject } from "@turnpike/base";
import type { Operation } from "@turnpike/terms";
import { columnOf, namesWhere } from "./field-table.ts";
import { asksForNothing, isDocumentedField } from "./known-fields.ts";
import { parametersOfOperation } from "./operations/operation-fields.ts";
import type { Listing, NeededRate } from "./request-field.ts";

/** What decides which parameters a model has. */
export type ParameterFacts = {
  readonly operation: Operation;
  readonly capabilities: readonly string[];
  readonly price: Readonly<Partial<Record<NeededRate, unknown>>>;
};

const listings = columnOf(({ listed }) => listed);
const apiFields = columnOf(({ of }) => of);
const otherNames = columnOf(({ alsoListedAs }) => alsoListedAs);
const fieldOfOther = new Map([...otherNames].map(([name, other]) => [other, name]));

const takenEverywhere: ReadonlySet<string> = new Set(
  namesWhere(({ isTakenEverywhere }) => isTakenEverywhere === true),
);

/** The field that a name in the list stands for. */
export function fieldOfParameter(name: string): string {
  return fieldOfOther.get(name) ?? name;
}

/** The parameters that a model supports besides `model`, `stream` and its input, if its provider does. */
export function supportedParameters(model: ParameterFacts): string[] {
  const { operation, capabilities } = model;
  if (operation !== "chat" && operation !== "embeddings") {
    return parametersOfOperation(operation, capabilities);
  }
  const names: string[] = [];
  for (const [name, listing] of listings) {
    if (apiFields.get(name)?.[operation] === undefined || !isListed(listing, model)) continue;
    names.push(name);
    const other = otherNames.get(name);
    if (other !== undefined) names.push(other);
  }
  return names;
}

function isListed(listing: Listing, { capabilities, price }: ParameterFacts): boolean {
  if (typeof listing === "string") return listing === "always";
  if ("with" in listing) return capabilities.includes(listing.with);
  if ("without" in listing) return !capabilities.includes(listing.without);
  return price[listing.price] !== undefined;
}

/** The rate without which a field that changes the price is refused; undefined if no rate covers it. */
export function rateOfField(name: string): NeededRate | undefined {
  const listing = listings.get(name);
  return typeof listing === "object" && "price" in listing ? listing.price : undefined;
}

/** Whether a service has it that takes nothing but what OpenAI's own reference has. */
export function isOpenaisParameter(name: string): boolean {
  return isDocumentedField("openai-chat", fieldOfParameter(name));
}

/** The wish to reason, in each of its words. */
export const reasoningParameters: readonly string[] = namesWhere(
  ({ listed }) => typeof listed === "object" && "with" in listed && listed.with === "reasoning",
);

/** The preferences that a catalog lists for models that obey them. Others have no common name. */
export const declarableParameters: readonly string[] = namesWhere(
  ({ rule, listed }) => rule === "preference" && typeof listed === "string",
);

/** For callers who want nothing to be ignored. `supported` are names as `/v1/models` lists them. */
export function findUnsupportedParameter(
  body: JsonObject,
  supported: readonly string[],
): string | undefined {
  return Object.keys(body).find(
    (name) =>
      !takenEverywhere.has(name) && !supported.includes(name) && !asksForNothing(name, body[name]),
  );
}
