// Compares an answer with the JSON Schema it was asked for, and makes a sample of one. Keywords that are not listed here
// are not checked, as providers do not enforce them either.
import { asRecord } from "../shared/read-chunk.ts";

type Schema = Readonly<Record<string, unknown>>;

/** Schemas may refer to themselves. */
const depthMax = 40;
const mistakesMax = 8;

/** What is wrong, each with its place; empty if the value fits. */
export function checkAnswer(schema: unknown, value: unknown): readonly string[] {
  return mistakesOf({ root: asRecord(schema), depth: 0 }, schema, value, "").slice(0, mistakesMax);
}

type Walk = { readonly root: Schema; readonly depth: number };

function mistakesOf(walk: Walk, given: unknown, value: unknown, at: string): readonly string[] {
  if (given === false) return [`${at || "/"} is not allowed`];
  if (walk.depth > depthMax) return [];
  const next = { ...walk, depth: walk.depth + 1 };
  const schema = resolve(walk.root, asRecord(given));
  const anyOf = listOf(schema.anyOf ?? schema.oneOf);
  if (anyOf.length > 0 && !anyOf.some((one) => mistakesOf(next, one, value, at).length === 0))
    return [`${at || "/"} matches none of the allowed forms`];
  const own = valueMistake(schema, value);
  if (own !== undefined) return [`${at || "/"} ${own}`];
  if (Array.isArray(value))
    return value.flatMap((item, index) =>
      schema.items === undefined ? [] : mistakesOf(next, schema.items, item, `${at}/${index}`),
    );
  return typeof value === "object" && value !== null
    ? fieldMistakes(next, schema, asRecord(value), at)
    : [];
}

function fieldMistakes(walk: Walk, schema: Schema, value: Schema, at: string): readonly string[] {
  const properties = asRecord(schema.properties);
  const missing = listOf(schema.required)
    .map(String)
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => `${at}/${name} is missing`);
  const wrong = Object.entries(value).flatMap(([name, field]) => {
    const known = Object.hasOwn(properties, name);
    const part = known ? properties[name] : schema.additionalProperties;
    return part === undefined ? [] : mistakesOf(walk, part, field, `${at}/${name}`);
  });
  return [...missing, ...wrong];
}

function valueMistake(schema: Schema, value: unknown): string | undefined {
  const types = typeof schema.type === "string" ? [schema.type] : listOf(schema.type).map(String);
  if (types.length > 0 && !types.some((type) => isOf(type, value)))
    return `should be ${types.join(" or ")}`;
  const choices = schema.const === undefined ? listOf(schema.enum) : [schema.const];
  const written = JSON.stringify(value);
  if (choices.length > 0 && !choices.some((choice) => JSON.stringify(choice) === written))
    return `should be ${choices.map((choice) => JSON.stringify(choice)).join(" or ")}`;
  const size = sizeOf(value);
  const [least, most] =
    typeof value === "number"
      ? [schema.minimum, schema.maximum]
      : typeof value === "string"
        ? [schema.minLength, schema.maxLength]
        : [schema.minItems, schema.maxItems];
  if (size !== undefined && typeof least === "number" && size < least)
    return `is below the minimum of ${least}`;
  if (size !== undefined && typeof most === "number" && size > most)
    return `is above the maximum of ${most}`;
  return undefined;
}

function sizeOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" || Array.isArray(value) ? value.length : undefined;
}

function isOf(type: string, value: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object")
    return typeof value === "object" && value !== null && !Array.isArray(value);
  return typeof value === type;
}

function resolve(root: Schema, schema: Schema): Schema {
  const { $ref } = schema;
  if (typeof $ref !== "string" || !$ref.startsWith("#")) return schema;
  const steps = $ref.slice(1).split("/").filter(Boolean);
  return steps.reduce<Schema>((part, step) => asRecord(part[step]), root);
}

/** A value that fits the schema, as far as its keywords are known. */
export function sampleOf(schema: unknown): unknown {
  return sample({ root: asRecord(schema), depth: 0 }, schema);
}

function sample(walk: Walk, given: unknown): unknown {
  const schema = resolve(walk.root, asRecord(given));
  const [first] = [schema.const, ...listOf(schema.enum), schema.default].filter(
    (one) => one !== undefined,
  );
  if (first !== undefined) return first;
  if (walk.depth > 4) return null;
  const next = { ...walk, depth: walk.depth + 1 };
  const [form] = listOf(schema.anyOf ?? schema.oneOf);
  if (form !== undefined) return sample(next, form);
  const type = String(listOf(schema.type)[0] ?? schema.type ?? "object");
  if (type === "string") return "text";
  if (type === "boolean") return true;
  if (type === "null") return null;
  if (type === "array") return [sample(next, schema.items)];
  if (type !== "object") return typeof schema.minimum === "number" ? schema.minimum : 1;
  const fields = Object.entries(asRecord(schema.properties));
  return Object.fromEntries(fields.map(([name, part]) => [name, sample(next, part)]));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
