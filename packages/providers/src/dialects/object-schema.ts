// The schema of a tool's input for providers whose root must be an object without unions. The members of its variants
// become members of the one object, and what they demanded together is told to the model.
import { isObject, type JsonObject } from "@turnpike/base";

/** OpenAI, Anthropic and Kimi refuse these at the root. */
const unions = ["oneOf", "anyOf", "allOf"] as const;
const others = ["enum", "const", "not"] as const;

/** Whether the root is an object without unions; any other schema needs `objectSchemaOf`. */
export function isObjectSchema(schema: JsonObject): boolean {
  return schema.type === "object" && ![...unions, ...others].some((name) => name in schema);
}

/** `schema` itself if nothing has to change. */
export function objectSchemaOf(schema: JsonObject): JsonObject {
  if (isObjectSchema(schema)) return schema;
  const flat = new FlatObject(schema);
  for (const name of unions) {
    const variants = Array.isArray(schema[name]) ? schema[name].filter(isObject) : [];
    if (variants.length > 0) flat.add(name, variants);
  }
  return flat.written;
}

class FlatObject {
  readonly #root: JsonObject;
  readonly #properties = new Map<string, unknown[]>();
  readonly #required: Set<unknown>;
  readonly #told: string[] = [];
  #isClosed = true;

  constructor(root: JsonObject) {
    this.#root = root;
    this.#required = new Set(Array.isArray(root.required) ? root.required : []);
    this.#addProperties(root);
  }

  add(union: (typeof unions)[number], variants: readonly JsonObject[]): void {
    const resolved = variants.map((variant) => this.#resolve(variant));
    for (const variant of resolved) {
      this.#addProperties(variant);
      this.#isClosed &&= variant.additionalProperties === false || !isObject(variant.properties);
    }
    const demands = resolved.map(
      ({ required }) => new Set(Array.isArray(required) ? required : []),
    );
    const [first = new Set<unknown>(), ...rest] = demands;
    const always = rest.reduce(
      (both, each) => (union === "allOf" ? both.union(each) : both.intersection(each)),
      first,
    );
    for (const name of always) this.#required.add(name);
    if (union === "allOf" || demands.every(({ size }) => size === always.size)) return;
    const sets = demands.map((names) => [...names].map(String).join(", ") || "(none)");
    const word = union === "oneOf" ? "exactly one" : "at least one";
    this.#told.push(`Of these sets of properties, ${word} is required: ${sets.join("; ")}.`);
  }

  get written(): JsonObject {
    const written: JsonObject = {};
    for (const name in this.#root) {
      if (![...unions, ...others].some((dropped) => dropped === name)) {
        written[name] = this.#root[name];
      }
    }
    written.type = "object";
    written.properties = Object.fromEntries(
      [...this.#properties].map(([name, schemas]) => [name, joinSchemas(schemas)]),
    );
    if (this.#required.size > 0) written.required = [...this.#required];
    if (!this.#isClosed && written.additionalProperties === false) {
      delete written.additionalProperties;
    }
    if (this.#told.length > 0) {
      const said = typeof written.description === "string" ? [written.description] : [];
      written.description = [...said, ...this.#told].join("\n\n");
    }
    return written;
  }

  /** The definition that a variant refers to. */
  #resolve(variant: JsonObject): JsonObject {
    const [, list = "", name = ""] =
      /^#\/(\$defs|definitions)\/([^/]+)$/.exec(String(variant.$ref)) ?? [];
    const defs = this.#root[list];
    const found = isObject(defs) && Object.hasOwn(defs, name) ? defs[name] : undefined;
    return isObject(found) ? found : variant;
  }

  #addProperties({ properties }: JsonObject): void {
    if (!isObject(properties)) return;
    for (const [name, schema] of Object.entries(properties)) {
      const known = this.#properties.get(name);
      if (known === undefined) this.#properties.set(name, [schema]);
      else if (!known.some((each) => Bun.deepEquals(each, schema))) known.push(schema);
    }
  }
}

function joinSchemas(schemas: readonly unknown[]): unknown {
  return schemas.length === 1 ? schemas[0] : { anyOf: schemas };
}
