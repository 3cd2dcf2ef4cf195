// The vocabulary in which the request's fields are described: each rule checks one parsed value
// and throws the Fault that names its path. Rules never change a value and never close an object.
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
} from "./refuse-body.ts";

/** Checks `value`, which is at `path` (`messages[0].content`), or at `noPath`. Throws Fault. */
export type Rule = (value: unknown, path: string) => void;

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

export const boolean: Rule = (value, path) => {
  if (typeof value !== "boolean") throw wrongType(path, "a boolean", value);
};

export const anyObject: Rule = (value, path) => {
  if (!isObject(value)) throw wrongType(path, "an object", value);
};

type TextBounds = {
  readonly nonEmpty?: boolean;
  readonly maxLength?: number;
  readonly pattern?: RegExp;
};

export function text(bounds: TextBounds = {}): Rule {
  const { nonEmpty = false, maxLength = Number.POSITIVE_INFINITY, pattern } = bounds;
  return (value, path) => {
    if (typeof value !== "string") throw wrongType(path, "a string", value);
    if (nonEmpty && value === "") throw tooShort(path);
    if (value.length > maxLength) throw tooLong(path, maxLength, value.length);
    if (pattern && !pattern.test(value)) {
      const expected = `Expected a string that matches the pattern '${pattern.source}'.`;
      throw badValue(path, `string does not match pattern. ${expected}`);
    }
  };
}

export const anyText = text();

export function integer(min: number, max: number): Rule {
  return (value, path) => {
    if (typeof value !== "number" || !Number.isInteger(value)) {
      throw wrongType(path, "an integer", value);
    }
    if (value < min) throw belowMinimum(path, "integer", min, value);
    if (value > max) throw aboveMaximum(path, "integer", max, value);
  };
}

export function decimal(min: number, max: number): Rule {
  return (value, path) => {
    if (typeof value !== "number") throw wrongType(path, "a decimal", value);
    if (value < min) throw belowMinimum(path, "decimal", min, value);
    if (value > max) throw aboveMaximum(path, "decimal", max, value);
  };
}

export function oneOf(supported: readonly string[]): Rule {
  return (value, path) => {
    if (typeof value !== "string") throw wrongType(path, "a string", value);
    if (!supported.includes(value)) throw notSupported(path, value, supported);
  };
}

type ListBounds = { readonly min?: 0 | 1; readonly max?: number; readonly of: string };

export function list(item: Rule, bounds: ListBounds): Rule {
  const { min = 0, max = Number.POSITIVE_INFINITY, of } = bounds;
  return (value, path) => {
    if (!Array.isArray(value)) throw wrongType(path, `an array of ${of}`, value);
    if (value.length < min) throw emptyArray(path);
    if (value.length > max) throw tooMany(path, max, value.length);
    for (let index = 0; index < value.length; index += 1) item(value[index], itemPath(path, index));
  };
}

/** Either a string or a list; the message for anything else names both. */
export function textOr(items: Rule, of: string): Rule {
  return (value, path) => {
    if (typeof value === "string") return;
    if (Array.isArray(value)) items(value, path);
    else throw wrongType(path, `one of a string or array of ${of}`, value);
  };
}

/** Either a string or an object. */
export function textOrObject(single: Rule, fields: Rule): Rule {
  return (value, path) => {
    if (typeof value === "string") single(value, path);
    else if (isObject(value)) fields(value, path);
    else throw wrongType(path, "one of a string or an object", value);
  };
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
  return (value, path) => {
    if (!isObject(value)) throw wrongType(path, "an object", value);
    for (const [key, rule] of required) {
      const field = value[key];
      if (field === undefined) throw missing(`${path}.${key}`);
      rule(field, memberPath(path, key));
    }
    for (const [key, rule] of optional) {
      const field = value[key];
      if (isGiven(field)) rule(field, memberPath(path, key));
    }
  };
}

/** An object whose shape one of its strings names, `type` or `role`. */
export function tagged(tag: string, shapes: Readonly<Record<string, Rule>>): Rule {
  const byName = new Map(Object.entries(shapes));
  return (value, path) => {
    if (!isObject(value)) throw wrongType(path, "an object", value);
    const name = value[tag];
    if (name === undefined) throw missing(`${path}.${tag}`);
    if (typeof name !== "string") throw wrongType(`${path}.${tag}`, "a string", name);
    const shape = byName.get(name);
    if (!shape) throw notSupported(`${path}.${tag}`, name, [...byName.keys()]);
    shape(value, path);
  };
}
