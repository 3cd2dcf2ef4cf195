// The names of Gemini's fields as this gateway reads them. Google's JSON takes each by two names, `maxOutputTokens` and
// `max_output_tokens`, and a single value in place of a list of one. The caller's own data keeps its names.
import { isObject, type JsonObject } from "@turnpike/base";
import { brokenRule } from "../checks/body-fault.ts";

/** Of the body; every other name there is for the gateway, and has one spelling. */
const ofBody = [
  "contents",
  "systemInstruction",
  "generationConfig",
  "tools",
  "toolConfig",
  "safetySettings",
  "labels",
  "serviceTier",
  "generateContentRequest",
  "requests",
  "content",
  "taskType",
  "outputDimensionality",
];

/** The caller's own data, and schemas: nothing in them is a name of the API. */
const opaque: ReadonlySet<string> = new Set([
  "args",
  "response",
  "parameters",
  "parametersJsonSchema",
  "responseSchema",
  "responseJsonSchema",
  "labels",
]);

/** Lists that documents and clients also write as their only member. */
const lists: ReadonlySet<string> = new Set([
  "contents",
  "parts",
  "tools",
  "functionDeclarations",
  "safetySettings",
  "stopSequences",
  "allowedFunctionNames",
  "responseModalities",
]);

const canonicalOf: ReadonlyMap<string, string> = new Map(
  ofBody.flatMap((name) => [
    [name, name],
    [snakeOf(name), name],
  ]),
);

function snakeOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function camelOf(name: string): string {
  return name.includes("_")
    ? name.replaceAll(/(?<=[a-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    : name;
}

/** `body`, a request, with canonical names. Throws Fault for a field that has both of its names. */
export function canonicalNames(body: JsonObject): JsonObject {
  return rename(body, "", (name) => canonicalOf.get(name));
}

/** Names that `find` does not know stay, with their values. */
function rename(
  source: JsonObject,
  path: string,
  find: (name: string) => string | undefined,
): JsonObject {
  const seen = new Set<string>();
  const entries = Object.entries(source).map(([name, value]): [string, unknown] => {
    const canonical = find(name);
    const own = canonical ?? name;
    if (seen.has(own)) {
      const place = `${path}${own}`;
      throw brokenRule(place, `'${place}' was sent by both of its names. Send it once.`);
    }
    seen.add(own);
    const isKept = canonical === undefined || opaque.has(own);
    return [own, isKept ? value : renameIn(value, own, `${path}${own}`)];
  });
  // Defines each member, whatever its name.
  return Object.fromEntries(entries);
}

function renameIn(value: unknown, name: string, path: string): unknown {
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => renameIn(item, "", `${path}[${index}]`));
  }
  const isSingle = lists.has(name) && value !== null && value !== undefined;
  if (isSingle) return [renameIn(value, "", `${path}[0]`)];
  return isObject(value) ? rename(value, `${path}.`, camelOf) : value;
}
