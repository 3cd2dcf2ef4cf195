// The tools of a chat completion as a service with these quirks accepts them, in whatever language they were written.
import { isObject, type JsonObject } from "@turnpike/base";
import { parseExactly } from "@turnpike/wire";
import { isObjectSchema } from "../object-schema.ts";
import { renameOffers, type ToolNames } from "../tool-names.ts";
import { fitSchema, type SchemaQuirks } from "./fit-schema.ts";
import type { OpenaiQuirks } from "./quirks.ts";

/** Of a tool without a schema. */
const noInput: JsonObject = { type: "object", properties: {} };

/** `definition` itself if its schema may be as it is; one that has lost a union binds nothing. */
export function fitDefinition(definition: JsonObject, quirks: SchemaQuirks): JsonObject {
  const { parameters, strict } = definition;
  if (!isObject(parameters)) {
    return quirks.rootSchemas === "stated" ? { ...definition, parameters: noInput } : definition;
  }
  const fitted = fitSchema(parameters, quirks);
  if (fitted === parameters) return definition;
  const hasLost = quirks.rootSchemas === "objects" && !isObjectSchema(parameters);
  return {
    ...definition,
    parameters: fitted,
    ...(hasLost && strict === true && { strict: false }),
  };
}

function fitTool(tool: unknown, quirks: OpenaiQuirks): unknown {
  if (!isObject(tool) || !isObject(tool.function)) return tool;
  const fitted = fitDefinition(tool.function, quirks);
  return fitted === tool.function ? tool : { ...tool, function: fitted };
}

/** `tools` and `tool_choice` to send instead of those of `body`; empty where both may be as they are. */
export function fitOffers(body: JsonObject, quirks: OpenaiQuirks, names: ToolNames): JsonObject {
  const { tools, tool_choice: choice } = body;
  if (!Array.isArray(tools)) return {};
  const fitted = tools.map((tool: unknown) => fitTool(tool, quirks));
  if (names.hasRenamed) return renameOffers({ tools: fitted, tool_choice: choice }, names);
  return fitted.every((tool, at) => tool === tools[at]) ? {} : { tools: fitted };
}

/** The same of a caller's own body, whose `tools` have the text `text`: members as JSON texts. */
export function fitOwnOffers(
  text: string,
  parsed: JsonObject,
  quirks: OpenaiQuirks,
  names: ToolNames,
): Record<string, string> {
  if (Object.keys(fitOffers(parsed, quirks, names)).length === 0) return {};
  const exact = fitOffers({ ...parsed, tools: parseExactly(text) }, quirks, names);
  return Object.fromEntries(
    Object.entries(exact).map(([name, value]) => [name, JSON.stringify(value)]),
  );
}
