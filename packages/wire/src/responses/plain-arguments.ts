// Codex marks arguments of its tools that OpenAI's backend is to encrypt, so that one agent cannot read what another is
// told. No other provider can, and what is not encrypted here is not decrypted later.
import { isObject, type JsonObject } from "@turnpike/base";

const mark = "encrypted";

/** `body` itself if no tool has such a mark. */
export function withPlainArguments(body: JsonObject): JsonObject {
  const tools = plainTools(body.tools);
  const input = plainItems(body.input);
  if (tools === body.tools && input === body.input) return body;
  return {
    ...body,
    ...(tools !== undefined && { tools }),
    ...(input !== undefined && { input }),
  };
}

/** Items that bring tools. */
function plainItems(input: unknown): unknown {
  return mapChanged(input, (item) => withMember(item, "tools", plainTools(item.tools)));
}

/** Tools, and those of a namespace. */
function plainTools(tools: unknown): unknown {
  return mapChanged(tools, (tool) => {
    const nested = withMember(tool, "tools", plainTools(tool.tools));
    return withMember(nested, "parameters", plainSchema(nested.parameters));
  });
}

function plainSchema(schema: unknown): unknown {
  if (!isObject(schema) || !isObject(schema.properties)) return schema;
  const { properties } = schema;
  const marked = Object.keys(properties).filter((name) => isMarked(properties[name]));
  if (marked.length === 0) return schema;
  const plain: JsonObject = { ...properties };
  for (const name of marked) plain[name] = withoutMark(properties[name]);
  return { ...schema, properties: plain };
}

function isMarked(property: unknown): boolean {
  return isObject(property) && property[mark] === true;
}

function withoutMark(property: unknown): unknown {
  if (!isObject(property)) return property;
  const { [mark]: _, ...plain } = property;
  return plain;
}

function withMember(source: JsonObject, name: string, value: unknown): JsonObject {
  return source[name] === value ? source : { ...source, [name]: value };
}

/** The list itself if no entry changes. */
function mapChanged(list: unknown, change: (entry: JsonObject) => JsonObject): unknown {
  if (!Array.isArray(list)) return list;
  const changed = list.map((entry: unknown) => (isObject(entry) ? change(entry) : entry));
  return changed.some((entry, index) => entry !== list[index]) ? changed : list;
}
