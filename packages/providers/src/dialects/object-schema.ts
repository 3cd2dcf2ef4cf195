// The schema of a tool's input for providers whose root must be an object without unions. The members of its variants, at
// any depth, become members of the one object, and what they demanded together is told to the model.
import { isObject, type JsonObject } from "@turnpike/base";

const unions = ["allOf", "oneOf", "anyOf"] as const;
/** OpenAI, Anthropic, Kimi and Gemini refuse these at the root. */
const flattened = new Set<string>([...unions, "enum", "const", "not", "$ref"]);

/** Whether the root is an object without unions; any other schema needs `objectSchemaOf`. */
export function isObjectSchema(schema: JsonObject): boolean {
  for (const name of flattened) if (name in schema) return false;
  return schema.type === "object";
}

/** `schema` itself if nothing has to change. */
export function objectSchemaOf(schema: JsonObject): JsonObject {
  return isObjectSchema(schema) ? schema : new FlatObject(schema).written;
}

/** Of unions within unions; those below say nothing. */
const maxDepth = 100;

type Demands = ReadonlySet<unknown>;
const nothing: Demands = new Set();

class FlatObject {
  readonly #source: JsonObject;
  /** The root and the definitions that stand for it: each adds to what is written. */
  readonly #roots: ReadonlySet<JsonObject>;
  /** By name, and each schema once, by its text. */
  readonly #properties = new Map<string, Map<string, unknown>>();
  /** What each schema demands; a definition that refers to itself demands nothing more. */
  readonly #read = new Map<JsonObject, Demands>();
  readonly #told = new Set<string>();
  #isClosed = true;

  constructor(source: JsonObject) {
    this.#source = source;
    const roots = new Set<JsonObject>([source]);
    for (const root of roots) {
      const next = this.#definition(root);
      if (next !== undefined) roots.add(next);
    }
    this.#roots = roots;
  }

  get written(): JsonObject {
    const required = this.#demandsOf(this.#source, 0);
    const written: JsonObject = {};
    for (const root of [...this.#roots].reverse()) {
      for (const name in root) if (!flattened.has(name)) written[name] = root[name];
    }
    written.type = "object";
    written.properties = Object.fromEntries(
      [...this.#properties].map(([name, schemas]) => [name, joinSchemas([...schemas.values()])]),
    );
    if (required.size > 0) written.required = [...required];
    if (!this.#isClosed && written.additionalProperties === false) {
      delete written.additionalProperties;
    }
    if (this.#told.size > 0) {
      const said = typeof written.description === "string" ? [written.description] : [];
      written.description = [...said, ...this.#told].join("\n\n");
    }
    return written;
  }

  /** What is always required where `schema` holds; its properties become those of the object. */
  #demandsOf(schema: JsonObject, depth: number): Demands {
    const known = this.#read.get(schema);
    if (known !== undefined || depth > maxDepth) return known ?? nothing;
    this.#read.set(schema, nothing);
    this.#addProperties(schema);
    let demands: Demands = new Set(Array.isArray(schema.required) ? schema.required : []);
    const definition = this.#definition(schema);
    if (definition !== undefined) demands = demands.union(this.#demandsOf(definition, depth + 1));
    for (const name of unions) {
      const variants = Array.isArray(schema[name]) ? schema[name].filter(isObject) : [];
      if (variants.length === 0) continue;
      const each = new Set(variants.map((variant) => this.#demandsOf(variant, depth + 1)));
      demands = demands.union(name === "allOf" ? allOf(each) : this.#anyOf(each, name));
    }
    this.#read.set(schema, demands);
    return demands;
  }

  #anyOf(each: ReadonlySet<Demands>, union: "oneOf" | "anyOf"): Demands {
    const [first = nothing, ...rest] = each;
    const always = rest.reduce<Demands>((both, one) => both.intersection(one), first);
    const all = [...each];
    if (all.some(({ size }) => size !== always.size)) {
      const sets = new Set(all.map((names) => [...names].map(String).join(", ") || "(none)"));
      const word = union === "oneOf" ? "exactly one" : "at least one";
      this.#told.add(`Of these sets of properties, ${word} is required: ${[...sets].join("; ")}.`);
    }
    return always;
  }

  /** The definition that a schema refers to. */
  #definition({ $ref }: JsonObject): JsonObject | undefined {
    const [, list = "", token = ""] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(String($ref)) ?? [];
    const name = parsePointerToken(token);
    const defs = this.#source[list];
    const found = isObject(defs) && Object.hasOwn(defs, name) ? defs[name] : undefined;
    return isObject(found) ? found : undefined;
  }

  #addProperties(schema: JsonObject): void {
    const { properties } = schema;
    if (!isObject(properties)) return;
    const isRoot = this.#roots.has(schema);
    this.#isClosed &&= isRoot || schema.additionalProperties === false;
    for (const [name, inner] of Object.entries(properties)) {
      const known = this.#properties.get(name) ?? new Map<string, unknown>();
      this.#properties.set(name, known.set(JSON.stringify(inner), inner));
    }
  }
}

/** A name in a JSON pointer that is the fragment of a URI. Source: RFC 6901, 3 and 6. */
function parsePointerToken(token: string): string {
  const plain = token.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

function allOf(each: ReadonlySet<Demands>): Demands {
  const all = new Set<unknown>();
  for (const demands of each) for (const name of demands) all.add(name);
  return all;
}

function joinSchemas(schemas: readonly unknown[]): unknown {
  return schemas.length === 1 ? schemas[0] : { anyOf: schemas };
}
