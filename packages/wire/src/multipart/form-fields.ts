// The text fields of a form as the members of one JSON object, however a client names them: `x`, `x[]`, `x[0]`,
// `x[key]`, or JSON for a list or an object. A text that is not of the shape its field has stays text, for the rule of the
// field to refuse.
import { isNestedDeeper, type JsonObject } from "@turnpike/base";
import { brokenMultipart, givenTwice } from "./multipart-fault.ts";

type ScalarShape = "text" | "number" | "boolean";

/** What the text of a field stands for. A field without one is text, or what its brackets say. */
export type FieldShape =
  | ScalarShape
  | { readonly list: ScalarShape }
  /** A member that is not listed is text. */
  | { readonly object: Readonly<Record<string, ScalarShape>> };

export type FieldShapes = Readonly<Record<string, FieldShape>>;

export type FieldName = {
  readonly field: string;
  /** Undefined without brackets, empty for `x[]`. */
  readonly key: string | undefined;
};

const fieldName = /^([A-Za-z][A-Za-z0-9_.-]{0,63})(?:\[([A-Za-z0-9_.-]{0,64})\])?$/;
const unsafeKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Throws `malformed_request` for a name that no field has. */
export function parseFieldName(name: string): FieldName {
  const [, field, key] = fieldName.exec(name) ?? [];
  if (field === undefined || unsafeKeys.has(field) || unsafeKeys.has(key ?? "")) {
    throw brokenMultipart(`no field is named '${name.slice(0, 100)}'`);
  }
  return { field, key };
}

const listIndex = /^\d{1,4}$/;

/** Whether the brackets of a name are those of a list. */
export function isListKey(key: string): boolean {
  return key === "" || listIndex.test(key);
}

type Entry = { readonly key: string | undefined; readonly text: string };

/** The members of all texts in the order in which fields first occur. Throws `invalid_value` for contradictions. */
export function buildFields(
  texts: readonly { readonly name: FieldName; readonly text: string }[],
  shapes: FieldShapes,
): JsonObject {
  const byField = new Map<string, Entry[]>();
  for (const { name, text } of texts) {
    const entries = byField.get(name.field) ?? [];
    entries.push({ key: name.key, text });
    byField.set(name.field, entries);
  }
  const fields: JsonObject = {};
  for (const [field, entries] of byField) {
    const shape = Object.hasOwn(shapes, field) ? shapes[field] : undefined;
    fields[field] = buildField(field, entries, shape);
  }
  return fields;
}

function buildField(field: string, entries: readonly Entry[], shape: FieldShape | undefined) {
  const keys = entries.map(({ key }) => key);
  if (keys.every((key) => key === undefined || isListKey(key))) {
    const isList = typeof shape === "object" && "list" in shape;
    const [first] = entries;
    if (isList || keys.some((key) => key !== undefined)) {
      return buildList(field, entries, isList ? shape.list : "text");
    }
    if (first === undefined || entries.length > 1) throw givenTwice(field);
    return isScalar(shape) ? parseScalar(first.text, shape) : (parseJson(first.text) ?? first.text);
  }
  if (keys.some((key) => key === undefined || isListKey(key))) throw givenTwice(field);
  return buildObject(field, entries, typeof shape === "object" && "object" in shape ? shape : none);
}

const none = { object: {} };

function isScalar(shape: FieldShape | undefined): shape is ScalarShape | undefined {
  return typeof shape !== "object";
}

function buildList(field: string, entries: readonly Entry[], shape: ScalarShape): unknown {
  const [only] = entries;
  if (only !== undefined && entries.length === 1 && only.key === undefined) {
    const parsed = parseJson(only.text);
    if (Array.isArray(parsed)) return parsed;
  }
  return byIndex(field, entries).map(({ text }) => parseScalar(text, shape));
}

/** In the order of their indexes where all have one, otherwise as they arrived. */
function byIndex(field: string, entries: readonly Entry[]): readonly Entry[] {
  const indexed = entries.filter(({ key }) => key !== undefined && key !== "");
  const indexes = new Set(indexed.map(({ key }) => Number(key)));
  if (indexes.size !== indexed.length) throw givenTwice(field);
  if (indexed.length !== entries.length) return entries;
  return entries.toSorted((one, other) => Number(one.key) - Number(other.key));
}

function buildObject(
  field: string,
  entries: readonly Entry[],
  { object: shapes }: { readonly object: Readonly<Record<string, ScalarShape>> },
): JsonObject {
  const members: JsonObject = {};
  for (const { key = "", text } of entries) {
    if (Object.hasOwn(members, key)) throw givenTwice(`${field}.${key}`);
    members[key] = parseScalar(text, Object.hasOwn(shapes, key) ? shapes[key] : undefined);
  }
  return members;
}

const numberText = /^-?(?:0|[1-9]\d{0,15})(?:\.\d{1,16})?$/;

function parseScalar(text: string, shape: ScalarShape = "text"): unknown {
  if (shape === "number" && numberText.test(text)) return Number(text);
  if (shape === "boolean" && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true";
  return text;
}

/** Undefined for what is neither a list nor an object in JSON. */
function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || isNestedDeeper(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
