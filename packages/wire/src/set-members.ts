// Members of an upstream's JSON replaced in its text, so that the digits of all others stay. A text beyond
// the bounds of a body, such as an answer with log probabilities, is written again from its value.
import { Fault, isObject, type JsonObject } from "@turnpike/base";
import { editJsonObject, memberText, scanJsonObject } from "./edit-json-object.ts";

/** New values by key, as JSON text. */
type Set = Readonly<Record<string, string>>;

/** `json` with members set; `value` is what it spells. */
export function setMembers(json: string, value: JsonObject, set: Set): string {
  try {
    return editJsonObject(json, scanJsonObject(json), { set });
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    return JSON.stringify({ ...value, ...parseEach(set) });
  }
}

/** The same for members of the object that its member `key` is. */
export function setInnerMembers(json: string, value: JsonObject, key: string, set: Set): string {
  try {
    const members = scanJsonObject(json);
    const inner = memberText(json, members, key) ?? "{}";
    const edited = editJsonObject(inner, scanJsonObject(inner), { set });
    return editJsonObject(json, members, { set: { [key]: edited } });
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    const inner = isObject(value[key]) ? value[key] : {};
    return JSON.stringify({ ...value, [key]: { ...inner, ...parseEach(set) } });
  }
}

function parseEach(set: Set): JsonObject {
  return Object.fromEntries(Object.entries(set).map(([key, text]) => [key, JSON.parse(text)]));
}
