// What each API enforces of the fields of a request, from their rows: a value of the wrong kind, a field that it never
// honors, and a name that an upstream could mistake for a field of its own are refused.
import type { JsonObject } from "@turnpike/base";
import { unsupported } from "../checks/body-fault.ts";
import type { FieldBounds } from "../checks/bounds.ts";
import { noPath, type Rule } from "../checks/check-value.ts";
import { foldCase } from "../json/parse-json-body.ts";
import type { Api } from "../protocol/languages.ts";
import { columnOf, namesWhere } from "./field-table.ts";
import type { ApiField, RequestField } from "./request-field.ts";

export type FieldRules = ReadonlyMap<string, Rule>;

/** Of the fields that an API checks, without those that its parser reads first. */
export function rulesOf(api: Api): FieldRules {
  return columnOf((field) => (field.of[api]?.isReadByParser ? undefined : ruleIn(field, api)));
}

/** What keeps its name in a translation is what it is in a chat completion. */
function ruleIn({ of, rule }: RequestField, api: Api): Rule | undefined {
  const isAsInChat = api === "responses" || (api === "messages" && rule === "preference");
  return of[api]?.check ?? (isAsInChat ? of.chat?.check : undefined);
}

/** The rule of a field that the parser of an API reads first. */
export function ruleOf(api: Api, name: string): Rule {
  const rule = checks.get(name)?.[api]?.check;
  if (rule === undefined) throw new Error(`${api} has no rule for ${name}`);
  return rule;
}

const checks = columnOf(({ of }) => of);

/** Throws the Fault of the first value that breaks its rule. Without paths it says only that something is refused. */
export function checkFields(rules: FieldRules, body: JsonObject, withPaths = true): void {
  for (const key in body) {
    const value = body[key];
    if (value !== null) rules.get(key)?.(value, withPaths ? key : noPath);
  }
}

export type Refusals = ReadonlyMap<string, NonNullable<ApiField["refused"]>>;

export function refusalsOf(api: Api): Refusals {
  return columnOf(({ of, names }) => {
    const refused = of[api]?.refused;
    const moved = api === "responses" ? names?.responses : undefined;
    if (refused !== undefined || moved === undefined) return refused;
    return { why: `In the Responses API, this parameter has moved to '${moved}'.` };
  });
}

/** Throws the Fault of the first field of `body` that is never honored. */
export function assertNoRefusedField(refusals: Refusals, body: JsonObject): void {
  for (const name in body) {
    const value = body[name] ?? null;
    const refused = value === null ? undefined : refusals.get(name);
    if (refused !== undefined && refused.unless?.(value) !== true) {
      throw unsupported(name, refused.why);
    }
  }
}

/**
 * Finds the field that a key would be mistaken for by an upstream that ignores case, as servers written in Go do
 * (`Max_Tokens`); undefined for a field's own name and for every other key.
 */
export function lookalikesOf(api: Api): (key: string) => string | undefined {
  const names = namesWhere(({ of, price }) => {
    const changesPrice = api === "chat" && price !== undefined;
    return of[api]?.isExactName === true || of[api]?.price !== undefined || changesPrice;
  });
  const nameOfFolded = new Map(names.map((name) => [foldCase(name), name]));
  return (key) => {
    const name = nameOfFolded.get(foldCase(key));
    return name === key ? undefined : name;
  };
}

/** What an API enforces of each field that is included. */
export function fieldBoundsOf(
  api: Api,
  isIncluded: (field: RequestField, name: string) => boolean,
): FieldBounds {
  const bounds = columnOf((field, name) => {
    const of = field.of[api];
    return isIncluded(field, name) ? (of?.check?.bounds ?? of?.bounds) : undefined;
  });
  return Object.fromEntries(bounds);
}
