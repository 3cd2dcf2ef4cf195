// Content of chat messages as the content parts of a response's input. What the Responses API cannot
// read is refused by its path.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import { untranslatable } from "../../untranslatable.ts";

/** A string stays one; `path` is where the content is. */
export function writeContent(content: unknown, path: string): string | JsonObject[] {
  if (!Array.isArray(content)) return parseText(content) ?? "";
  return content.flatMap((part: unknown, index) =>
    isObject(part) ? [marked(part, writePart(part, `${path}[${index}]`))] : [],
  );
}

/** Where OpenAI is to end a cached prefix. */
const marker = "prompt_cache_breakpoint";

function marked(part: JsonObject, written: JsonObject): JsonObject {
  return isObject(part[marker]) ? { ...written, [marker]: part[marker] } : written;
}

function writePart(part: JsonObject, path: string): JsonObject {
  switch (part.type) {
    case "text":
      return { type: "input_text", text: part.text };
    case "refusal":
      return { type: "input_text", text: part.refusal };
    case "image_url":
      return writeImage(part.image_url);
    case "file":
      return writeFile(isObject(part.file) ? part.file : {}, `${path}.file`);
    default:
      throw untranslatable(`${path}.type`, "the Responses API reads text, images and files");
  }
}

/** Ollama's clients send the address without an object around it. */
function writeImage(image: unknown): JsonObject {
  const { url, detail } = isObject(image) ? image : { url: image, detail: undefined };
  return { type: "input_image", image_url: url, detail: parseText(detail) ?? "auto" };
}

function writeFile(file: JsonObject, path: string): JsonObject {
  if ((file.file_data ?? file.file_url ?? null) === null) {
    throw untranslatable(`${path}.file_id`, "send the data of the file or its address");
  }
  const { filename, file_data: data } = file;
  // OpenRouter's clients send an address instead of the data.
  const url = parseText(file.file_url) ?? (isAddress(data) ? data : undefined);
  // OpenAI refuses a name beside an address.
  if (url !== undefined) return { type: "input_file", file_url: url };
  const name = parseText(filename);
  return { type: "input_file", ...(name !== undefined && { filename: name }), file_data: data };
}

function isAddress(data: unknown): boolean {
  return typeof data === "string" && /^https?:\/\//i.test(data);
}

/** An assistant's message: its parts are outputs, even when they are sent back as input. */
export function writeOutput(content: unknown, refusal: unknown): JsonObject[] {
  const parts = Array.isArray(content) ? content.filter(isObject) : [];
  const said = parseText(content);
  const written: JsonObject[] = said === undefined ? [] : [{ type: "output_text", text: said }];
  for (const part of parts) {
    if (part.type === "refusal") written.push({ type: "refusal", refusal: part.refusal });
    else if (part.text !== "") written.push({ type: "output_text", text: part.text });
  }
  const refused = parseText(refusal);
  if (refused !== undefined) written.push({ type: "refusal", refusal: refused });
  return written;
}
