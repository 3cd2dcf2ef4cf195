// Tools and tool choice as Gemini's function declarations. Schemas pass unchanged: the API
// takes full JSON Schema in addition to its older, reduced one.
import { isObject, type JsonObject, readText } from "@turnpike/base";
import { untranslatable } from "../../untranslatable.ts";
import { functionOf } from "../custom-tool.ts";

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
    ...(readText(description) !== undefined && { description }),
    ...(isObject(parameters) && { parametersJsonSchema: parameters }),
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
  if (isObject(choice.allowed_tools)) {
    const { mode, tools } = choice.allowed_tools;
    const allowed = Array.isArray(tools) ? tools.filter(isObject).map(nameOf) : [];
    const allowedFunctionNames = allowed.filter((name) => name !== undefined);
    // Gemini accepts a list of names only with these two modes.
    return { mode: mode === "required" ? "ANY" : "VALIDATED", allowedFunctionNames };
  }
  return { mode: "ANY", allowedFunctionNames: [nameOf(choice)] };
}

function nameOf(tool: JsonObject): unknown {
  if (isObject(tool.custom)) return tool.custom.name;
  return isObject(tool.function) ? tool.function.name : tool.name;
}
