// Custom tools take text in their own format. For upstreams that support only functions, each becomes a
// function with one text.
import { isObject, type JsonObject, parseText } from "@turnpike/base";

/** The one argument of a function that represents a custom tool. */
export const inputName = "input";

/**
 * The input of a custom tool, from the arguments of its function; arguments of another shape are
 * used unchanged.
 */
export function inputOf(args: JsonObject): string {
  const input = args[inputName];
  if (typeof input === "string") return input;
  return Object.keys(args).length === 0 ? "" : JSON.stringify(args);
}

/** Names of the custom tools that a request offers. */
export function customToolNames({ tools }: JsonObject): ReadonlySet<unknown> {
  const offered = Array.isArray(tools) ? tools.filter(isObject) : [];
  const customs = offered.map(({ custom }) => custom).filter(isObject);
  return new Set(customs.map(({ name }) => name));
}

/** A custom tool as a function with one text; the grammar becomes part of the description. */
export function functionOf(tool: JsonObject): JsonObject {
  const grammar = isObject(tool.format) && isObject(tool.format.grammar) && tool.format.grammar;
  const hint = grammar
    ? `The input must match this ${parseText(grammar.syntax) ?? ""} grammar:\n${parseText(grammar.definition) ?? ""}`
    : undefined;
  const description = [parseText(tool.description), hint].filter((text) => text !== undefined);
  return {
    type: "function",
    function: {
      name: tool.name,
      ...(description.length > 0 && { description: description.join("\n\n") }),
      parameters: {
        type: "object",
        properties: { [inputName]: { type: "string", description: "The input of the tool." } },
        required: [inputName],
        additionalProperties: false,
      },
    },
  };
}
