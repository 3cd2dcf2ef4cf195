// Puts what the server enforces into the published schemas of requests. What they say by hand of bounds does not count:
// it is replaced where a rule checks the field, and left out where none does, with the listed values as examples.
import { isDeepStrictEqual } from "node:util";
import type { Bounds, FieldBounds, TextBounds } from "@turnpike/wire";
import type { Schema, Schemas } from "./describe-route.ts";

type Options = {
  /** By the name of a schema, those of its fields. */
  readonly requests: Readonly<Record<string, FieldBounds>>;
  /** Names of schemas that answers have too: they stay as they are there. */
  readonly answered: ReadonlySet<string>;
};

/** Changes `schemas`: those of `requests`, and what these refer to. */
export function stateBounds(schemas: Schemas, { requests, answered }: Options): void {
  const writer = new BoundsWriter(schemas, answered);
  for (const [name, properties] of Object.entries(requests)) {
    writer.stateNamed(name, { object: { properties } });
  }
}

/** Of JSON Schema: what counts where `if` does. */
const thenWord = "then";
const prefix = "#/components/schemas/";

class BoundsWriter {
  readonly #original: Readonly<Schemas>;
  readonly #written = new Map<string, Schema>();
  readonly #open = new Set<string>();

  constructor(
    readonly schemas: Schemas,
    readonly answered: ReadonlySet<string>,
  ) {
    this.#original = { ...schemas };
  }

  /** A schema to be used instead of the one of that name, if that is an answer's or has other bounds already. */
  stateNamed(name: string, bounds: Bounds): Schema | undefined {
    const original = this.#original[name];
    if (original === undefined || this.#open.has(name)) return undefined;
    this.#open.add(name);
    const stated = this.#state(original, bounds);
    this.#open.delete(name);
    const isAnswer = this.answered.has(name);
    const known = this.#written.get(name) ?? (isAnswer ? original : stated);
    if (!isDeepStrictEqual(known, stated)) return stated;
    if (isAnswer) return undefined;
    this.#written.set(name, stated);
    this.schemas[name] = stated;
    return undefined;
  }

  #state(schema: Schema, bounds: Bounds): Schema {
    if (typeof schema.$ref === "string") {
      const own = this.stateNamed(schema.$ref.slice(prefix.length), bounds);
      if (own === undefined) return schema;
      const { $ref: _, ...beside } = schema;
      return { ...own, ...beside };
    }
    const asked = boundsHere(schema, bounds);
    return {
      ...withBounds(schema, asked),
      ...this.#stateParts(schema, asked),
      ...this.#stateFields(schema, asked),
    };
  }

  #stateParts(schema: Schema, bounds: Bounds): Schema {
    const parts: Record<string, unknown> = {};
    for (const way of ["anyOf", "oneOf", "allOf"] as const) {
      const options = schemasOf(schema[way]);
      if (options === undefined) continue;
      parts[way] = options.map((one, index) => {
        if ("if" in one) return this.#stateBranch(one, bounds);
        return this.#state(one, bounds.forms?.[index] ?? bounds);
      });
    }
    if (isSchema(schema.items)) {
      parts.items = this.#state(schema.items, bounds.list?.items ?? {});
    }
    return parts;
  }

  #stateFields(schema: Schema, { object = {}, kinds }: Bounds): Schema {
    const { properties = {}, values } = object;
    const stated: Record<string, unknown> = {};
    if (isSchema(schema.properties)) {
      const fields = Object.entries(schema.properties).map(([name, field]) => {
        if (!isSchema(field)) return [name, field];
        if (name === kinds?.tag) return [name, withTag(field, kinds)];
        return [name, this.#state(field, properties[name] ?? values ?? {})];
      });
      stated.properties = Object.fromEntries(fields);
    }
    const { additionalProperties: others } = schema;
    if (isSchema(others)) stated.additionalProperties = this.#state(others, values ?? {});
    return stated;
  }

  /** What counts only for one kind of an object. */
  #stateBranch(branch: Schema, { kinds }: Bounds): Schema {
    const name = isSchema(branch.if) && kinds && tagOf(branch.if, kinds.tag);
    if (!name || !isSchema(branch.then)) return branch;
    return { ...branch, [thenWord]: this.#state(branch.then, kinds.shapes[name] ?? {}) };
  }
}

