// `tool_choice` of a response as chat completions spell it. A list of allowed tools becomes the list of
// the offered tools: for a model that is the same, and every upstream supports it.
import { isObject, type JsonObject, readText } from "@turnpike/base";
import { badValue } from "../checks/refuse-body.ts";
import type { ToolOffer } from "./offered-tools.ts";

/** Undefined omits the field. Throws the Fault of a tool that is not offered. */
export function translateToolChoice(choice: unknown, offer: ToolOffer): unknown {
  if (isObject(choice)) {
    return choice.type === "allowed_tools" ? allow(choice, offer) : choiceOf(choice, offer);
  }
  if (offer.definitions.length > 0) return choice ?? undefined;
  // Upstreams refuse a choice without tools, even the one that is their default.
  if (choice === "required") throw badValue("tool_choice", "'required' needs at least one tool.");
  return undefined;
}

function choiceOf(choice: JsonObject, offer: ToolOffer): JsonObject {
  const name = findChosen(choice, offer, "tool_choice.name");
  // The client's search is a function to the model.
  const type = offer.names.get(name)?.kind === "custom" ? "custom" : "function";
  return { type, [type]: { name } };
}

function allow(choice: JsonObject, offer: ToolOffer): unknown {
  const allowed = Array.isArray(choice.tools) ? choice.tools.filter(isObject) : [];
  const names = allowed.map((tool, index) =>
    findChosen(tool, offer, `tool_choice.tools[${index}].name`),
  );
  offer.keepOnly(new Set(names));
  return choice.mode;
}

function findChosen(tool: JsonObject, offer: ToolOffer, path: string): string {
  const name = readText(tool.name) ?? "";
  const found = offer.find(name, readText(tool.namespace));
  if (found !== undefined) return found;
  throw badValue(path, `the tool '${name.slice(0, 100)}' is not in 'tools'.`);
}
