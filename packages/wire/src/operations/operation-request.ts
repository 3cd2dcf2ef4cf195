// What requests of every operation beside chat and embeddings have in common. Their fields are a closed set: each is read, or
// refused by name, because an unknown one may change what an upstream does and what that costs.
import { Fault, type JsonObject } from "@turnpike/base";
import { maxCostBounds } from "../caller/parse-max-cost.ts";
import type { RoutingPreferences } from "../caller/parse-provider-preferences.ts";
import { parseFallbackModels, parseRouting, routingBounds } from "../caller/parse-routing.ts";
import { missing, unsupported } from "../checks/body-fault.ts";
import type { Bounds } from "../checks/bounds.ts";
import { anyText, boolean, object, type Rule, rule, text } from "../checks/check-value.ts";
import { checkFields } from "../fields/check-fields.ts";
import type { JsonMembers } from "../json/edit-json-object.ts";
import { assertStorableText, parseJsonBody } from "../json/parse-json-body.ts";

/** How much a request asks to be read. */
export type InputSize = {
  /** How many inputs are processed on their own: of embeddings, one vector each. */
  readonly inputCount: number;
  /** UTF-8 bytes of all text inputs, before JSON escapes, as often as each is read. */
  readonly textBytes: number;
  /** The text inputs, one entry each. */
  readonly texts: readonly string[];
  /** How many tokens each input has that is an array of tokens. */
  readonly tokenCounts: readonly number[];
  /** A text that is read with each input, such as the query of a reranker. */
  readonly repeatedText?: string;
};

export type OperationRequest<Name extends string> = InputSize & {
  readonly operation: Name;
  readonly language: string;
  /** The body as received. */
  readonly raw: string;
  readonly members: JsonMembers;
  readonly parsed: JsonObject;
  /** About what it takes in memory besides its text and the texts in `parsed`. */
  readonly parsedBytes?: number;
  readonly model: string;
  readonly stream: boolean;
  /** The caller's own JSON of what it is about. */
  readonly promptStart: () => string;
  /** Which providers may answer; undefined if the caller leaves that to the gateway. */
  readonly routing: RoutingPreferences | undefined;
  /** None: the answers of two models cannot be compared. */
  readonly fallbackModels: readonly [];
};

/** One field of an operation's requests. */
export type OperationField = {
  readonly check: Rule;
  /** A provider that has nothing like it is asked without it. */
  readonly isPreference?: true;
  /** Read here, and sent to no provider. */
  readonly isOurs?: true;
};

export type OperationFields = Readonly<Record<string, OperationField>>;

const routed = (bounds: Bounds | undefined): OperationField => ({
  check: rule(bounds ?? {}, () => undefined),
  isOurs: true,
});

const commonFields: OperationFields = {
  model: { check: text({ nonEmpty: true, maxLength: 256 }) },
  provider: routed(routingBounds.provider),
  models: routed(routingBounds.models),
  route: routed(routingBounds.route),
  max_cost: routed(maxCostBounds),
  session_id: { check: text({ maxLength: 256 }), isOurs: true },
  trace: { check: object({}), isOurs: true },
  usage: { check: object({ optional: { include: boolean } }), isOurs: true },
  user: { check: anyText, isPreference: true },
  safety_identifier: { check: text({ maxLength: 128 }), isPreference: true },
};

/** All fields of an operation: those that every one has, and its own. */
export function withCommonFields(own: OperationFields): OperationFields {
  return { ...commonFields, ...own };
}

type CommonPart = Omit<
  OperationRequest<string>,
  keyof InputSize | "operation" | "language" | "stream" | "promptStart"
>;

const noFallbackModels = [] as const;

/**
 * Reads what every operation has, and checks all fields. Throws the Fault that names the invalid field. `defaultModel` is what a
 * request without a model means, if it may be without.
 */
export function parseOperationBody(
  raw: string,
  fields: OperationFields,
  defaultModel?: string,
): CommonPart {
  const { members, parsed, structureBytes } = parseJsonBody(raw);
  const { model = defaultModel } = parsed;
  if (model === undefined) throw missing("model");
  assertKnownFields(parsed, fields);
  checkFields(rulesOfOperation(fields), parsed);
  if (parseFallbackModels(parsed).length > 0) {
    throw unsupported("models", "The answers of two models cannot be compared.");
  }
  assertStorableText(raw, parsed);
  return {
    raw,
    members,
    parsed,
    parsedBytes: structureBytes,
    model: typeof model === "string" ? model : "",
    routing: parseRouting(parsed),
    fallbackModels: noFallbackModels,
  };
}

/** A field that is not known could change what is done, or what it costs. */
function assertKnownFields(parsed: JsonObject, fields: OperationFields): void {
  for (const name in parsed) {
    if (Object.hasOwn(fields, name) || (parsed[name] ?? null) === null) continue;
    const meant = Object.keys(fields).find((field) => field === name.toLowerCase());
    const advice = meant === undefined ? "Remove it." : `Did you mean '${meant}'?`;
    throw new Fault("unknown_parameter", `Unknown parameter: '${name}'. ${advice}`, {
      param: name,
    });
  }
}

const rulesOf = new WeakMap<OperationFields, ReadonlyMap<string, Rule>>();

function rulesOfOperation(fields: OperationFields): ReadonlyMap<string, Rule> {
  let rules = rulesOf.get(fields);
  if (rules === undefined) {
    rules = new Map(Object.entries(fields).map(([name, { check }]) => [name, check]));
    rulesOf.set(fields, rules);
  }
  return rules;
}

/** The preferences that a request has, for a dialect that leaves some out and names them. */
export function givenPreferences(parsed: JsonObject, fields: OperationFields): readonly string[] {
  return Object.keys(parsed).filter(
    (name) => fields[name]?.isPreference === true && (parsed[name] ?? null) !== null,
  );
}
