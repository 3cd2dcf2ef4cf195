// The top-level fields of a request for a response as one table, after `CreateResponse` in OpenAI's
// openapi.yaml. Fields that are not in it are passed on.
import { isObject, type JsonObject } from "@turnpike/base";
import type { FieldBounds } from "../bounds.ts";
import { chatFieldRule, metadata } from "../chat/check-chat-fields.ts";
import {
  anyObject,
  anyText,
  boolean,
  boundsOf,
  decimal,
  integer,
  list,
  object,
  oneOf,
  type Rule,
  text,
} from "../check-value.ts";
import { brokenRule, missing } from "../refuse-body.ts";
import { requestableTiers } from "../service-tier.ts";
import { input } from "./check-items.ts";
import { toolChoice, tools } from "./check-tools.ts";
import { textFormat } from "./text-format.ts";

const model = text({ nonEmpty: true, maxLength: 128 });

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

const optional = new Map<string, Rule>(
  Object.entries({
    instructions: anyText,
    max_output_tokens: integer(1, 2 ** 31 - 1),
    max_tool_calls: integer(1, 2 ** 31 - 1),
    temperature: decimal(0, 2),
    top_p: decimal(0, 1),
    top_logprobs: integer(0, 20),
    stream: boolean,
    stream_options: object({ optional: { include_obfuscation: boolean } }),
    tools,
    tool_choice: toolChoice,
    parallel_tool_calls: boolean,
    text: object({ optional: { format: textFormat, verbosity: anyText } }),
    reasoning: object({
      optional: { effort: anyText, summary: anyText, generate_summary: anyText },
    }),
    include: list(includable, { of: "strings" }),
    store: boolean,
    background: boolean,
    truncation: oneOf(["auto", "disabled"]),
    metadata,
    service_tier: oneOf(requestableTiers),
    user: anyText,
    safety_identifier: text({ maxLength: 128 }),
    prompt_cache_key: anyText,
    prompt_cache_retention: anyText,
    prompt_cache_options: anyObject,
    client_metadata: anyObject,
  }),
);

export const responsesFieldNames: readonly string[] = ["model", "input", ...optional.keys()];

/** Other fields are those of a chat completion. */
export const responsesBounds: FieldBounds = {
  ...{ model: model.bounds, input: input.bounds },
  ...boundsOf(optional),
};

/** Checks every known field; null means absent. Throws Fault. */
export function checkResponsesFields(body: JsonObject): void {
  if (body.model === undefined || body.model === null) throw missing("model");
  model(body.model, "model");
  if (body.input === undefined || body.input === null) throw missing("input");
  input(body.input, "input");
  for (const key in body) {
    const value = body[key];
    if (value === null) continue;
    // Other fields keep their names in a translation, and what they may be there.
    const rule = optional.get(key) ?? chatFieldRule(key);
    rule?.(value, key);
  }
  if (body.stream !== true && isObject(body.stream_options)) {
    throw brokenRule(
      "stream_options",
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    );
  }
}
