// Functions of Gemini's API as tools of chat completions, and how one is to be chosen. Google's search is a field of a chat
// completion, with a price; other tools that Google runs have neither.
import { isObject, type JsonObject } from "@turnpike/base";
import { type TranslationNotes, toolNameOf } from "../messages/translate-blocks.ts";
import { jsonSchemaOf } from "./google-schema.ts";

const searches = ["googleSearch", "googleSearchRetrieval"];

export function translateTools(body: JsonObject, pivot: JsonObject, notes: TranslationNotes): void {
  const offered = Array.isArray(body.tools) ? body.tools : [];
  const tools = offered.flatMap((tool: unknown, at) => {
    if (!isObject(tool)) return [];
    if (searches.some((name) => isObject(tool[name]))) pivot.web_search_options = {};
    const declared = Array.isArray(tool.functionDeclarations) ? tool.functionDeclarations : [];
    return declared.filter(isObject).map((declaration, index) => {
      const path = `tools[${at}].functionDeclarations[${index}]`;
      return notes.locate(translateDeclaration(declaration, notes), path);
    });
  });
  if (tools.length === 0) return;
  pivot.tools = tools;
  const config = isObject(body.toolConfig) ? body.toolConfig.functionCallingConfig : undefined;
  const choice = isObject(config) ? translateChoice(config) : undefined;
  // Only together with tools: chat completions refuse a choice without tools.
  if (choice !== undefined) pivot.tool_choice = choice;
}

function translateDeclaration(declaration: JsonObject, notes: TranslationNotes): JsonObject {
  const name = toolNameOf(declaration.name);
  if (name !== declaration.name) notes.toolNames.set(name, String(declaration.name));
  const definition: JsonObject = { name };
  if (typeof declaration.description === "string") definition.description = declaration.description;
  const { parametersJsonSchema, parameters } = declaration;
  if (isObject(parametersJsonSchema)) definition.parameters = parametersJsonSchema;
  else if (isObject(parameters)) definition.parameters = jsonSchemaOf(parameters);
  return { type: "function", function: definition };
}

function translateChoice({ mode, allowedFunctionNames: allowed }: JsonObject): unknown {
  const names = Array.isArray(allowed) ? allowed.map(toolNameOf) : [];
  if (mode === "NONE") return "none";
  if (mode === "ANY" && names.length === 0) return "required";
  const [name] = names;
  if (name === undefined)
    return mode === undefined || mode === "MODE_UNSPECIFIED" ? undefined : "auto";
  if (mode === "ANY" && names.length === 1) return nameTool(name);
  const tools = names.map(nameTool);
  return {
    type: "allowed_tools",
    allowed_tools: { mode: mode === "ANY" ? "required" : "auto", tools },
  };
}

function nameTool(name: string): JsonObject {
  return { type: "function", function: { name } };
}

/** Of the tools that Google runs and bills by use, by their paths. Declarations alone are the caller's own. */
export function toolsOfGoogle({ tools }: JsonObject): readonly string[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown, index) =>
    isObject(tool)
      ? Object.keys(tool)
          .filter((name) => (tool[name] ?? null) !== null)
          .filter((name) => name !== "functionDeclarations" && !searches.includes(name))
          .map((name) => `tools[${index}].${name}`)
      : [],
  );
}

/** Where the caller asks for a search. */
export function searchPath({ tools }: JsonObject): string | undefined {
  if (!Array.isArray(tools)) return undefined;
  for (const [index, tool] of tools.entries()) {
    const name = searches.find((each) => isObject(tool) && isObject(tool[each]));
    if (name !== undefined) return `tools[${index}].${name}`;
  }
  return undefined;
}
