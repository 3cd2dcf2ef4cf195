// What hosted providers check of the schemas of tools, written from their own messages and not from the dialects.

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const listOf = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.filter(isObject) : [];
export const memberOf = (value: unknown, name: string): Json => {
  const member = isObject(value) ? value[name] : undefined;
  return isObject(member) ? member : {};
};

/** Of OpenAI, Anthropic and Kimi. */
export function checkRoot(schema: unknown): string[] {
  if (!isObject(schema)) return [];
  const has = ["oneOf", "anyOf", "allOf", "enum", "not"].filter((name) => name in schema);
  if (schema.type !== "object" || has.length > 0)
    return [`schema must be an object without ${has}`];
  return [];
}
