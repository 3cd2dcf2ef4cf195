// The fields that say which model answers what, with which tools, and how the answer is sent.

import { messages } from "../chat/check-messages.ts";
import { functionChoice, functions, toolChoice, tools } from "../chat/check-tools.ts";
import { anyText, boolean, integer, list, object, oneOf, text } from "../checks/check-value.ts";
import { changesInput, inputBounds } from "../embeddings/parse-input.ts";
import {
  contents,
  model as modelOfGemini,
  systemInstruction,
  toolConfig,
  tools as toolsOfGemini,
} from "../gemini/check-contents.ts";
import { tools as toolsOfInteractions } from "../interactions/check-settings.ts";
import { input as inputOfInteractions } from "../interactions/check-steps.ts";
import {
  blocks,
  messages as messagesOfAnthropic,
  model as modelOfAnthropic,
  toolChoice as toolChoiceOfAnthropic,
  tools as toolsOfAnthropic,
} from "../messages/check-blocks.ts";
import { input } from "../responses/check-items.ts";
import {
  toolChoice as toolChoiceOfResponses,
  tools as toolsOfResponses,
} from "../responses/check-tools.ts";
import { everywhere, type FieldTable, isEmpty, useChats } from "./request-field.ts";

/** What servers embed instead of `input`: vLLM, TEI. */
const otherInput = { why: changesInput };
const modelName = text({ nonEmpty: true, maxLength: 128 });
const nonEmptyText = text({ nonEmpty: true });

/** Those of built-in tools are accepted: without the tools there is nothing to include. */
const includable = oneOf([
  "reasoning.encrypted_content",
  "message.output_text.logprobs",
  "message.input_image.image_url",
  "file_search_call.results",
  "web_search_call.results",
  "web_search_call.action.sources",
  "computer_call_output.output.image_url",
  "code_interpreter_call.outputs",
]);

