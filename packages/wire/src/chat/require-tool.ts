// Mistral's word for a choice that requires a tool, which its SDK sends: it is read as OpenAI's, so that every provider is
// told the same.
import type { JsonObject } from "@turnpike/base";
import { editJsonObject, type JsonMembers } from "../json/edit-json-object.ts";

export function isMistralsRequired({ tool_choice: choice }: JsonObject): boolean {
  return choice === "any";
}

/** `raw` is the text of a request with it. */
export function requireTool(raw: string, members: JsonMembers): string {
  return editJsonObject(raw, members, { set: { tool_choice: JSON.stringify("required") } });
}
