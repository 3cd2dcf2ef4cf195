// Tools and tool choice as Gemini's function declarations. Schemas pass unchanged: the API
// takes full JSON Schema in addition to its older, reduced one.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import { untranslatable } from "../../untranslatable.ts";
import { allowedToolsOf, nameOfTool } from "../allowed-tools.ts";
import { functionOf } from "../custom-tool.ts";
import { objectSchemaOf } from "../object-schema.ts";

/** `tools` and `toolConfig` of a request; empty without tools. Throws the Fault of a field. */
export function translateTools(body: JsonObject): JsonObject {
  const tools = Array.isArray(body.tools) ? body.tools.filter(isObject) : [];
  if (tools.length === 0) return {};
  const declarations = tools.map((tool, index) => declare(tool, `tools[${index}]`));
  const isStrict = tools.some((tool) => isObject(tool.function) && tool.function.strict === true);
  const functionCallingConfig = translateChoice(body.tool_choice, isStrict);
  return {
    tools: [{ functionDeclarations: declarations }],
    ...(functionCallingConfig !== undefined && { toolConfig: { functionCallingConfig } }),
  };
}

function declare(tool: JsonObject, path: string): JsonObject {
  const source = isObject(tool.custom) ? functionOf(tool.custom).function : tool.function;
  if (!isObject(source)) throw untranslatable(`${path}.type`, "Gemini supports only functions");
  const { name, description, parameters } = source;
  return {
    name,
    ...(parseText(description) !== undefined && { description }),
    ...(isObject(parameters) && { parametersJsonSchema: objectSchemaOf(parameters) }),
  };
}

/** VALIDATED leaves the choice to the model, and makes calls match the schemas of their tools. */
function translateChoice(choice: unknown, isStrict: boolean): JsonObject | undefined {
  const free = isStrict ? "VALIDATED" : "AUTO";
  if (choice === "none") return { mode: "NONE" };
  if (choice === "required") return { mode: "ANY" };
  if (isObject(choice)) return translateNamed(choice);
  return choice === "auto" || isStrict ? { mode: free } : undefined;
}

function translateNamed(choice: JsonObject): JsonObject {
  const allowed = allowedToolsOf(choice);
  if (allowed === undefined) return { mode: "ANY", allowedFunctionNames: [nameOfTool(choice)] };
  const allowedFunctionNames = [...allowed.names];
  // Gemini accepts a list of names only with these two modes.
  return { mode: allowed.mode === "required" ? "ANY" : "VALIDATED", allowedFunctionNames };
}
