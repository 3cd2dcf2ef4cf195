// Replaces members of an upstream's JSON in its text, so that all others keep their digits.
import { editJsonObject, findMembers, memberText } from "./edit-json-object.ts";

/** New values by key, as JSON text. */
type Set = Readonly<Record<string, string>>;

/** `json`, an object, with members set. */
export function setMembers(json: string, set: Set): string {
  return editJsonObject(json, findMembers(json), { set });
}

/** The same for members of the object that its member `key` is; `json` itself if that is not an object. */
export function setInnerMembers(json: string, key: string, set: Set): string {
  const members = findMembers(json);
  const inner = memberText(json, members, key);
  if (inner?.startsWith("{") !== true) return json;
  return editJsonObject(json, members, { set: { [key]: setMembers(inner, set) } });
}
