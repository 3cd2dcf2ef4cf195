// What a request of Anthropic's messages API may look like, after `MessageCreateParams` of its SDK.
// Unknown blocks and fields pass: an upstream of the same language may support them.
import { Fault, isObject, type JsonObject } from "@turnpike/base";
import type { Bounds, FieldBounds } from "../bounds.ts";
import { chatFieldRule } from "../chat/check-chat-fields.ts";
import { imageAddress, imageType, mediaAddress, noVideo } from "../check-media.ts";
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
  rule,
  tagged,
  text,
  textOr,
} from "../check-value.ts";
import { isPreference } from "../preferences.ts";
import { emptyArray, missing, notSupported, tooMany, wrongType } from "../refuse-body.ts";
import { checkToolResults } from "./check-tool-results.ts";

const maxMessages = 100_000;
const maxTools = 10_000;

/** Blocks whose `type` is in `shapes` must have that shape; every other block passes. */
function block(shapes: Readonly<Record<string, Rule>>): Rule {
  const byName = new Map(Object.entries(shapes));
  return rule({ kinds: { tag: "type", shapes: boundsOf(byName), isOpen: true } }, (value, path) => {
    if (!isObject(value)) throw wrongType(path, "an object", value);
    if (value.type === undefined) throw missing(`${path}.type`);
    if (typeof value.type !== "string") throw wrongType(`${path}.type`, "a string", value.type);
    byName.get(value.type)?.(value, path);
  });
}

const blocksOf = (shapes: Readonly<Record<string, Rule>>): Rule =>
  textOr(list(block(shapes), { of: "objects" }), "objects");

const textBlock = object({ required: { text: anyText } });
const encoded = object({ required: { media_type: anyText, data: anyText } });
const linked = object({ required: { url: mediaAddress } });

const encodedImage = object({ required: { media_type: imageType, data: anyText } });
const linkedImage = object({ required: { url: imageAddress } });
const image = object({ required: { source: block({ base64: encodedImage, url: linkedImage }) } });

/** Each kind of block wherever blocks may be: it is translated and forwarded, even where Anthropic takes nothing but texts. */
const anyBlocks = rule({}, (value, path) => blocks(value, path));
const anyBlockList = rule({}, (value, path) => blockList(value, path));

const documentFields = object({
  required: {
    source: block({
      base64: encoded,
      text: object({ required: { data: anyText } }),
      url: linked,
      content: object({ required: { content: anyBlocks } }),
    }),
  },
  optional: { title: anyText, context: anyText, citations: anyObject },
});

/** Checked as the file it is translated to. */
const document = rule(documentFields.bounds, (value, path) => {
  documentFields(value, path);
  if (!isObject(value) || !isObject(value.source)) return;
  const { media_type: type, url } = value.source;
  const data = typeof type === "string" ? { file_data: `data:${type},` } : {};
  noVideo({ filename: value.title, file_url: url, ...data }, `${path}.source`);
});

const searchResult = object({
  required: { title: anyText, source: anyText, content: anyBlockList },
});

const plainBlocks = { text: textBlock, image, document, search_result: searchResult };
const blockList = list(block(plainBlocks), { of: "objects" });
const blocks = textOr(blockList, "objects");

const toolResult = object({
  required: { tool_use_id: anyText },
  optional: { content: blocks, is_error: boolean },
});

const toolUse = object({
  required: { id: text({ nonEmpty: true }), name: text({ nonEmpty: true }), input: anyObject },
});

const content = blocksOf({
  ...plainBlocks,
  tool_result: toolResult,
  tool_use: toolUse,
  thinking: object({ required: { thinking: anyText }, optional: { signature: anyText } }),
  redacted_thinking: object({ required: { data: anyText } }),
});

const jsonSchema = tagged("type", { json_schema: object({ required: { schema: anyObject } }) });

const outputConfig = object({ optional: { effort: anyText, format: jsonSchema } });

const message = tagged("role", {
  user: object({ required: { content } }),
  assistant: object({ required: { content } }),
  // From here on the answers are configured in another way; often it says nothing besides.
  system: object({
    required: { content: blocks },
    optional: { output_config: outputConfig },
  }),
});

const messages = rule(
  { list: { minItems: 1, maxItems: maxMessages, items: message.bounds } },
  (value, path) => {
    if (!Array.isArray(value)) throw wrongType(path, "an array of objects", value);
    if (value.length === 0) throw emptyArray(path);
    if (value.length > maxMessages) throw tooMany(path, maxMessages, value.length);
    for (let index = 0; index < value.length; index += 1) {
      message(value[index], `${path}[${index}]`);
    }
  },
);

