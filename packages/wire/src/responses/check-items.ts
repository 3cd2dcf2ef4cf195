// What the items of `input` may look like, after `InputParam` in OpenAI's openapi.yaml. Items that only
// built-in tools or stored responses produce are refused by name.
import { isObject, type JsonObject } from "@turnpike/base";
import {
  badValue,
  emptyArray,
  missing,
  notSupported,
  tooMany,
  unknownFile,
  unsupported,
  wrongType,
} from "../checks/body-fault.ts";
import type { Bounds } from "../checks/bounds.ts";
import { imageAddress, mediaAddress, noVideo } from "../checks/check-media.ts";
import {
  anyObject,
  anyText,
  boundsOf,
  list,
  object,
  oneOf,
  type Rule,
  rule,
} from "../checks/check-value.ts";
import { contentOf } from "../checks/content-parts.ts";
import { tools } from "./check-tools.ts";
import { isConfigurationUpdate } from "./configuration-update.ts";
import { imageCall, imageCallType, isCallWithoutImage } from "./image-tool.ts";
import { isReasoningReference, isReference, unknownItem } from "./item-reference.ts";
import { textFormat } from "./text-format.ts";

const maxItems = 10_000;

const textPart = object({ required: { text: anyText } });
const refusalPart = object({ required: { refusal: anyText } });

/** Ids of ours were replaced before; any other is that of a file elsewhere. */
function assertNoFileId(value: unknown, path: string): void {
  if (!isObject(value) || value.file_id === undefined || value.file_id === null) return;
  throw unknownFile(`${path}.file_id`);
}

const imageFields = object({
  optional: { image_url: imageAddress, detail: oneOf(["auto", "low", "high", "original"]) },
});
const imagePart = rule(imageFields.bounds, (value, path) => {
  assertNoFileId(value, path);
  imageFields(value, path);
  if (isObject(value) && typeof value.image_url !== "string") throw missing(`${path}.image_url`);
});

const fileFields = object({
  optional: {
    filename: anyText,
    file_data: mediaAddress,
    file_url: mediaAddress,
    detail: anyText,
  },
});
const filePart = rule(fileFields.bounds, (value, path) => {
  assertNoFileId(value, path);
  fileFields(value, path);
  if (!isObject(value)) return;
  if (typeof value.file_data !== "string" && typeof value.file_url !== "string") {
    throw missing(`${path}.file_data`);
  }
  noVideo(value, path);
});

const audioPart = object({
  required: {
    input_audio: object({ required: { data: anyText, format: oneOf(["wav", "mp3"]) } }),
  },
});

const texts = { input_text: textPart, output_text: textPart, text: textPart };
const media = { input_image: imagePart, input_file: filePart };
const contentByRole: Readonly<Record<string, Rule>> = {
  user: contentOf({ ...texts, ...media, input_audio: audioPart }),
  assistant: contentOf({ ...texts, refusal: refusalPart }),
  system: contentOf(texts),
  developer: contentOf(texts),
};

const messageBounds: Bounds = {
  kinds: {
    tag: "role",
    shapes: Object.fromEntries(
      Object.entries(contentByRole).map(([role, content]) => [
        role,
        { object: { properties: { content: content.bounds } } },
      ]),
    ),
  },
};

const message = rule(messageBounds, (value, path) => {
  anyObject(value, path);
  if (!isObject(value)) return;
  const { role, content } = value;
  if (role === undefined) throw missing(`${path}.role`);
  if (typeof role !== "string") throw wrongType(`${path}.role`, "a string", role);
  const rule = Object.hasOwn(contentByRole, role) ? contentByRole[role] : undefined;
  if (rule === undefined) {
    throw notSupported(`${path}.role`, role, Object.keys(contentByRole));
  }
  if (content === undefined) throw missing(`${path}.content`);
  rule(content, `${path}.content`);
});

const output = contentOf({ ...texts, ...media });

const shapes: Readonly<Record<string, Rule>> = {
  message,
  function_call: object({
    required: { call_id: anyText, name: anyText, arguments: anyText },
    optional: { namespace: anyText },
  }),
  function_call_output: object({ required: { call_id: anyText, output } }),
  custom_tool_call: object({
    required: { call_id: anyText, name: anyText, input: anyText },
    optional: { namespace: anyText },
  }),
  custom_tool_call_output: object({ required: { call_id: anyText, output } }),
  reasoning: object({
    optional: {
      summary: list(object({ required: { text: anyText } }), { of: "objects" }),
      content: list(object({ required: { text: anyText } }), { of: "objects" }),
      encrypted_content: anyText,
    },
  }),
  additional_tools: object({ required: { tools } }),
  configuration_update: object({
    optional: {
      reasoning: object({ optional: { effort: anyText } }),
      text: object({ optional: { format: textFormat } }),
    },
  }),
  [imageCallType]: imageCall,
  tool_search_call: object({ required: { call_id: anyText } }),
  tool_search_output: object({ required: { call_id: anyText, tools } }),
};

/** Items that tools of the provider and stored responses produce. */
const foreignItems = new Set([
  "file_search_call",
  "computer_call",
  "computer_call_output",
  "web_search_call",
  "code_interpreter_call",
  "local_shell_call",
  "local_shell_call_output",
  "shell_call",
  "shell_call_output",
  "apply_patch_call",
  "apply_patch_call_output",
  "mcp_list_tools",
  "mcp_approval_request",
  "mcp_approval_response",
  "mcp_call",
  "program",
  "program_output",
]);

/** One that is still here was not found, or nothing is kept here. */
function reference(item: JsonObject, path: string): void {
  if (isReasoningReference(item)) return;
  const { id } = item;
  if (id === undefined) throw missing(`${path}.id`);
  if (typeof id !== "string") throw wrongType(`${path}.id`, "a string", id);
  throw unknownItem(id);
}

/** Those of an item with a type; one without is a message. */
const itemBounds: Bounds = {
  kinds: { tag: "type", shapes: boundsOf(Object.entries(shapes)), isOpen: true },
};

const item = rule(itemBounds, (value, path) => {
  anyObject(value, path);
  if (!isObject(value)) return;
  if (isReference(value)) return reference(value, path);
  // An item with a role and without a type is a message.
  const type = value.type ?? (value.role === undefined ? undefined : "message");
  if (type === undefined) throw missing(`${path}.type`);
  if (typeof type !== "string") throw wrongType(`${path}.type`, "a string", type);
  if (foreignItems.has(type)) {
    throw unsupported(`${path}.type`, `Items of the type '${type}' are not supported here.`);
  }
  const shape = Object.hasOwn(shapes, type) ? shapes[type] : undefined;
  if (shape === undefined) throw notSupported(`${path}.type`, type, Object.keys(shapes));
  shape(value, path);
});

function saysNothing(item: unknown): boolean {
  return isReasoningReference(item) || isConfigurationUpdate(item) || isCallWithoutImage(item);
}

/** Checks `input`: a text, or 1 to 10,000 items. Throws Fault. */
export const input = rule(
  { text: {}, list: { minItems: 1, maxItems, items: item.bounds } },
  (value, path) => {
    if (typeof value === "string") return;
    if (!Array.isArray(value)) throw wrongType(path, "a string or an array of objects", value);
    if (value.length === 0) throw emptyArray(path);
    if (value.length > maxItems) throw tooMany(path, maxItems, value.length);
    for (let index = 0; index < value.length; index += 1) item(value[index], `${path}[${index}]`);
    if (value.every(saysNothing)) throw badValue(path, "it contains nothing to answer.");
  },
);
