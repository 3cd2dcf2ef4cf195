// What a chat completions request can have but Anthropic's API cannot express: refused by name, unless it is a
// preference, so that nothing a caller asked for is dropped silently.
import { type Fault, isObject, type JsonObject, parseObject } from "@turnpike/base";
import { untranslatable } from "../../untranslatable.ts";
import { findLostField } from "../lost-fields.ts";

/** The Fault for the first part of a checked request that has no counterpart there. */
export function whyUnsupported(parsed: JsonObject): Fault | undefined {
  return findLostField("anthropic", parsed) ?? findInMessages(parsed.messages);
}

function findInMessages(messages: unknown): Fault | undefined {
  if (!Array.isArray(messages)) return undefined;
  for (const [index, message] of messages.entries()) {
    const fault = isObject(message) ? findInMessage(message, `messages[${index}]`) : undefined;
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function findInMessage(message: JsonObject, path: string): Fault | undefined {
  const parts = Array.isArray(message.content) ? message.content : [];
  for (const [index, part] of parts.entries()) {
    const place = `${path}.content[${index}]`;
    if (!isObject(part)) continue;
    if (part.type === "input_audio" || part.type === "video_url") {
      return untranslatable(`${place}.type`, "Anthropic's models read text, images and documents");
    }
    const unreadable = findUnreadable(part, place);
    if (unreadable !== undefined) return unreadable;
  }
  return findBadArguments(message.tool_calls, path);
}

/** What Anthropic reads as data. Source: `Base64ImageSource` and `Base64PDFSource` of its SDK. */
const readableImage = /^data:image\/(?:jpe?g|png|gif|webp)(?:;[^;,]{0,100}){0,5};base64,/i;
const readableFile =
  /^data:(?:application\/pdf|text\/[\w.+-]{1,100})(?:;[^;,]{0,100}){0,5};base64,/i;
const isData = (address: unknown): address is string =>
  typeof address === "string" && /^data:/i.test(address);

function findUnreadable(part: JsonObject, place: string): Fault | undefined {
  if (part.type === "image_url") {
    const url = isObject(part.image_url) ? part.image_url.url : part.image_url;
    if (!isData(url) || readableImage.test(url)) return undefined;
    const problem = "Anthropic reads images that are JPEG, PNG, GIF or WebP, in base64";
    return untranslatable(`${place}.image_url`, problem);
  }
  if (!isObject(part.file)) return undefined;
  const { file_data: data, file_url: url } = part.file;
  if ((data ?? url ?? null) === null) {
    return untranslatable(`${place}.file.file_id`, "send the data of the file");
  }
  if (![data, url].some((address) => isData(address) && !readableFile.test(address))) return;
  return untranslatable(`${place}.file`, "Anthropic reads files that are PDFs or texts, in base64");
}

/** Anthropic expects the input of an earlier call to be an object. */
function findBadArguments(calls: unknown, path: string): Fault | undefined {
  if (!Array.isArray(calls)) return undefined;
  for (const [index, call] of calls.entries()) {
    if (!isObject(call) || !isObject(call.function)) continue;
    const { arguments: spelled } = call.function;
    if (typeof spelled !== "string" || spelled.trim() === "" || parseObject(spelled)) continue;
    const param = `${path}.tool_calls[${index}].function.arguments`;
    return untranslatable(param, "the arguments of a call must be a JSON object");
  }
  return undefined;
}
