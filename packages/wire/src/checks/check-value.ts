// The vocabulary in which the request's fields are described: each rule checks one parsed value
// and throws the Fault that names its path. Rules never change a value and never close an object. Each says
// which bounds it enforces, for `/openapi.json`.
import { isObject } from "@turnpike/base";
import {
  aboveMaximum,
  badValue,
  belowMinimum,
  emptyArray,
  missing,
  notSupported,
  tooLong,
  tooMany,
  tooShort,
  wrongType,
} from "./body-fault.ts";
import type { Bounds, TextBounds } from "./bounds.ts";

/** Checks `value`, which is at `path` (`messages[0].content`), or at `noPath`. Throws Fault. */
export type Rule = ((value: unknown, path: string) => void) & { readonly bounds: Bounds };

/** A check that enforces `bounds`, and what no bound can say. */
export function rule(bounds: Bounds, check: (value: unknown, path: string) => void): Rule {
  return Object.assign(check, { bounds });
}

/**
 * For a check that only finds whether anything is refused: nearly all requests are not, and the paths of all their
 * members would be built for nothing. What it throws must not be shown.
 */
export const noPath = "";

export function memberPath(path: string, key: string): string {
  return path === noPath ? noPath : `${path}.${key}`;
}

export function itemPath(path: string, index: number): string {
  return path === noPath ? noPath : `${path}[${index}]`;
}

/** Whether a member is there; null means absent. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

export const boolean = rule({}, (value, path) => {
  if (typeof value !== "boolean") throw wrongType(path, "a boolean", value);
});

export const anyObject = rule({}, (value, path) => {
  if (!isObject(value)) throw wrongType(path, "an object", value);
});

type TextRule = {
  readonly nonEmpty?: boolean;
  readonly maxLength?: number;
  readonly pattern?: RegExp;
};

export function text(asked: TextRule = {}): Rule {
  const { nonEmpty = false, maxLength = Number.POSITIVE_INFINITY, pattern } = asked;
  const bounds: TextBounds = {
    ...(nonEmpty && { minLength: 1 }),
    ...(Number.isFinite(maxLength) && { maxLength }),
    ...(pattern !== undefined && { pattern: pattern.source }),
  };
  return rule({ text: bounds }, (value, path) => {
    if (typeof value !== "string") throw wrongType(path, "a string", value);
    if (nonEmpty && value === "") throw tooShort(path);
    if (value.length > maxLength) throw tooLong(path, maxLength, value.length);
    if (pattern && !pattern.test(value)) {
      const expected = `Expected a string that matches the pattern '${pattern.source}'.`;
      throw badValue(path, `string does not match pattern. ${expected}`);
    }
  });
}

export const anyText = text();

export function integer(min: number, max: number): Rule {
  return rule({ number: { minimum: min, maximum: max } }, (value, path) => {
    if (typeof value !== "number" || !Number.isInteger(value)) {
      throw wrongType(path, "an integer", value);
    }
    if (value < min) throw belowMinimum(path, "integer", min, value);
    if (value > max) throw aboveMaximum(path, "integer", max, value);
  });
}

export function decimal(min: number, max: number): Rule {
  return rule({ number: { minimum: min, maximum: max } }, (value, path) => {
    if (typeof value !== "number") throw wrongType(path, "a decimal", value);
    if (value < min) throw belowMinimum(path, "decimal", min, value);
    if (value > max) throw aboveMaximum(path, "decimal", max, value);
  });
}

export function oneOf(supported: readonly string[]): Rule {
  return rule({ text: { enum: supported } }, (value, path) => {
    if (typeof value !== "string") throw wrongType(path, "a string", value);
    if (!supported.includes(value)) throw notSupported(path, value, supported);
  });
}

type ListBounds = { readonly min?: 0 | 1; readonly max?: number; readonly of: string };

export function list(item: Rule, bounds: ListBounds): Rule {
  const { min = 0, max = Number.POSITIVE_INFINITY, of } = bounds;
  const stated = {
    ...(min > 0 && { minItems: min }),
    ...(Number.isFinite(max) && { maxItems: max }),
    items: item.bounds,
  };
  return rule({ list: stated }, (value, path) => {
    if (!Array.isArray(value)) throw wrongType(path, `an array of ${of}`, value);
    if (value.length < min) throw emptyArray(path);
    if (value.length > max) throw tooMany(path, max, value.length);
    for (let index = 0; index < value.length; index += 1) item(value[index], itemPath(path, index));
  });
}

/** Either a string or a list; the message for anything else names both. */
export function textOr(items: Rule, of: string): Rule {
  return rule({ text: {}, ...items.bounds }, (value, path) => {
    if (typeof value === "string") return;
    if (Array.isArray(value)) items(value, path);
    else throw wrongType(path, `one of a string or array of ${of}`, value);
  });
}

/** Either a string or an object. */
export function textOrObject(single: Rule, fields: Rule): Rule {
  return rule({ ...single.bounds, ...fields.bounds }, (value, path) => {
    if (typeof value === "string") single(value, path);
    else if (isObject(value)) fields(value, path);
    else throw wrongType(path, "one of a string or an object", value);
  });
}

export type Fields = {
  /** Must be present and not null. */
  readonly required?: Readonly<Record<string, Rule>>;
  /** May be absent; null means absent. */
  readonly optional?: Readonly<Record<string, Rule>>;
};

/** An object with these fields among any others. */
export function object(fields: Fields): Rule {
  const required = Object.entries(fields.required ?? {});
  const optional = Object.entries(fields.optional ?? {});
  return rule({ object: { properties: boundsOf([...required, ...optional]) } }, (value, path) => {
    if (!isObject(value)) throw wrongType(path, "an object", value);
    for (const [key, check] of required) {
      const field = value[key];
      if (field === undefined) throw missing(`${path}.${key}`);
      check(field, memberPath(path, key));
    }
    for (const [key, check] of optional) {
      const field = value[key];
      if (isGiven(field)) check(field, memberPath(path, key));
    }
  });
}

/** An object whose shape one of its strings names, `type` or `role`. */
export function tagged(tag: string, shapes: Readonly<Record<string, Rule>>): Rule {
  const byName = new Map(Object.entries(shapes));
  return rule({ kinds: { tag, shapes: boundsOf(byName) } }, (value, path) => {
    if (!isObject(value)) throw wrongType(path, "an object", value);
    const name = value[tag];
    if (name === undefined) throw missing(`${path}.${tag}`);
    if (typeof name !== "string") throw wrongType(`${path}.${tag}`, "a string", name);
    const shape = byName.get(name);
    if (!shape) throw notSupported(`${path}.${tag}`, name, [...byName.keys()]);
    shape(value, path);
  });
}

/** What each of the rules enforces, by its name. */
export function boundsOf(rules: Iterable<readonly [string, Rule]>): Record<string, Bounds> {
  return Object.fromEntries([...rules].map(([name, { bounds }]) => [name, bounds]));
}
