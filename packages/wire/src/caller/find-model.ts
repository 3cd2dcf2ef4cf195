// The model that a request body names, for the row of a call whose body was refused: its other fields may be
// anything. Never throws.
import { scanJson } from "../json/edit-json-object.ts";

/** Longer bodies are not read a second time. */
const bodyMaxChars = 1_000_000;
const modelMaxChars = 128;

/** Empty if the body is no JSON object or names no model. */
export function findModel(body: string): string {
  if (body.length > bodyMaxChars) return "";
  try {
    const member = scanJson(body).members.findLast(({ key }) => key === "model");
    if (member === undefined) return "";
    const model: unknown = JSON.parse(body.slice(member.valueStart, member.valueEnd));
    return typeof model === "string" && model.length <= modelMaxChars ? model : "";
  } catch {
    return "";
  }
}
