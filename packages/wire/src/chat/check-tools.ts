// What tools, tool choice and the calls in the history may look like.
// JSON Schemas inside are only checked to be objects: the upstream gets them as they were sent.
import {
  anyObject,
  anyText,
  boolean,
  list,
  object,
  oneOf,
  tagged,
  text,
  textOrObject,
} from "../checks/check-value.ts";

/** Of functions, tools and schemas. */
export const functionName = text({ nonEmpty: true, maxLength: 64, pattern: /^[a-zA-Z0-9_-]+$/ });

const functionDefinition = object({
  required: { name: functionName },
  optional: { description: anyText, parameters: anyObject, strict: boolean },
});

const grammar = object({
  required: { syntax: oneOf(["lark", "regex"]), definition: anyText },
});

const customDefinition = object({
  required: { name: text({ nonEmpty: true }) },
  optional: {
    description: anyText,
    format: tagged("type", {
      text: anyObject,
      grammar: object({ required: { grammar } }),
    }),
  },
});

export const tools = list(
  tagged("type", {
    function: object({ required: { function: functionDefinition } }),
    custom: object({ required: { custom: customDefinition } }),
  }),
  { max: 128, of: "objects" },
);

/** The form that `tools` replaced. */
export const functions = list(functionDefinition, { min: 1, max: 128, of: "objects" });

const named = object({ required: { name: anyText } });

export const toolChoice = textOrObject(
  oneOf(["none", "auto", "required"]),
  tagged("type", {
    function: object({ required: { function: named } }),
    custom: object({ required: { custom: named } }),
    allowed_tools: object({
      required: {
        allowed_tools: object({
          required: {
            mode: oneOf(["auto", "required"]),
            tools: list(anyObject, { of: "objects" }),
          },
        }),
      },
    }),
  }),
);

export const functionChoice = textOrObject(oneOf(["none", "auto"]), named);

/** `arguments` is text that a model once wrote: it may not be JSON at all. */
export const functionCall = object({ required: { name: anyText, arguments: anyText } });

/** An empty list is refused as OpenAI refuses it (home-assistant/core#118577). */
export const toolCalls = list(
  tagged("type", {
    function: object({ required: { id: anyText, function: functionCall } }),
    custom: object({
      required: { id: anyText, custom: object({ required: { name: anyText, input: anyText } }) },
    }),
  }),
  { min: 1, of: "objects" },
);
