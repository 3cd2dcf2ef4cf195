// Reading untrusted JSON: the one place that turns `unknown` into an object.

export type JsonObject = Record<string, unknown>;

/** True for JSON objects; arrays and null are not. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object in `text`, or undefined when it is broken JSON or another kind of value. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A non-empty string, or undefined. */
export function parseText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