/** With the fields of the kind that it is, or of all kinds that agree on them. */
function boundsHere(schema: Schema, bounds: Bounds): Bounds {
  const { kinds } = bounds;
  if (kinds === undefined || !isSchema(schema.properties)) return bounds;
  const name = tagOf(schema, kinds.tag);
  if (name !== undefined) return kinds.shapes[name] ?? {};
  const listed = listedIn(schema.properties[kinds.tag]);
  const found = Object.entries(kinds.shapes).flatMap(([kind, shape]) =>
    listed?.includes(kind) === false ? [] : Object.entries(shape.object?.properties ?? {}),
  );
  const agreed = found.filter(([field, one]) =>
    found.every(([other, two]) => other !== field || isDeepStrictEqual(one, two)),
  );
  return { ...bounds, object: { properties: Object.fromEntries(agreed) } };
}

/** The names of all kinds, or those of them that are described here. */
function withTag(field: Schema, { shapes, isOpen = false }: NonNullable<Bounds["kinds"]>): Schema {
  const listed = listedIn(field);
  if (isOpen || field.const !== undefined) return field;
  const names = Object.keys(shapes).filter((name) => listed?.includes(name) ?? true);
  return { ...field, enum: names };
}

function listedIn(field: unknown): readonly unknown[] | undefined {
  return isSchema(field) && Array.isArray(field.enum) ? field.enum : undefined;
}

function tagOf({ properties }: Schema, tag: string): string | undefined {
  const field = isSchema(properties) ? properties[tag] : undefined;
  if (!isSchema(field)) return undefined;
  const [name] = [field.const, ...(Array.isArray(field.enum) ? field.enum : [])].filter(Boolean);
  const isTag = field.const !== undefined || isOneValue(field.enum);
  return isTag ? String(name) : undefined;
}

/** A field of one value says of which kind an object is. */
function isOneValue(values: unknown): boolean {
  return Array.isArray(values) && values.filter((value) => value !== null).length === 1;
}

const sizeWords = ["minimum", "maximum", "minItems", "maxItems", "maxProperties", "propertyNames"];
const textWords = ["minLength", "maxLength", "pattern", "enum"];

function withBounds(schema: Schema, { text, number, list, object = {} }: Bounds): Schema {
  const kinds = kindsOf(schema);
  return {
    ...withTextBounds(without(schema, sizeWords), kinds.includes("text") ? text : undefined),
    ...(kinds.includes("number") && number),
    ...(kinds.includes("list") && list && without(list, ["items"])),
    ...(kinds.includes("object") && without(object, ["properties", "values"])),
  };
}

function without(schema: Schema, words: readonly string[]): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([word]) => !words.includes(word)));
}

function withTextBounds(schema: Schema, text: TextBounds = {}): Schema {
  const { enum: listed } = schema;
  const others = without(schema, textWords);
  const { enum: taken, ...words } = text;
  if (taken !== undefined) {
    return { ...others, enum: [...taken, ...(isNullable(schema) ? [null] : [])] };
  }
  if (!Array.isArray(listed)) return { ...others, ...words };
  if (isOneValue(listed)) return { ...others, enum: listed };
  const type = schema.type ?? (isNullable(schema) ? ["string", "null"] : "string");
  return { ...others, type, ...words, examples: listed.filter((value) => value !== null) };
}

function isNullable({ type, enum: listed }: Schema): boolean {
  return [type].flat().includes("null") || (Array.isArray(listed) && listed.includes(null));
}

type Kind = "text" | "number" | "list" | "object";
const kindOfType: ReadonlyMap<unknown, Kind> = new Map([
  ["string", "text"],
  ["number", "number"],
  ["integer", "number"],
  ["array", "list"],
  ["object", "object"],
]);

/** Of values that it describes itself, not in its parts. */
function kindsOf({ type, enum: listed, properties, items }: Schema): readonly Kind[] {
  const types = type ?? (listed && "string") ?? (properties && "object") ?? (items && "array");
  return [types].flat().flatMap((one) => kindOfType.get(one) ?? []);
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function schemasOf(value: unknown): readonly Schema[] | undefined {
  return Array.isArray(value) ? value.filter(isSchema) : undefined;
}

/** Names of all schemas that `node` refers to, at any depth. */
export function namesReferredTo(node: unknown, schemas: Schemas): ReadonlySet<string> {
  const names = new Set<string>();
  const walk = (text: string) => {
    for (const [, name = ""] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (names.has(name)) continue;
      names.add(name);
      walk(JSON.stringify(schemas[name]) ?? "");
    }
  };
  walk(JSON.stringify(node) ?? "");
  return names;
}
