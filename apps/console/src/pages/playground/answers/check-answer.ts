// Compares an answer with the JSON Schema it was asked for, and makes a sample of one.
import { Validator } from "@cfworker/json-schema";
import { asList, asRecord } from "../../../product/completions/parse-chunk.ts";

type Schema = Readonly<Record<string, unknown>>;

const mistakesMax = 8;

/** They only say that something inside is wrong, which is listed, too. */
const outer = new Set([
  "properties",
  "items",
  "prefixItems",
  "additionalProperties",
  "$ref",
  "allOf",
]);

/** What is wrong, each with its place; empty if the value fits. `schema` is JSON. */
export function checkAnswer(schema: string, value: unknown): readonly string[] {
  const found = findErrors(schema, value);
  if (typeof found === "string") return [found];
  const forks = found.filter(({ keyword }) => keyword === "anyOf" || keyword === "oneOf");
  // Why each of several forms does not fit helps nobody.
  const isInFork = (place: string) =>
    forks.some(({ keywordLocation }) => place.startsWith(`${keywordLocation}/`));
  return found
    .filter(({ keyword, keywordLocation }) => !outer.has(keyword) && !isInFork(keywordLocation))
    .slice(0, mistakesMax)
    .map(({ instanceLocation, keyword, error }) => {
      const at = instanceLocation.slice(1);
      return keyword === "false" ? `${at} is not allowed.` : `${at || "/"}: ${error}`;
    });
}

/** A sentence if the schema itself cannot be used. */
function findErrors(schema: string, value: unknown) {
  try {
    return new Validator(JSON.parse(schema), "2020-12", false).validate(value).errors;
  } catch {
    return "The schema refers to something that it does not define, or only to itself.";
  }
}

type Walk = { readonly root: Schema; readonly depth: number };

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
  const [first] = [schema.const, ...asList(schema.enum), schema.default].filter(
    (one) => one !== undefined,
  );
  if (first !== undefined) return first;
  if (walk.depth > 4) return null;
  const next = { ...walk, depth: walk.depth + 1 };
  const [form] = asList(schema.anyOf ?? schema.oneOf);
  if (form !== undefined) return sample(next, form);
  const type = String(asList(schema.type)[0] ?? schema.type ?? "object");
  if (type === "string") return "text";
  if (type === "boolean") return true;
  if (type === "null") return null;
  if (type === "array") return [sample(next, schema.items)];
  if (type !== "object") return typeof schema.minimum === "number" ? schema.minimum : 1;
  const fields = Object.entries(asRecord(schema.properties));
  return Object.fromEntries(fields.map(([name, part]) => [name, sample(next, part)]));
}
