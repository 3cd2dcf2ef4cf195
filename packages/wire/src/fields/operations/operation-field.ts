// What the rows of an operation's fields say. The fields of an operation are a closed set: one that is not in its table is refused
// by name, because it may change what an upstream does and what that costs.
import type { JsonObject } from "@turnpike/base";
import { maxCostBounds } from "../../caller/parse-max-cost.ts";
import { routingBounds } from "../../caller/parse-routing.ts";
import type { Bounds } from "../../checks/bounds.ts";
import { anyText, boolean, object, type Rule, rule, text } from "../../checks/check-value.ts";
import type { FieldShapes } from "../../multipart/form-fields.ts";

/** One field of an operation's requests. */
export type OperationField = {
  readonly check: Rule;
  /** A provider that has nothing like it is asked without it. */
  readonly isPreference?: true;
  /** The capability without which a model does not have it. */
  readonly listedWith?: string;
  /** Read here, and sent to no provider. */
  readonly isOurs?: true;
  /** Written anew by a dialect, in a form of its own or not at all: all others are sent on to providers with OpenAI's API. */
  readonly isRewritten?: true;
};

export type OperationFields = Readonly<Record<string, OperationField>>;

const routed = (bounds: Bounds | undefined): OperationField => ({
  check: rule(bounds ?? {}, () => undefined),
  isOurs: true,
});

const commonFields: OperationFields = {
  model: { check: text({ nonEmpty: true, maxLength: 256 }), isRewritten: true },
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

/** What these fields are in a form, in brackets or as JSON. What is in a list or an object of `provider` is sent as JSON. */
const commonShapes: FieldShapes = {
  provider: {
    object: { allow_fallbacks: "boolean", require_parameters: "boolean", zdr: "boolean" },
  },
  models: { list: "text" },
  max_cost: "number",
  trace: { object: {} },
  usage: { object: { include: "boolean" } },
};

/** All shapes of an operation's form: those that every one has, and its own. */
export function withCommonShapes(own: FieldShapes): FieldShapes {
  return { ...commonShapes, ...own };
}

/** All fields of an operation: those that every one has, and its own. */
export function withCommonFields(own: OperationFields): OperationFields {
  return { ...commonFields, ...own };
}

/** The preferences that a request has, for a dialect that leaves some out and names them. */
export function givenPreferences(parsed: JsonObject, fields: OperationFields): readonly string[] {
  return Object.keys(parsed).filter(
    (name) => fields[name]?.isPreference === true && (parsed[name] ?? null) !== null,
  );
}
