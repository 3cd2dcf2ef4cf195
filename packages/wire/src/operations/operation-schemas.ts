// The schemas of the requests of operations, made of the same tables of fields that check them, so that what `/openapi.json`
// says is what is enforced.
import type { Operation } from "@turnpike/terms";
import type { Bounds } from "../checks/bounds.ts";
import { boolean } from "../checks/check-value.ts";
import { commonTexts, ownTexts } from "../fields/operations/field-texts.ts";
import type { OperationField } from "../fields/operations/operation-field.ts";
import { operationFields } from "../fields/operations/operation-fields.ts";

type Schema = Readonly<Record<string, unknown>>;

const requiredFields: Readonly<Partial<Record<Operation, readonly string[]>>> = {
  image: ["model", "prompt"],
  speech: ["model", "input"],
  transcription: ["model"],
  rerank: ["model", "query", "documents"],
  moderation: ["input"],
};

/** Of each operation whose requests have a closed set of fields, in JSON. */
export function describeOperationRequest(operation: Operation): Schema {
  const fields = Object.entries(operationFields[operation] ?? {});
  const texts = { ...commonTexts, ...ownTexts[operation] };
  const required = requiredFields[operation] ?? [];
  const properties = fields.map(([name, field]) => {
    const text = texts[name];
    if (text === undefined) throw new Error(`nothing is said about ${operation} ${name}`);
    const said = typeof text === "string" ? { description: text } : text;
    const isNullable = !required.includes(name);
    return [name, { ...schemaOf(field, isNullable), ...said }];
  });
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required,
    additionalProperties: false,
  };
}

/** The same as a form, with what only forms have: files, by the names of their fields. */
export function describeOperationForm(
  operation: Operation,
  files: Readonly<Record<string, string>>,
): Schema {
  const { properties, required } = describeOperationRequest(operation);
  const binary = Object.entries(files).map(([name, description]) => [
    name,
    { description, type: "string", format: "binary" },
  ]);
  const [first = []] = Object.keys(files).map((name) => [name]);
  return {
    type: "object",
    properties: { ...Object(properties), ...Object.fromEntries(binary) },
    required: [...(Array.isArray(required) ? required : []), ...first],
  };
}

function schemaOf({ check }: OperationField, isNullable: boolean): Schema {
  if (check === boolean) return { type: withNull("boolean", isNullable) };
  const forms = formsOf(check.bounds, isNullable);
  const [only = {}] = forms;
  return forms.length > 1 ? { anyOf: forms } : only;
}

/** One for each kind of value that it takes. */
function formsOf({ text, number, list, object }: Bounds, isNullable: boolean): readonly Schema[] {
  const forms: Schema[] = [];
  if (text?.enum !== undefined) {
    forms.push({ enum: [...text.enum, ...(isNullable ? [null] : [])] });
  } else if (text !== undefined) {
    forms.push({ type: withNull("string", isNullable), ...text });
  }
  if (number !== undefined) forms.push({ type: withNull("number", isNullable), ...number });
  if (list !== undefined) {
    const { items = {}, ...bounds } = list;
    const [item = {}] = formsOf(items, false);
    forms.push({ type: withNull("array", isNullable), ...bounds, items: item });
  }
  if (object !== undefined) forms.push({ type: withNull("object", isNullable) });
  return forms;
}

function withNull(type: string, isNullable: boolean) {
  return isNullable ? [type, "null"] : type;
}
