// What the members of a request of Anthropic's messages API may look like, after `MessageCreateParams` of its SDK.
// Unknown blocks and fields pass: an upstream of the same language may support them.
import { isObject } from "@turnpike/base";
import { emptyArray, missing, tooMany, wrongType } from "../checks/body-fault.ts";
import type { Bounds } from "../checks/bounds.ts";
import { imageAddress, imageType, mediaAddress, noVideo } from "../checks/check-media.ts";
import {
  anyObject,
  anyText,
  boolean,
  boundsOf,
  integer,
  list,
  object,
  type Rule,
  rule,
  tagged,
  text,
  textOr,
} from "../checks/check-value.ts";

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
export const blocks = textOr(blockList, "objects");

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

export const jsonSchema = tagged("type", {
  json_schema: object({ required: { schema: anyObject } }),
});

export const outputConfig = object({ optional: { effort: anyText, format: jsonSchema } });

const message = tagged("role", {
  user: object({ required: { content } }),
  assistant: object({ required: { content } }),
  // From here on the answers are configured in another way; often it says nothing besides.
  system: object({
    required: { content: blocks },
    optional: { output_config: outputConfig },
  }),
});

export const messages = rule(
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

export const toolChoice = tagged("type", {
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

export const thinking = rule(thinkingBounds, (value, path) => {
  if (!isObject(value)) throw wrongType(path, "an object", value);
  if (value.type === undefined) throw missing(`${path}.type`);
  if (typeof value.type !== "string") throw wrongType(`${path}.type`, "a string", value.type);
  if (value.type !== "enabled") return;
  if (value.budget_tokens === undefined) throw missing(`${path}.budget_tokens`);
  budget(value.budget_tokens, `${path}.budget_tokens`);
});

export const tools = list(tool, { max: maxTools, of: "objects" });

export const model = text({ nonEmpty: true, maxLength: 256 });
