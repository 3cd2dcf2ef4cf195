// JSON Schemas as Anthropic can bind an answer to them: it refuses a request with keywords it does not know, with
// objects that may have any members, and with too many of some others. What only narrows a value is told to the
// model in a description, as Anthropic's own SDKs do.
// https://docs.claude.com/en/docs/build-with-claude/structured-outputs (JSON Schema limitations)
import { isObject, type JsonObject } from "@turnpike/base";

/** Of all schemas of one request together; one beyond them is refused. */
const mostUnions = 16;
const mostOptional = 24;
const mostStrictTools = 20;

const formats: ReadonlySet<unknown> = new Set([
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "uri",
  "ipv4",
  "ipv6",
  "uuid",
]);

/** They say nothing about a value. */
const silent = new Set(["$schema", "$id", "id", "$comment", "$defs", "definitions", "title"]);

/** The schemas of one request, in the order in which they are to be fitted. */
export class StructuredSchemas {
  #unions = 0;
  #optional = 0;
  #tools = 0;

  /** Undefined if Anthropic cannot be bound to it. */
  fit(schema: JsonObject): JsonObject | undefined {
    const writer = new SchemaWriter(schema);
    const fitted = writer.write();
    if (fitted === undefined) return undefined;
    const unions = this.#unions + writer.unions;
    const optional = this.#optional + writer.optional;
    if (unions > mostUnions || optional > mostOptional) return undefined;
    this.#unions = unions;
    this.#optional = optional;
    return fitted;
  }

  /** The same for the input of a tool. */
  fitTool(schema: JsonObject): JsonObject | undefined {
    if (this.#tools >= mostStrictTools) return undefined;
    const fitted = this.fit(schema);
    if (fitted !== undefined) this.#tools += 1;
    return fitted;
  }
}

/** Removes a member of a schema, and returns its value. */
type Take = (name: string) => unknown;

class SchemaWriter {
  unions = 0;
  optional = 0;
  readonly #root: JsonObject;
  #isExpressible = true;
  /** The definitions that are used, as they are written. */
  readonly #defs: JsonObject = {};
  /** Definitions that are being written: a reference to one is recursive. */
  readonly #open = new Set<string>();

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** Undefined if Anthropic cannot be bound to all of it. */
  write(): JsonObject | undefined {
    const written = this.#schema(this.#root);
    if (!this.#isExpressible) return undefined;
    return Object.keys(this.#defs).length === 0 ? written : { ...written, $defs: this.#defs };
  }

  #giveUp(): JsonObject {
    this.#isExpressible = false;
    return {};
  }

  #schema(source: unknown): JsonObject {
    if (!isObject(source) || !this.#isExpressible) return this.#giveUp();
    const rest = new Map(Object.entries(source).filter(([name]) => !silent.has(name)));
    const take: Take = (name) => {
      const value = rest.get(name);
      rest.delete(name);
      return value;
    };
    const written = this.#shape(take, source);
    if (written.$ref !== undefined) return written;
    const title = source.title;
    const description = describe(take("description"), rest);
    return {
      ...written,
      ...(typeof title === "string" && { title }),
      ...(description !== undefined && { description }),
    };
  }

  /** What a value is, without what narrows it. */
  #shape(take: Take, source: JsonObject): JsonObject {
    if (source.$ref !== undefined) return this.#reference(take("$ref"));
    if (source.enum !== undefined) return this.#literals("enum", take("enum"), take);
    if (source.const !== undefined) return this.#literals("const", take("const"), take);
    for (const name of ["anyOf", "oneOf"]) {
      if (source[name] === undefined) continue;
      const variants = take(name);
      // Members beside the variants belong to each of them.
      if (!Array.isArray(variants) || source.properties !== undefined) return this.#giveUp();
      take("type");
      this.unions += 1;
      return { anyOf: variants.map((variant) => this.#schema(variant)) };
    }
    if (source.allOf === undefined) return this.#typed(take, source);
    const [only, ...others] = Array.isArray(source.allOf) ? source.allOf : [];
    const hasMore = others.length > 0 || source.type !== undefined;
    // Closed to the members of the one schema, an object could not have those beside it.
    if (hasMore || source.properties !== undefined || source.required !== undefined) {
      return this.#giveUp();
    }
    take("allOf");
    return this.#schema(only);
  }

  #literals(name: string, value: unknown, take: Take): JsonObject {
    const values: readonly unknown[] = name === "enum" && Array.isArray(value) ? value : [value];
    const isComplex = values.some((one) => typeof one === "object" && one !== null);
    if (values.length === 0 || isComplex) return this.#giveUp();
    // The values have their types.
    take("type");
    return { [name]: value };
  }

  #typed(take: Take, source: JsonObject): JsonObject {
    const type = take("type");
    const types: readonly unknown[] = Array.isArray(type) ? type : [type];
    if (types.some((name) => typeof name !== "string")) return this.#giveUp();
    if (types.length > 1) this.unions += 1;
    return {
      type,
      ...(types.includes("object") && this.#members(take, source)),
      ...(types.includes("array") && this.#items(take, source)),
      ...(formats.has(source.format) && { format: take("format") }),
    };
  }

  /** An object with members that have no name would be bound to be without them. */
  #members(take: Take, source: JsonObject): JsonObject {
    const others = take("additionalProperties");
    if (others !== undefined && others !== false) return this.#giveUp();
    if (source.patternProperties !== undefined) return this.#giveUp();
    const named = take("properties");
    if (!isObject(named) && others !== false) return this.#giveUp();
    const required = take("required");
    const needed: readonly unknown[] = Array.isArray(required) ? required : [];
    const properties: JsonObject = {};
    for (const [name, schema] of Object.entries(isObject(named) ? named : {})) {
      if (!needed.includes(name)) this.optional += 1;
      setOwn(properties, name, this.#schema(schema));
    }
    return { properties, required: needed, additionalProperties: false };
  }

  #items(take: Take, source: JsonObject): JsonObject {
    if (source.prefixItems !== undefined) return this.#giveUp();
    const items = this.#schema(take("items"));
    const hasLeast = source.minItems === 0 || source.minItems === 1;
    return hasLeast ? { items, minItems: take("minItems") } : { items };
  }

  #reference(ref: unknown): JsonObject {
    const [, list = "", name = ""] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(String(ref)) ?? [];
    const defs = this.#root[list];
    if (!isObject(defs) || !Object.hasOwn(defs, name) || this.#open.has(name)) {
      return this.#giveUp();
    }
    if (!Object.hasOwn(this.#defs, name)) {
      this.#open.add(name);
      setOwn(this.#defs, name, this.#schema(defs[name]));
      this.#open.delete(name);
    }
    return { $ref: `#/$defs/${name}` };
  }
}

/** A member of any name, even `__proto__`. */
function setOwn(target: JsonObject, name: string, value: unknown): void {
  Object.defineProperty(target, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

/** What is left of a schema narrows its values, and is told to the model. */
function describe(description: unknown, rest: ReadonlyMap<string, unknown>): string | undefined {
  const said = typeof description === "string" ? [description] : [];
  if (rest.size > 0) said.push(JSON.stringify(Object.fromEntries(rest)));
  return said.length === 0 ? undefined : said.join("\n\n");
}
