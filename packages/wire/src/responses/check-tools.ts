// What the tools of a response and the tool choice may look like. JSON Schemas inside are only checked to
// be objects.

import { type Fault, isObject } from "@turnpike/base";
import { missing, notSupported, unsupported, wrongType } from "../checks/body-fault.ts";
import {
  anyObject,
  anyText,
  boolean,
  boundsOf,
  list,
  object,
  oneOf,
  type Rule,
  rule,
  tagged,
  text,
  textOrObject,
} from "../checks/check-value.ts";
import { imageTool, imageToolType } from "./image-tool.ts";

const maxTools = 512;
const name = text({ nonEmpty: true, maxLength: 128 });

const functionTool = object({
  required: {
    name: text({ nonEmpty: true, maxLength: 128, pattern: /^[a-zA-Z0-9_-]+$/ }),
  },
  optional: { description: anyText, parameters: anyObject, strict: boolean },
});

const customTool = object({
  required: { name },
  optional: {
    description: anyText,
    format: tagged("type", {
      text: anyObject,
      grammar: object({
        required: { syntax: oneOf(["lark", "regex"]), definition: anyText },
      }),
    }),
  },
});

const namespaceTool = object({
  required: {
    name,
    tools: list(tagged("type", { function: functionTool, custom: customTool }), { of: "objects" }),
  },
  optional: { description: anyText },
});

/** The client searches: the model only requests it. */
const clientSearch = object({ optional: { description: anyText, parameters: anyObject } });

const shapes: Readonly<Record<string, Rule>> = {
  function: functionTool,
  custom: customTool,
  namespace: namespaceTool,
  [imageToolType]: imageTool,
};

const tool = rule(
  {
    kinds: {
      tag: "type",
      shapes: { ...boundsOf(Object.entries(shapes)), tool_search: clientSearch.bounds },
    },
  },
  (value, path) => {
    anyObject(value, path);
    if (!isObject(value)) return;
    const { type } = value;
    if (type === undefined) throw missing(`${path}.type`);
    if (typeof type !== "string") throw wrongType(`${path}.type`, "a string", type);
    if (type === "tool_search" && value.execution === "client") return clientSearch(value, path);
    if (isBuiltInTool(type)) throw builtInToolFault(`${path}.type`, type);
    const shape = Object.hasOwn(shapes, type) ? shapes[type] : undefined;
    if (shape === undefined) throw notSupported(`${path}.type`, type, Object.keys(shapes));
    shape(value, path);
  },
);

export const tools = list(tool, { max: maxTools, of: "objects" });

const named = object({ required: { name: anyText } });

const choiceShapes: Readonly<Record<string, Rule>> = {
  function: named,
  custom: named,
  [imageToolType]: anyObject,
  allowed_tools: object({
    required: {
      mode: oneOf(["auto", "required"]),
      tools: list(anyObject, { min: 1, of: "objects" }),
    },
  }),
};

const choice = rule(
  { kinds: { tag: "type", shapes: boundsOf(Object.entries(choiceShapes)) } },
  (value, path) => {
    anyObject(value, path);
    if (!isObject(value)) return;
    const { type } = value;
    if (type === undefined) throw missing(`${path}.type`);
    if (typeof type !== "string") throw wrongType(`${path}.type`, "a string", type);
    if (isBuiltInTool(type)) throw builtInToolFault(`${path}.type`, type);
    const shape = Object.hasOwn(choiceShapes, type) ? choiceShapes[type] : undefined;
    if (shape === undefined) throw notSupported(`${path}.type`, type, Object.keys(choiceShapes));
    shape(value, path);
  },
);

export const toolChoice = textOrObject(oneOf(["none", "auto", "required"]), choice);

/** The tools that a provider runs itself: they need a memory or a machine there, so each is refused by name. */
const builtInTools = new Set([
  "web_search",
  "web_search_2025_08_26",
  "web_search_preview",
  "web_search_preview_2025_03_11",
  "file_search",
  "computer",
  "computer_use",
  "computer_use_preview",
  "code_interpreter",
  "mcp",
  "local_shell",
  "shell",
  "apply_patch",
  "programmatic_tool_calling",
  "tool_search",
]);

function isBuiltInTool(type: string): boolean {
  return builtInTools.has(type);
}

/** `path` is that of the tool's `type`. */
function builtInToolFault(path: string, type: string): Fault {
  const sentence = `'${type}' is a tool that the provider runs itself, which is not supported here. Remove it, or offer your own function.`;
  return unsupported(path, sentence);
}
