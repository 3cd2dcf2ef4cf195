// Tools and tool choice as Anthropic's API spells them.
import { isObject, type JsonObject } from "@turnpike/base";
import { untranslatable } from "../../untranslatable.ts";
import { type AllowedTools, allowedToolsOf, nameOfTool } from "../allowed-tools.ts";
import { functionOf } from "../custom-tool.ts";
import { objectSchemaOf } from "../object-schema.ts";
import type { StructuredSchemas } from "./structured-schema.ts";

/**
 * `tools` and `tool_choice` of a request; empty without tools. `schemas` is undefined for a model that knows no
 * strict tools. Throws the Fault of a choice without any.
 */
export function writeTools(parsed: JsonObject, schemas?: StructuredSchemas): JsonObject {
  const offered = Array.isArray(parsed.tools) ? parsed.tools.filter(isObject) : [];
  if (offered.length === 0) return {};
  const allowed = allowedToolsOf(parsed.tool_choice);
  const tools = allowed === undefined ? offered : filterAllowed(offered, allowed);
  const choice = writeChoice(allowed?.mode ?? parsed.tool_choice);
  const isSingle = parsed.parallel_tool_calls === false && choice?.type !== "none";
  const written = { tools: tools.map((tool) => writeTool(tool, schemas)) };
  if (!isSingle) return choice === undefined ? written : { ...written, tool_choice: choice };
  return {
    ...written,
    tool_choice: { type: "auto", ...choice, disable_parallel_tool_use: true },
  };
}

/** A choice among some tools is an offer of these alone. */
function filterAllowed(offered: readonly JsonObject[], { names }: AllowedTools): JsonObject[] {
  const kept = offered.filter((tool) => names.has(nameOfTool(tool)));
  if (kept.length > 0) return kept;
  throw untranslatable("tool_choice", "none of the allowed tools is in `tools`");
}

const anyInput: JsonObject = { type: "object", properties: {} };

function writeTool(tool: JsonObject, schemas: StructuredSchemas | undefined): JsonObject {
  const source = isObject(tool.custom) ? functionOf(tool.custom).function : tool.function;
  const written = functionTool(isObject(source) ? source : {}, schemas);
  const mark = tool.cache_control;
  return isObject(mark) ? { ...written, cache_control: mark } : written;
}

/** A tool whose input Anthropic cannot be bound to is not strict. */
function functionTool(
  { name, description, parameters, strict }: JsonObject,
  schemas: StructuredSchemas | undefined,
): JsonObject {
  const described = typeof description === "string" ? { name, description } : { name };
  // Anthropic requires every schema to state its type.
  const schema = isObject(parameters)
    ? objectSchemaOf({ type: "object", ...parameters })
    : anyInput;
  const bound = strict === true ? schemas?.fitTool(schema) : undefined;
  if (bound === undefined) return { ...described, input_schema: schema };
  return { ...described, input_schema: bound, strict };
}

function writeChoice(choice: unknown): JsonObject | undefined {
  if (choice === "auto" || choice === "none") return { type: choice };
  if (choice === "required") return { type: "any" };
  return isObject(choice) ? { type: "tool", name: nameOfTool(choice) } : undefined;
}
