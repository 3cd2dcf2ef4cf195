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

/** Of OpenAI, Anthropic, Kimi and Gemini. */
export function checkRoot(schema: unknown): string[] {
  if (!isObject(schema)) return [];
  const has = ["oneOf", "anyOf", "allOf", "enum", "const", "not", "$ref"].filter(
    (name) => name in schema,
  );
  if (schema.type !== "object" || has.length > 0)
    return [`schema must be an object without ${has}`];
  return [];
}

/** Each schema within `value`, and its path. */
function* schemasIn(value: unknown, path = "root"): Generator<readonly [string, Json]> {
  if (!isObject(value)) return;
  yield [path, value];
  for (const name of ["properties", "$defs", "definitions"]) {
    for (const [key, inner] of Object.entries(memberOf(value, name))) {
      yield* schemasIn(inner, `${path}.${name}.${key}`);
    }
  }
  for (const name of ["anyOf", "oneOf", "allOf"]) {
    for (const inner of listOf(value[name])) yield* schemasIn(inner, `${path}.${name}`);
  }
  for (const name of ["items", "additionalProperties", "not"]) {
    yield* schemasIn(value[name], `${path}.${name}`);
  }
}

/** Of OpenAI. */
export function checkOpenaisSchema(schema: unknown): string[] {
  if (!isObject(schema)) return [];
  const wrong = isObject(schema.properties) ? [] : ["object schema missing properties"];
  for (const [path, { type, items }] of schemasIn(schema)) {
    const isList = type === "array" || (Array.isArray(type) && type.includes("array"));
    if (isList && items === undefined) wrong.push(`In context=${path}, array schema missing items`);
  }
  return wrong;
}

/** Of Kimi. */
export function checkKimisSchema(schema: unknown): string[] {
  const wrong: string[] = [];
  for (const [path, { type, anyOf, $ref }] of schemasIn(schema)) {
    if (type !== undefined && anyOf !== undefined) wrong.push(`At path '${path}': type and anyOf`);
    if ($ref !== undefined && !String($ref).startsWith("#/$defs/"))
      wrong.push(`At path '${path}': references must start with #/$defs/`);
  }
  return wrong;
}