export const conversationFields: FieldTable = {
  model: {
    rule: "pass",
    of: {
      chat: { check: modelName, isReadByParser: true, isExactName: true },
      responses: { check: modelName, isReadByParser: true, isExactName: true },
      messages: { check: modelOfAnthropic, isReadByParser: true, isExactName: true },
      gemini: { check: modelOfGemini, isReadByParser: true, isExactName: true },
      interactions: { check: modelOfGemini, isReadByParser: true, isExactName: true },
      embeddings: { check: modelName, isReadByParser: true, isExactName: true },
    },
    to: { ...everywhere, geminiEmbeddings: true },
    isTakenEverywhere: true,
  },
  messages: {
    rule: "pass",
    of: {
      chat: { check: messages, isReadByParser: true, isExactName: true },
      messages: {
        check: messagesOfAnthropic,
        isReadByParser: true,
        isExactName: true,
        inChat: "translated",
      },
      completions: { refused: useChats },
      embeddings: { refused: otherInput, isExactName: true },
    },
    names: { responses: "input", gemini: "contents" },
    to: everywhere,
    isTakenEverywhere: true,
  },
  system: {
    rule: "pass",
    of: { messages: { check: blocks, isExactName: true, inChat: "translated" } },
  },
  contents: {
    rule: "pass",
    of: {
      gemini: { check: contents, isReadByParser: true, isExactName: true, inChat: "translated" },
    },
  },
  systemInstruction: {
    rule: "pass",
    of: { gemini: { check: systemInstruction, isExactName: true, inChat: "translated" } },
  },
  system_instruction: {
    rule: "pass",
    of: {
      // Google's JSON takes the names of its older API in this spelling as well.
      gemini: { inChat: "translated" },
      interactions: { check: anyText, isExactName: true, inChat: "translated" },
    },
  },
  instructions: {
    rule: "pass",
    of: { responses: { check: anyText, isExactName: true, inChat: "translated" } },
  },
  input: {
    rule: "pass",
    of: {
      responses: { check: input, isReadByParser: true, isExactName: true, inChat: "translated" },
      interactions: {
        check: inputOfInteractions,
        isReadByParser: true,
        isExactName: true,
        inChat: "translated",
      },
      embeddings: { bounds: inputBounds, isReadByParser: true, isExactName: true },
    },
    to: { geminiEmbeddings: true },
    isTakenEverywhere: true,
  },
  prompt: {
    rule: "pass",
    of: {
      responses: {
        refused: {
          why: "Prompt templates are not stored here. Send the text in 'instructions' and 'input'.",
        },
        isExactName: true,
        inChat: "nothing",
      },
      completions: {
        bounds: {
          ...nonEmptyText.bounds,
          list: { minItems: 1, maxItems: 1, items: nonEmptyText.bounds },
        },
        isReadByParser: true,
        inChat: "translated",
      },
    },
  },
  inputs: { rule: "refuse", of: { embeddings: { refused: otherInput, isExactName: true } } },
  images: { rule: "refuse", of: { embeddings: { refused: otherInput, isExactName: true } } },
  stream: {
    rule: "pass",
    of: {
      chat: { check: boolean, isExactName: true },
      responses: { check: boolean, isExactName: true },
      messages: { check: boolean, isExactName: true },
      gemini: { check: boolean, isExactName: true, inChat: "translated" },
      interactions: { check: boolean, isExactName: true, inChat: "translated" },
    },
    to: everywhere,
    isTakenEverywhere: true,
  },
  stream_options: {
    rule: "pass",
    of: {
      chat: {
        check: object({ optional: { include_usage: boolean, include_obfuscation: boolean } }),
        isExactName: true,
      },
      responses: {
        check: object({ optional: { include_obfuscation: boolean } }),
        inChat: "nothing",
      },
    },
    to: everywhere,
    isTakenEverywhere: true,
  },
  tools: {
    rule: "pass",
    of: {
      chat: { check: tools },
      responses: { check: toolsOfResponses, isExactName: true, inChat: "translated" },
      messages: { check: toolsOfAnthropic, isExactName: true, inChat: "translated" },
      gemini: { check: toolsOfGemini, isExactName: true, inChat: "translated" },
      interactions: { check: toolsOfInteractions, isExactName: true, inChat: "translated" },
      completions: { refused: useChats },
    },
    to: everywhere,
    asksForNothing: isEmpty,
    listed: { with: "tools" },
  },
  tool_choice: {
    rule: "pass",
    of: {
      chat: { check: toolChoice },
      responses: { check: toolChoiceOfResponses, inChat: "translated", bindsAnswer: true },
      messages: { check: toolChoiceOfAnthropic, inChat: "translated" },
      completions: { refused: useChats },
    },
    names: { gemini: "toolConfig.functionCallingConfig" },
    to: everywhere,
    listed: { with: "tools" },
  },
  toolConfig: {
    rule: "pass",
    of: { gemini: { check: toolConfig, inChat: "translated" } },
  },
  parallel_tool_calls: {
    rule: "preference",
    of: {
      chat: { check: boolean },
      responses: { check: boolean, inChat: "translated", bindsAnswer: true },
    },
    names: { messages: "tool_choice.disable_parallel_tool_use" },
    to: everywhere,
    asksForNothing: (value) => value === true,
    listed: { with: "tools" },
  },
  functions: {
    rule: "pass",
    of: { chat: { check: functions }, completions: { refused: useChats } },
    names: { responses: "tools" },
    asksForNothing: isEmpty,
  },
  function_call: {
    rule: "pass",
    of: { chat: { check: functionChoice }, completions: { refused: useChats } },
    names: { responses: "tool_choice" },
  },
  max_tool_calls: {
    rule: "pass",
    of: { responses: { check: integer(1, 2 ** 31 - 1), inChat: "nothing" } },
  },
  include: {
    rule: "pass",
    of: { responses: { check: list(includable, { of: "strings" }), inChat: "nothing" } },
  },
};
