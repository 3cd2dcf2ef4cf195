// What `/openapi.json` says of the bounds of a request's fields, as bodies to send: one with a value at each bound, and
// one with the next value beyond it.
import { isObject, type JsonObject } from "@turnpike/base";

export type Components = Readonly<Record<string, JsonObject>>;

export type BoundCase = {
  /** `tools[0].function.name maxLength 64`. */
  readonly name: string;
  /** As a refusal names the field, or the beginning of that. */
  readonly param: string;
  readonly accepted: unknown;
  readonly refused: unknown;
};

type Place = {
  readonly param: string;
  /** The body with a value at this place. */
  readonly put: (value: unknown) => unknown;
  /** What the fields of an object at this place stand beside. */
  readonly around: JsonObject;
};

/** `body` is taken by the server; the fields stand beside its own. */
export function boundCasesOf(
  schema: JsonObject,
  body: JsonObject,
  components: Components,
): readonly BoundCase[] {
  const cases = new Map<string, BoundCase>();
  const walk = (written: JsonObject, place: Place, within: readonly JsonObject[]): void => {
    const node = resolve(written, components);
    if (within.includes(node)) return;
    const { param, put } = place;
    for (const [word, accepted, refused] of valuesOf(node, components)) {
      const name = `${param} ${word} ${JSON.stringify(node[word])} ${JSON.stringify(refused)?.slice(0, 30)}`;
      cases.set(name, { name, param, accepted: put(accepted), refused: put(refused) });
    }
    const inside = [...within, node];
    const sample = objectOf(makeSample(node, components));
    const around = param === "" ? body : { ...place.around, ...sample };
    const inField = (name: string): Place => ({
      param: param === "" ? name : `${param}.${name}`,
      put: (value) => put({ ...around, [name]: value }),
      around: {},
    });
    for (const [name, field] of Object.entries(objectOf(node.properties))) {
      walk(objectOf(field), inField(name), inside);
    }
    if (isObject(node.additionalProperties)) walk(node.additionalProperties, inField("7"), inside);
    if (isObject(node.items)) {
      const item = { param: `${param}[0]`, put: (value: unknown) => put([value]), around: {} };
      walk(node.items, item, inside);
    }
    for (const part of partsOf(node)) walk(part, { ...place, around }, inside);
    if (isObject(node.then)) {
      const { properties } = objectOf(node.if);
      const kind = makeSample({ properties, required: namesOf(properties) }, components);
      walk(node.then, { ...place, around: { ...around, ...objectOf(kind) } }, inside);
    }
  };
  walk(schema, { param: "", put: (fields) => fields, around: body }, []);
  return [...cases.values()];
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function schemasIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function partsOf({ anyOf, oneOf, allOf }: JsonObject): readonly JsonObject[] {
  return [anyOf, oneOf, allOf].flatMap(schemasIn);
}

function namesOf(properties: unknown): readonly string[] {
  return Object.keys(objectOf(properties));
}

const prefix = "#/components/schemas/";

/** What a reference leads to, with what is said beside it. */
export function resolve(schema: JsonObject, components: Components): JsonObject {
  if (typeof schema.$ref !== "string") return schema;
  const found = components[schema.$ref.slice(prefix.length)];
  if (found === undefined) throw new Error(`nothing is named ${schema.$ref}`);
  return resolve(found, components);
}

/** A small value that a schema takes. */
function makeSample(written: JsonObject, components: Components): unknown {
  const node = resolve(written, components);
  if (node.const !== undefined) return node.const;
  const [listed] = [node.enum ?? node.examples].flat();
  if (listed !== undefined) return listed;
  const [type] = [node.type].flat();
  const [option] = [node.oneOf, node.anyOf].flatMap(schemasIn);
  const always = schemasIn(node.allOf).flatMap((part) => samplePart(part, node));
  if (type === "object" || isObject(node.properties) || always.length > 0) {
    const parts = option === undefined ? always : [...always, option];
    const samples = parts.map((part) => objectOf(makeSample(part, components)));
    return Object.assign({}, ...samples, sampleOfFields(node, components));
  }
  if (option !== undefined) return makeSample(option, components);
  if (type === "array") return isObject(node.items) ? [makeSample(node.items, components)] : [];
  if (type === "integer" || type === "number") return 1;
  return type === "boolean" ? true : "text";
}

/** A part of an object; of one for a kind of it, what it asks for where the kind may be left out. */
function samplePart(part: JsonObject, { required }: JsonObject): readonly JsonObject[] {
  if (!isObject(part.if) || !isObject(part.then)) return [part];
  return Array.isArray(required) ? [] : [part.then];
}

function sampleOfFields({ properties, required }: JsonObject, components: Components): JsonObject {
  const fields = objectOf(properties);
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  const needed = Object.entries(fields).filter(([name]) => names.includes(name));
  return Object.fromEntries(
    needed.map(([name, field]) => [name, makeSample(objectOf(field), components)]),
  );
}

type Values = readonly [word: string, accepted: unknown, refused: unknown];

/** For each bound of a schema itself: the value there, and the next one that is too much. */
function valuesOf(node: JsonObject, components: Components): readonly Values[] {
  const item = isObject(node.items) ? makeSample(node.items, components) : "x";
  const isInteger = [node.type].flat().includes("integer");
  const words: Readonly<Record<string, (bound: number) => readonly [unknown, unknown]>> = {
    minimum: (least) => [least, -above(-least, isInteger)],
    maximum: (most) => [most, above(most, isInteger)],
    minLength: (least) => ["a".repeat(least), "a".repeat(least - 1)],
    maxLength: (most) => ["a".repeat(most), "a".repeat(most + 1)],
    minItems: (least) => [Array(least).fill(item), Array(least - 1).fill(item)],
    maxItems: (most) => [Array(most).fill(item), Array(most + 1).fill(item)],
    maxProperties: (most) => [pairs(most), pairs(most + 1)],
  };
  const sized = Object.entries(words).flatMap(([word, make]): Values[] => {
    const bound = node[word];
    return typeof bound === "number" ? [[word, ...make(bound)]] : [];
  });
  return [...sized, ...textValues(node), ...nameValues(node)];
}

function textValues({ pattern, enum: listed }: JsonObject): readonly Values[] {
  const values: Values[] = [];
  if (typeof pattern === "string") values.push(["pattern", ...textsOf(pattern)]);
  // A list of one names a kind, which decides what else is checked.
  const texts: readonly unknown[] = Array.isArray(listed) && listed.length > 1 ? listed : [];
  for (const text of texts) values.push(["enum", text, "none-of-these"]);
  return values;
}

function nameValues({ propertyNames, additionalProperties }: JsonObject): readonly Values[] {
  const value = objectOf(additionalProperties).type === "integer" ? 1 : "x";
  const { maxLength, pattern } = objectOf(propertyNames);
  const values: (readonly [string, string])[] = [];
  if (typeof maxLength === "number")
    values.push(["a".repeat(maxLength), "a".repeat(maxLength + 1)]);
  if (typeof pattern === "string") values.push(textsOf(pattern));
  return values.map(([good, bad]) => ["propertyNames", { [good]: value }, { [bad]: value }]);
}

/** The next number that is more: of integers beyond 2^53, the next that JSON can hold. */
function above(bound: number, isInteger: boolean): number {
  if (!isInteger) return bound + 0.001;
  return Number.isSafeInteger(bound + 1) ? bound + 1 : bound + Math.abs(bound) * Number.EPSILON;
}

function pairs(count: number): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, "x"]));
}

/** By the source of a pattern: a text that matches, and one that does not. */
const textsOfPattern: Readonly<Record<string, readonly [string, string]>> = {
  "^[a-zA-Z0-9_-]+$": ["a_B-9", "a b"],
  "^\\d{1,9}$": ["123456789", "1234567890"],
};

function textsOf(pattern: string): readonly [string, string] {
  const texts = textsOfPattern[pattern];
  if (texts === undefined) throw new Error(`add texts for the pattern ${pattern}`);
  return texts;
}
