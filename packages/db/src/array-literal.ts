// Arrays as PostgreSQL writes them, in both directions, so the driver needs no array types.

type Scalar = string | number | bigint | boolean | null;

export function arrayLiteral(values: readonly Scalar[]): string {
  if (values.length === 0) return "{}";
  // Nearly all arrays are of one of these kinds, which the runtime joins fast.
  if (values.every(isPlainText)) return `{"${values.join('","')}"}`;
  if (values.every(isPlainNumber)) return `{${values.join(",")}}`;
  return `{${values.map(elementLiteral).join(",")}}`;
}

function isPlainText(value: Scalar): boolean {
  return typeof value === "string" && !value.includes('"') && !value.includes("\\");
}

function isPlainNumber(value: Scalar): boolean {
  return typeof value === "number" || typeof value === "bigint";
}

const quoted = /["\\]/g;

function elementLiteral(value: Scalar): string {
  if (value === null) return "NULL";
  if (typeof value !== "string") return String(value);
  if (!value.includes('"') && !value.includes("\\")) return `"${value}"`;
  return `"${value.replace(quoted, "\\$&")}"`;
}

/**
 * The elements of an array as PostgreSQL writes it, if none needs quotes: numbers, NULL, and words
 * that the caller knows to be the only ones the statement can return.
 */
export function elementsOf<Word extends string = string>(literal: string): Word[] {
  if (literal === "{}") return [];
  return literal.slice(1, -1).split(",") as Word[];
}
