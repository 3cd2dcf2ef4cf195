// The names of fields: tRPC's are camelCase, those of `/v1` are snake_case. Both have the same schemas; only the
// names of members are rewritten, never a value.
import { Fault } from "@turnpike/base";

/** `spendLimitsUsd` becomes `spend_limits_usd`, also in the path of a field. */
export function snakeName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function camelName(name: string): string {
  return name.replace(/(?<=[a-z\d])_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
}

/** Every member of every object, renamed. */
function rename(value: unknown, nameOf: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, nameOf));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [nameOf(name), rename(inner, nameOf)]),
  );
}

export function toSnake(value: unknown): unknown {
  return rename(value, snakeName);
}

/** Throws `unknown_parameter` for a name that is not in snake_case: each field has one name. */
export function toCamel(value: unknown): unknown {
  return rename(value, (name) => {
    if (!/[A-Z]/.test(name)) return camelName(name);
    const param = name.slice(0, 100);
    throw new Fault("unknown_parameter", `There is no field ${param}.`, { param });
  });
}
