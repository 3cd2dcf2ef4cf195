// What the conversation may look like: roles, content parts and the answers that tool calls must
// have. An empty list of parts passes, as it does at OpenAI (openai/openai-python#1812).

import { isObject, type JsonObject } from "@turnpike/base";
import { brokenRule, emptyArray, missing, tooMany, wrongType } from "../checks/body-fault.ts";
import { imageAddress, mediaAddress, noVideo } from "../checks/check-media.ts";
import {
  anyText,
  itemPath,
  object,
  oneOf,
  rule,
  tagged,
  textOrObject,
} from "../checks/check-value.ts";
import { contentOf } from "../checks/content-parts.ts";
import { functionCall, toolCalls } from "./check-tools.ts";

const maxMessages = 2_000;

const textPart = object({ required: { text: anyText } });
const refusalPart = object({ required: { refusal: anyText } });

const imagePart = object({
  required: {
    image_url: textOrObject(
      imageAddress, // Ollama's form
      object({
        required: { url: imageAddress },
        optional: { detail: oneOf(["auto", "low", "high", "original"]) },
      }),
    ),
  },
});

const audioPart = object({
  required: {
    input_audio: object({ required: { data: anyText, format: oneOf(["wav", "mp3"]) } }),
  },
});

const videoPart = object({
  required: { video_url: textOrObject(mediaAddress, object({ required: { url: mediaAddress } })) },
});

const fileFields = object({
  optional: {
    filename: anyText,
    file_data: mediaAddress,
    file_id: anyText,
    file_url: mediaAddress,
  },
});
const file = rule(fileFields.bounds, (value, path) => {
  fileFields(value, path);
  noVideo(value, path);
});
const filePart = object({ required: { file } });

const textContent = contentOf({ text: textPart });
const userContent = contentOf({
  text: textPart,
  image_url: imagePart,
  input_audio: audioPart,
  video_url: videoPart,
  file: filePart,
});
/** Images among the results of a tool: several upstreams accept them there. */
const toolContent = contentOf({ text: textPart, image_url: imagePart, file: filePart });
const assistantContent = contentOf({ text: textPart, refusal: refusalPart });

const instruction = object({ required: { content: textContent }, optional: { name: anyText } });

const assistantFields = object({
  optional: {
    content: assistantContent,
    refusal: anyText,
    name: anyText,
    audio: object({ required: { id: anyText } }),
    tool_calls: toolCalls,
    function_call: functionCall,
  },
});

const assistant = rule(assistantFields.bounds, (value, path) => {
  assistantFields(value, path);
  if (!isObject(value) || value.content !== undefined) return;
  const answer = value.tool_calls ?? value.function_call ?? value.refusal ?? value.audio ?? null;
  if (answer === null) throw missing(`${path}.content`);
});

const functionFields = object({ required: { name: anyText }, optional: { content: anyText } });

const functionResult = rule(functionFields.bounds, (value, path) => {
  if (isObject(value) && value.content === undefined) throw missing(`${path}.content`);
  functionFields(value, path);
});

const message = tagged("role", {
  system: instruction,
  developer: instruction,
  user: object({ required: { content: userContent }, optional: { name: anyText } }),
  assistant,
  tool: object({ required: { content: toolContent, tool_call_id: anyText } }),
  function: functionResult,
});

const messagesBounds = {
  list: { minItems: 1, maxItems: maxMessages, items: message.bounds },
};

/** Checks `messages`: 1 to 2,000 of them, each call of a tool answered. Throws Fault. */
export const messages = rule(messagesBounds, (value, path) => {
  if (!Array.isArray(value)) throw wrongType(path, "an array of objects", value);
  if (value.length === 0) throw emptyArray(path);
  if (value.length > maxMessages) throw tooMany(path, maxMessages, value.length);
  for (let index = 0; index < value.length; index += 1) {
    message(value[index], itemPath(path, index));
  }
  checkToolAnswers(value, path);
});

/** Upstreams would refuse a call without its answer only after a connection was made. */
function checkToolAnswers(all: readonly JsonObject[], path: string): void {
  for (let index = 0; index < all.length; index += 1) {
    const caller = all[index];
    if (caller?.role !== "assistant" || !Array.isArray(caller.tool_calls)) continue;
    const unanswered = new Set(caller.tool_calls.filter(isObject).map((call) => call.id));
    for (let next = index + 1; all[next]?.role === "tool"; next += 1) {
      unanswered.delete(all[next]?.tool_call_id);
    }
    if (unanswered.size === 0) continue;
    throw brokenRule(
      `${path}[${index}].tool_calls`,
      "An assistant message with 'tool_calls' must be followed by tool messages responding to " +
        "each 'tool_call_id'. The following tool_call_ids did not have response messages: " +
        `${[...unanswered].join(", ").slice(0, 400)}`,
    );
  }
}
