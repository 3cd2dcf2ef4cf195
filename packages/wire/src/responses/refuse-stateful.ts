// What of the Responses API needs a memory or a machine of the provider: conversations kept on the
// server, work in the background, built-in tools. Each is refused by name, before anything is charged.
import type { Fault, JsonObject } from "@turnpike/base";
import { isGiven } from "../check-value.ts";
import { unsupported } from "../refuse-body.ts";

type Reason = { readonly applies: (value: unknown) => boolean; readonly sentence: string };

const notStored = "Responses are not stored here.";

/** Fields that change what a call means and that need a stored response. */
const statefulFields: Readonly<Record<string, Reason>> = {
  previous_response_id: {
    applies: isGiven,
    sentence: `${notStored} Send the items of the conversation in 'input' instead.`,
  },
  conversation: {
    applies: isGiven,
    sentence: `${notStored} Send the items of the conversation in 'input' instead.`,
  },
  background: {
    applies: (value) => value === true,
    sentence: `${notStored} Omit 'background' or set it to false, and wait for the answer.`,
  },
  prompt: {
    applies: isGiven,
    sentence: "Prompt templates are not stored here. Send the text in 'instructions' and 'input'.",
  },
  context_management: {
    applies: (value) => Array.isArray(value) && value.length > 0,
    sentence: "Compaction by the server is not supported. Shorten 'input' instead.",
  },
  moderation: {
    applies: isGiven,
    sentence: "Moderation of inputs and outputs is not supported. Remove it from the request.",
  },
  access_programs: {
    applies: isGiven,
    sentence: "Access programs are not supported. Remove it from the request.",
  },
  image: {
    applies: isGiven,
    sentence: "Options for images of the whole request are not supported. Remove it.",
  },
};

/** Each may have a value that asks for nothing. */
export const statefulFieldNames: readonly string[] = Object.keys(statefulFields);

/** Fields of the chat completions API, and what the Responses API calls them. */
const chatFields: Readonly<Record<string, string>> = {
  messages: "'input'",
  max_tokens: "'max_output_tokens'",
  max_completion_tokens: "'max_output_tokens'",
  response_format: "'text.format'",
  reasoning_effort: "'reasoning.effort'",
  verbosity: "'text.verbosity'",
  functions: "'tools'",
  function_call: "'tool_choice'",
};

/** Fields of the chat completions API without a counterpart in the Responses API. */
const absentFields = ["n", "logprobs", "modalities", "audio", "prediction"];

/** Throws the Fault of the first field of `body` that cannot be honored. */
export function refuseStateful(body: JsonObject): void {
  for (const param in body) {
    const value = body[param];
    const stateful = statefulFields[param];
    if (Object.hasOwn(statefulFields, param) && stateful?.applies(value)) {
      throw unsupported(param, stateful.sentence);
    }
    if (!isGiven(value)) continue;
    if (Object.hasOwn(chatFields, param)) {
      const sentence = `In the Responses API, this parameter has moved to ${chatFields[param]}.`;
      throw unsupported(param, sentence);
    }
    if (absentFields.includes(param)) {
      throw unsupported(param, "The Responses API has no such parameter.");
    }
  }
}

const builtInTools = new Set([
  ...["web_search", "web_search_2025_08_26", "web_search_preview", "web_search_preview_2025_03_11"],
  ...["file_search", "computer", "computer_use", "computer_use_preview", "code_interpreter"],
  ...["image_generation", "mcp", "local_shell", "shell", "apply_patch"],
  ...["programmatic_tool_calling", "tool_search"],
]);

export function isBuiltInTool(type: string): boolean {
  return builtInTools.has(type);
}

/** `path` is that of the tool's `type`. */
export function refuseBuiltInTool(path: string, type: string): Fault {
  const sentence = `'${type}' is a tool that the provider runs itself, which is not supported here. Remove it, or offer your own function.`;
  return unsupported(path, sentence);
}