const ownTool = object({
  required: {
    name: text({ nonEmpty: true, maxLength: 128, pattern: /^[a-zA-Z0-9_-]+$/ }),
    input_schema: anyObject,
  },
  optional: { description: anyText, strict: boolean },
});

/** A tool without a type is the caller's own; the others are Anthropic's, identified by their type. */
const tool = rule(
  { kinds: { tag: "type", shapes: { custom: ownTool.bounds }, isOpen: true } },
  (value, path) => {
    if (!isObject(value)) throw wrongType(path, "an object", value);
    const { type } = value;
    if (type === undefined || type === null || type === "custom") ownTool(value, path);
    else anyText(type, `${path}.type`);
  },
);

const choice = { optional: { disable_parallel_tool_use: boolean } };

const toolChoice = tagged("type", {
  auto: object(choice),
  any: object(choice),
  tool: object({ ...choice, required: { name: anyText } }),
  none: anyObject,
});

const budget = integer(1_024, 2 ** 31 - 1);

const thinkingBounds: Bounds = {
  kinds: {
    tag: "type",
    shapes: { enabled: { object: { properties: { budget_tokens: budget.bounds } } } },
    isOpen: true,
  },
};

const thinking = rule(thinkingBounds, (value, path) => {
  if (!isObject(value)) throw wrongType(path, "an object", value);
  if (value.type === undefined) throw missing(`${path}.type`);
  if (typeof value.type !== "string") throw wrongType(`${path}.type`, "a string", value.type);
  if (value.type !== "enabled") return;
  if (value.budget_tokens === undefined) throw missing(`${path}.budget_tokens`);
  budget(value.budget_tokens, `${path}.budget_tokens`);
});

/**
 * Conversations are not kept here. The SDK's tool runner asks for it in every request, and goes on without where the
 * refusal has this code.
 */
const refuseThread = rule({}, (_value, param) => {
  throw new Fault(
    "unsupported_parameter",
    `Unsupported parameter: '${param}' is not supported, because conversations are not stored here. Send all of their messages.`,
    { param, metadata: { error_code: "thread_unsupported_request" } },
  );
});

const optional = new Map<string, Rule>(
  Object.entries({
    system: blocks,
    stop_sequences: list(anyText, { of: "strings" }),
    stream: boolean,
    temperature: decimal(0, 1),
    top_p: decimal(0, 1),
    top_k: integer(0, 2 ** 31 - 1),
    metadata: object({ optional: { user_id: anyText } }),
    tools: list(tool, { max: maxTools, of: "objects" }),
    tool_choice: toolChoice,
    thinking,
    output_config: outputConfig,
    output_format: jsonSchema,
    service_tier: oneOf(["auto", "standard_only"]),
    thread: refuseThread,
  }),
);

const model = text({ nonEmpty: true, maxLength: 256 });
/** 0 only fills the prompt cache. */
const maxTokens = integer(0, 2 ** 31 - 1);

/** Preferences of a chat completion are what they are there. */
export const messagesBounds: FieldBounds = {
  ...{ model: model.bounds, max_tokens: maxTokens.bounds, messages: messages.bounds },
  ...boundsOf(optional),
};

/** Checks every known field; null means absent. Throws Fault. */
export function checkMessagesFields(body: JsonObject, needsMaxTokens: boolean): void {
  if (body.model === undefined) throw missing("model");
  model(body.model, "model");
  if (needsMaxTokens || (body.max_tokens ?? null) !== null) {
    if (body.max_tokens === undefined) throw missing("max_tokens");
    maxTokens(body.max_tokens, "max_tokens");
  }
  if (body.messages === undefined) throw missing("messages");
  messages(body.messages, "messages");
  for (const key in body) {
    const value = body[key];
    if (value === null) continue;
    // Those of chat completions are what they are there.
    const rule = optional.get(key) ?? (isPreference(key) ? chatFieldRule(key) : undefined);
    rule?.(value, key);
  }
  checkToolResults(body.messages);
  refuseUnknownTool(body);
}

/**
 * A choice of a tool that is not offered would be refused upstream, with a message that depends on
 * the upstream.
 */
function refuseUnknownTool({ tool_choice: chosen, tools }: JsonObject): void {
  if (!isObject(chosen) || chosen.type !== "tool" || typeof chosen.name !== "string") return;
  const names = Array.isArray(tools)
    ? tools.flatMap((offered: unknown) =>
        isObject(offered) && typeof offered.name === "string" ? [offered.name] : [],
      )
    : [];
  if (!names.includes(chosen.name)) throw notSupported("tool_choice.name", chosen.name, names);
}
