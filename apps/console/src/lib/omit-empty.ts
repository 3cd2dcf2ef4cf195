// The input of a procedure without what was not given: an empty text or list asks for nothing.

type NonEmpty<Values> = {
  [Name in keyof Values]?: Exclude<Values[Name], "" | undefined>;
};

/** Guarantee: what is left out may be left out, and what stays is not empty. */
export function omitEmpty<const Values extends object>(values: Values): NonEmpty<Values> {
  const entries = Object.entries(values).filter(
    ([, value]) => value !== undefined && value !== "" && !isEmptyList(value),
  );
  return Object.fromEntries(entries) as NonEmpty<Values>;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
