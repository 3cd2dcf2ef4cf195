// The names of Gemini's fields as this gateway reads them. Google's JSON takes each by two names, `maxOutputTokens` and
// `max_output_tokens`, and a single value in place of a list of one. The caller's own data keeps its names.
import { isObject, type JsonObject } from "@turnpike/base";
import { brokenRule } from "../checks/body-fault.ts";
import { namesWhere } from "../fields/field-table.ts";
import type { JsonMembers } from "../json/edit-json-object.ts";

/** Of a body, apart from what is for the gateway, which has one spelling. */
const ofContent = [
  ...namesWhere(({ of }, name) => of.gemini?.check !== undefined && !name.includes("_")),
  "generateContentRequest",
];
const ofEmbedding = ["requests", "content", "taskType", "outputDimensionality"];

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

const canonicalOf = spellingsOf(ofContent);
const canonicalOfEmbedding = spellingsOf(ofEmbedding);

function spellingsOf(names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.flatMap((name) => [name, snakeOf(name)].map((each) => [each, name])));
}

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

/** The same of a request for embeddings, or of one of its contents. */
export function canonicalEmbedNames(body: JsonObject): JsonObject {
  return rename(body, "", (name) => canonicalOfEmbedding.get(name));
}

/** Members of a body under the canonical names of their keys; where they are in its text stays. */
export function canonicalMembers(members: JsonMembers): JsonMembers {
  return members.map((member) => ({ ...member, key: canonicalOf.get(member.key) ?? member.key }));
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
