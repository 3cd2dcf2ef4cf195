// Tools and tool choice as Anthropic's API spells them.
import { isObject, type JsonObject } from "@turnpike/base";
import { untranslatable } from "../../untranslatable.ts";
import { type AllowedTools, allowedToolsOf, nameOfTool } from "../allowed-tools.ts";
import { functionOf } from "../custom-tool.ts";

/** `tools` and `tool_choice` of a request; empty without tools. Throws the Fault of a choice without any. */
export function writeTools(parsed: JsonObject): JsonObject {
  const offered = Array.isArray(parsed.tools) ? parsed.tools.filter(isObject) : [];
  if (offered.length === 0) return {};
  const allowed = allowedToolsOf(parsed.tool_choice);
  const tools = allowed === undefined ? offered : keepAllowed(offered, allowed);
  const choice = writeChoice(allowed?.mode ?? parsed.tool_choice);
  const isSingle = parsed.parallel_tool_calls === false && choice?.type !== "none";
  const written = { tools: tools.map(writeTool) };
  if (!isSingle) return choice === undefined ? written : { ...written, tool_choice: choice };
  return {
    ...written,
    tool_choice: { type: "auto", ...choice, disable_parallel_tool_use: true },
  };
}

/** A choice among some tools is an offer of these alone. */
function keepAllowed(offered: readonly JsonObject[], { names }: AllowedTools): JsonObject[] {
  const kept = offered.filter((tool) => names.has(nameOfTool(tool)));
  if (kept.length > 0) return kept;
  throw untranslatable("tool_choice", "none of the allowed tools is in `tools`");
}

const anyInput: JsonObject = { type: "object", properties: {} };

function writeTool(tool: JsonObject): JsonObject {
  const written = functionTool(
    isObject(tool.custom) ? functionOf(tool.custom).function : tool.function,
  );
  const mark = tool.cache_control;
  return isObject(mark) ? { ...written, cache_control: mark } : written;
}

function functionTool(definition: unknown): JsonObject {
  const { name, description, parameters, strict } = isObject(definition) ? definition : {};
  const tool: JsonObject = { name };
  if (typeof description === "string") tool.description = description;
  // Anthropic requires every schema to state its type.
  tool.input_schema = isObject(parameters) ? { type: "object", ...parameters } : anyInput;
  if (strict === true) tool.strict = true;
  return tool;
}

function writeChoice(choice: unknown): JsonObject | undefined {
  if (choice === "auto" || choice === "none") return { type: choice };
  if (choice === "required") return { type: "any" };
  return isObject(choice) ? { type: "tool", name: nameOfTool(choice) } : undefined;
}
