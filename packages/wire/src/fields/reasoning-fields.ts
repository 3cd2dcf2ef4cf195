// The fields that say whether and how long a model reasons, and how that is shown, all of them preferences.
import { isObject } from "@turnpike/base";
import { anyText, boolean, integer, object } from "../checks/check-value.ts";
import { thinking } from "../messages/check-blocks.ts";
import {
  each,
  everywhere,
  type FieldTable,
  foreign,
  ignoredElsewhere,
  isOff,
  own,
} from "./request-field.ts";

const level = { type: ["string", "null"] } as const;
const flag = { type: ["boolean", "null"] } as const;

export const reasoningFields: FieldTable = {
  // OpenRouter's.
  reasoning: {
    rule: "preference",
    of: {
      chat: {
        check: object({
          optional: {
            effort: anyText,
            max_tokens: integer(0, 2 ** 31 - 1),
            summary: anyText,
            exclude: boolean,
            enabled: boolean,
          },
        }),
      },
      responses: {
        check: object({
          optional: { effort: anyText, summary: anyText, generate_summary: anyText },
        }),
        inChat: "translated",
      },
      messages: { refused: { why: "Use 'thinking', and 'output_config.effort'." } },
    },
    names: { messages: "thinking", gemini: "generationConfig.thinkingConfig" },
    to: everywhere,
    asksForNothing: (value) => isObject(value) && value.enabled === false,
    listed: { with: "reasoning" },
    hidesReasoning: (value) =>
      !isObject(value) || (value.exclude ?? false) !== false || "summary" in value,
    schema: {
      description: `How the model reasons, in OpenRouter's words; outweighs \`reasoning_effort\`. Reasoning is billed as output. ${ignoredElsewhere}`,
      type: ["object", "null"],
      properties: {
        effort: {
          description: "How much the model may reason. The model decides which levels it has.",
          ...level,
        },
        max_tokens: {
          description:
            "Most tokens of reasoning: 0 to 2,147,483,647, or the nearest the model accepts.",
          type: ["integer", "null"],
        },
        summary: {
          description: "Asks for a summary of the reasoning instead of its text.",
          ...level,
        },
        exclude: {
          description:
            "True does not show the reasoning; it is billed all the same. Default: false.",
          ...flag,
        },
        enabled: {
          description: "False turns reasoning off, or down to the least the model has.",
          ...flag,
        },
      },
    },
  },
  include_reasoning: {
    rule: "preference",
    of: { chat: own, messages: { refused: { why: "Use 'thinking.display'." } } },
    names: { gemini: "generationConfig.thinkingConfig.includeThoughts" },
    to: everywhere,
    asksForNothing: isOff,
    listed: { with: "reasoning" },
    hidesReasoning: (value) => value !== true,
    schema: {
      description: `False does not show the reasoning; it is billed all the same. ${ignoredElsewhere}`,
      ...flag,
    },
  },
  reasoning_effort: {
    rule: "preference",
    of: {
      // Open, because upstreams keep adding levels.
      chat: { check: anyText },
      messages: { refused: { why: "Use 'output_config.effort'." } },
    },
    names: {
      responses: "reasoning.effort",
      messages: "output_config.effort",
      gemini: "generationConfig.thinkingConfig.thinkingLevel",
    },
    to: everywhere,
    asksForNothing: (value) => value === "none",
    listed: { with: "reasoning" },
  },
  // Anthropic's.
  thinking: {
    rule: "preference",
    of: { chat: foreign, messages: { check: thinking, inChat: "translated" } },
    asksForNothing: (value) => isObject(value) && value.type === "disabled",
    hidesReasoning: (value) => isObject(value) && (value.display ?? "full") !== "full",
  },
  // Groq's.
  reasoning_format: {
    rule: "preference",
    of: { chat: foreign },
    hidesReasoning: (value) => value !== "parsed" && value !== "raw",
  },
  // SGLang sends it in one piece when it is complete.
  stream_reasoning: {
    rule: "preference",
    of: { chat: foreign },
    hidesReasoning: (value) => value !== true,
  },
  ...each(
    [
      "thinking_budget",
      "thinking_token_budget",
      "enable_thinking",
      "think",
      "disable_reasoning",
      "prompt_mode",
      "reasoning_split",
      "separate_reasoning",
      "preserve_thinking",
      "clear_thinking",
      "reasoning_history",
    ],
    { rule: "preference", of: { chat: foreign } },
  ),
};
