// Which fields of a request reach an upstream of another language: every one is translated, a preference that is named as
// ignored, or refused by name. What an upstream has a counterpart for is in the table of request fields.
import type { Fault, JsonObject } from "@turnpike/base";
import {
  asksForNothing,
  currentNameOf,
  type DialectName,
  isCarried,
  isPreference,
} from "@turnpike/wire";
import { untranslatable } from "../untranslatable.ts";

const problems: Readonly<Record<DialectName, string>> = {
  anthropic: "Anthropic's API has no counterpart for it",
  gemini: "Gemini has no counterpart for it",
  responses: "the Responses API has no counterpart for it",
  geminiEmbeddings: "Gemini's embeddings have no counterpart for it",
};

/** Whether a field is left out, or refused unless its value asks for what the upstream does anyway. */
export function losesField(dialect: DialectName, name: string): boolean {
  return !isCarried(dialect, name);
}

/** The Fault of the first field that would be lost, and is no preference. */
export function findLostField(dialect: DialectName, body: JsonObject): Fault | undefined {
  for (const name in body) {
    if (isCarried(dialect, name) || isPreference(name)) continue;
    if (isWithoutEffect(dialect, name, body[name])) continue;
    const current = currentNameOf(name);
    const isFormer = current !== name && isCarried(dialect, current);
    const problem = isFormer ? `use \`${current}\`, which replaced it` : problems[dialect];
    return untranslatable(name, problem);
  }
  return undefined;
}

/** What asks for nothing in a chat completion is a field that embeddings do not have. */
function isWithoutEffect(dialect: DialectName, name: string, value: unknown): boolean {
  return dialect === "geminiEmbeddings" ? (value ?? null) === null : asksForNothing(name, value);
}

/** The fields of `body` that differ in nothing but their name, by their name there. */
export function copyFields(
  body: JsonObject,
  names: ReadonlyMap<string, string>,
  isSent: (name: string) => boolean = () => true,
): JsonObject {
  const copied: JsonObject = {};
  for (const [name, theirs] of names) {
    const value = body[name] ?? null;
    if (value !== null && isSent(name)) copied[theirs] = value;
  }
  return copied;
}
