// The fields of a schema of `/openapi.json`, each with its type in words and, when asked, the fields inside it.

export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
};

export type Field = {
  /** Of one kind of a union, what its tag may be. */
  readonly name: string;
  readonly required: boolean;
  readonly description: string | undefined;
  readonly type: string;
  readonly schema: Schema;
  /** Schemas may contain themselves, so it is asked for level by level. */
  readonly inside: () => readonly Field[];
};

/** What a reference leads to; every other schema is itself. */
export type Resolve = (schema: Schema) => Schema;

/** Required ones first. Of a union whose parts have a tag, the parts; of any other, the fields of all its parts. */
export function fieldsOf(schema: Schema, resolve: Resolve): readonly Field[] {
  const kinds = kindsOf(schema, resolve);
  if (kinds.length > 1) return kinds;
  const always = partsOf(schema, resolve, ["allOf"]);
  const required = new Set(always.flatMap((part) => part.required ?? []));
  const parts = partsOf(schema, resolve, ["allOf", "anyOf", "oneOf"]);
  // Where several parts have a field, the first one says what it is.
  const found = parts.flatMap((part) => Object.entries(part.properties ?? {})).toReversed();
  return [...new Map(found)]
    .toReversed()
    .map(([name, field]) => fieldOf(name, field, required.has(name), resolve))
    .sort((one, other) => Number(other.required) - Number(one.required));
}

export function fieldOf(name: string, field: Schema, required: boolean, resolve: Resolve): Field {
  const schema = resolve(field);
  return {
    name,
    required,
    description: field.description ?? schema.description,
    type: describeType(schema, resolve),
    schema,
    inside: () => fieldsOf(schema, resolve),
  };
}

/** The parts of a union as fields; empty unless each part that is an object has a tag. */
function kindsOf(schema: Schema, resolve: Resolve): readonly Field[] {
  const parts = partsOf(schema, resolve, ["anyOf", "oneOf"]).filter((part) => part.properties);
  const kinds = parts.map((part) => {
    const name = tagOf(part);
    return name === undefined ? [] : [{ ...fieldOf(name, part, false, resolve), type: "" }];
  });
  return kinds.every(({ length }) => length > 0) ? kinds.flat() : [];
}

function tagOf({ properties }: Schema): string | undefined {
  const tags = [properties?.type, properties?.role].flatMap((tag) => {
    const { const: only, enum: values = [] } = tag ?? {};
    return only === undefined ? values : [only];
  });
  return tags.length > 0 ? tags.join(", ") : undefined;
}

type Way = "allOf" | "anyOf" | "oneOf";

const deepest = 5;

/** With what the items of a list are, and the values of a map. */
function partsOf(
  schema: Schema,
  resolve: Resolve,
  ways: readonly Way[],
  depth = 0,
): readonly Schema[] {
  if (depth > deepest) return [];
  const { items, additionalProperties: values } = schema;
  const inside = [
    ...ways.flatMap((way) => schema[way] ?? []),
    ...(items === undefined ? [] : [items]),
    ...(typeof values === "object" ? [values] : []),
  ];
  return [schema, ...inside.flatMap((part) => partsOf(resolve(part), resolve, ways, depth + 1))];
}

export function describeType(schema: Schema, resolve: Resolve): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return listValues(schema.enum);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) {
    // Where any string will do, the listed ones are examples of another installation.
    const isOpen = options.some((one) => one.type === "string" && one.enum === undefined);
    const told = options.filter((one) => !(isOpen && one.enum));
    const types = told.map((one) => describeType(resolve(one), resolve));
    return [...new Set(types.filter(Boolean))].join(" or ");
  }
  const type = [schema.type ?? (schema.properties ? "object" : "")].flat().join(" or ");
  return schema.format ? `${type} (${schema.format})` : type;
}

const valuesMax = 8;

/** Of many, such as models, examples. */
function listValues(values: readonly unknown[]): string {
  const shown = values.slice(0, valuesMax).map((one) => JSON.stringify(one));
  return [...shown, ...(values.length > valuesMax ? ["…"] : [])].join(", ");
}
