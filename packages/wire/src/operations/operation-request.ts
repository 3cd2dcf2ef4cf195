// What requests of every operation beside chat and embeddings have in common. Their fields are a closed set: each is read, or
// refused by name, because an unknown one may change what an upstream does and what that costs.
import { Fault, type JsonObject } from "@turnpike/base";
import type { RoutingPreferences } from "../caller/parse-provider-preferences.ts";
import { parseFallbackModels, parseRouting } from "../caller/parse-routing.ts";
import { missing, unsupported } from "../checks/body-fault.ts";
import type { Rule } from "../checks/check-value.ts";
import { checkFields } from "../fields/check-fields.ts";
import type { OperationFields } from "../fields/operations/operation-field.ts";
import type { JsonMembers } from "../json/edit-json-object.ts";
import { assertStorableText, parseJsonBody } from "../json/parse-json-body.ts";
import type { InputSize } from "./input-size.ts";

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
