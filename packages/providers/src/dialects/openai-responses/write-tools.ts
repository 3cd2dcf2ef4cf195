// Tools and tool choice as the Responses API spells them: the same members without an object
// around them.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import { functionOf } from "../custom-tool.ts";
import { fitDefinition } from "../openai/fit-tools.ts";
import type { OpenaiQuirks } from "../openai/quirks.ts";

/** `tools`, `tool_choice` and `parallel_tool_calls` of a request; empty without tools. */
export function writeTools(parsed: JsonObject, quirks: OpenaiQuirks): JsonObject {
  const offered = Array.isArray(parsed.tools) ? parsed.tools.filter(isObject) : [];
  if (offered.length === 0) return {};
  const hasCustomTools = quirks.customTools === "native";
  const written: JsonObject = { tools: offered.map((tool) => writeTool(tool, quirks)) };
  const choice = parsed.tool_choice ?? undefined;
  if (choice !== undefined) {
    written.tool_choice = isObject(choice)
      ? writeChoice(choice, hasCustomTools)
      : spellChoice(choice, quirks);
  }
  if (typeof parsed.parallel_tool_calls === "boolean") {
    written.parallel_tool_calls = parsed.parallel_tool_calls;
  }
  return written;
}

const anyParameters: JsonObject = { type: "object", properties: {} };

function writeTool(tool: JsonObject, quirks: OpenaiQuirks): JsonObject {
  if (isObject(tool.custom)) {
    const isNative = quirks.customTools === "native";
    return isNative ? writeCustom(tool.custom) : writeTool(functionOf(tool.custom), quirks);
  }
  const definition = fitDefinition(isObject(tool.function) ? tool.function : {}, quirks);
  const { name, description, parameters, strict } = definition;
  return {
    type: "function",
    name,
    ...(parseText(description) !== undefined && { description }),
    parameters: isObject(parameters) ? parameters : anyParameters,
    // A response's default is true, a chat completion's is false.
    strict: strict === true,
  };
}

function writeCustom({ name, description, format }: JsonObject): JsonObject {
  return {
    type: "custom",
    name,
    ...(parseText(description) !== undefined && { description }),
    ...(isObject(format) && { format: writeFormat(format) }),
  };
}

function writeFormat(format: JsonObject): JsonObject {
  return isObject(format.grammar) ? { type: "grammar", ...format.grammar } : { type: "text" };
}

function spellChoice(choice: unknown, { mustCallTool }: OpenaiQuirks): unknown {
  return choice === "required" ? mustCallTool : choice;
}

function writeChoice(choice: JsonObject, hasCustomTools: boolean): JsonObject {
  if (!isObject(choice.allowed_tools)) return nameTool(choice, hasCustomTools);
  const { mode, tools } = choice.allowed_tools;
  const allowed = Array.isArray(tools) ? tools.filter(isObject) : [];
  const named = allowed.map((tool) => nameTool(tool, hasCustomTools));
  return { type: "allowed_tools", mode, tools: named };
}

function nameTool(tool: JsonObject, hasCustomTools: boolean): JsonObject {
  if (isObject(tool.custom)) {
    return { type: hasCustomTools ? "custom" : "function", name: tool.custom.name };
  }
  return { type: "function", name: isObject(tool.function) ? tool.function.name : tool.name };
}
