// What the prompt of a language model call may look like, in the AI SDK's specifications 2, 3 and 4. Whatever a part contains
// beside these members is either read where it is translated, or named in a warning.
import {
  anyObject,
  anyText,
  list,
  object,
  rule,
  tagged,
  text,
  textOrObject,
} from "../checks/check-value.ts";

const any = rule({}, () => undefined);

const textPart = object({ required: { text: anyText } });

/** An address or base64, or since specification 4 an object that says which of them. */
const fileData = textOrObject(
  text({ nonEmpty: true }),
  tagged("type", {
    data: object({ required: { data: text({ nonEmpty: true }) } }),
    url: object({ required: { url: text({ nonEmpty: true }) } }),
    text: object({ required: { text: anyText } }),
    reference: anyObject,
  }),
);

const filePart = object({
  required: { data: fileData, mediaType: anyText },
  optional: { filename: anyText },
});

/** `media` is of specification 2, those with `-data`, `-url` and `-id` are of specification 3. */
const resultPart = tagged("type", {
  text: textPart,
  file: filePart,
  media: filePart,
  "file-data": filePart,
  "image-data": filePart,
  "file-url": object({ required: { url: text({ nonEmpty: true }) } }),
  "image-url": object({ required: { url: text({ nonEmpty: true }) } }),
  "file-id": anyObject,
  "image-file-id": anyObject,
  custom: anyObject,
});

const output = tagged("type", {
  text: object({ required: { value: anyText } }),
  json: any,
  "error-text": object({ required: { value: anyText } }),
  "error-json": any,
  "execution-denied": object({ optional: { reason: anyText } }),
  content: object({ required: { value: list(resultPart, { of: "objects" }) } }),
});

const toolCall = object({ required: { toolCallId: anyText, toolName: text({ nonEmpty: true }) } });
const toolResult = object({ required: { toolCallId: anyText, output } });

const parts = (variants: Parameters<typeof tagged>[1]) =>
  list(tagged("type", variants), { of: "objects" });

const message = tagged("role", {
  system: object({ required: { content: anyText } }),
  user: object({ required: { content: parts({ text: textPart, file: filePart }) } }),
  assistant: object({
    required: {
      content: parts({
        text: textPart,
        file: filePart,
        reasoning: textPart,
        "reasoning-file": anyObject,
        custom: anyObject,
        "tool-call": toolCall,
        "tool-result": toolResult,
        "tool-approval-request": anyObject,
      }),
    },
  }),
  tool: object({
    required: {
      content: parts({ "tool-result": toolResult, "tool-approval-response": anyObject }),
    },
  }),
});

const promptMax = 2_000;

/** Checks `prompt`. Throws Fault. */
export const prompt = list(message, { min: 1, max: promptMax, of: "objects" });

/** Checks one entry of `tools`. Throws Fault. */
export const tool = tagged("type", {
  function: object({
    required: { name: text({ nonEmpty: true }), inputSchema: anyObject },
    optional: { description: anyText },
  }),
  provider: object({ required: { id: anyText } }),
  // Its name in specification 2.
  "provider-defined": object({ required: { id: anyText } }),
});

export const toolChoice = tagged("type", {
  auto: anyObject,
  none: anyObject,
  required: anyObject,
  tool: object({ required: { toolName: text({ nonEmpty: true }) } }),
});

export const responseFormat = tagged("type", {
  text: anyObject,
  json: object({ optional: { schema: anyObject, name: anyText, description: anyText } }),
});
