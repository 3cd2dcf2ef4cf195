// Content parts of a chat message as Anthropic's blocks.
import { isObject, type JsonObject } from "@turnpike/base";
import { properType } from "@turnpike/wire";

/** Anthropic refuses texts that are empty or only whitespace, so they are dropped. */
export function writeParts(content: unknown): JsonObject[] {
  if (typeof content === "string") return isBlank(content) ? [] : [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.filter(isObject).flatMap((part) => {
    const block = writePart(part);
    if (block === undefined) return [];
    return [isObject(part.cache_control) ? { ...block, cache_control: part.cache_control } : block];
  });
}

export function isBlank(text: unknown): boolean {
  return typeof text === "string" && text.trim() === "";
}

function writePart(part: JsonObject): JsonObject | undefined {
  switch (part.type) {
    case "text":
      return isBlank(part.text) ? undefined : { type: "text", text: part.text };
    case "refusal":
      return isBlank(part.refusal) ? undefined : { type: "text", text: part.refusal };
    case "image_url":
      return { type: "image", source: sourceOf(imageUrlOf(part)) };
    case "file":
      return isObject(part.file) ? writeFile(part.file) : undefined;
    default:
      return undefined;
  }
}

function imageUrlOf({ image_url: image }: JsonObject): string {
  return String(isObject(image) ? image.url : image);
}

const dataUri = /^data:([^;,]{0,100})(?:;[^;,]{0,100}){0,5};base64,/i;

function sourceOf(url: string): JsonObject {
  const inline = dataUri.exec(url);
  if (inline === null) return { type: "url", url };
  const data = url.slice(inline[0].length);
  return { type: "base64", media_type: properType(inline[1] ?? ""), data };
}

function writeFile({ filename, file_data: data, file_url: url }: JsonObject): JsonObject {
  const address = typeof url === "string" ? url : String(data);
  const inline = dataUri.exec(address);
  const isText = inline?.[1]?.startsWith("text/") === true;
  const source = isText
    ? {
        type: "text",
        media_type: "text/plain",
        data: Buffer.from(address.slice(inline?.[0].length ?? 0), "base64").toString(),
      }
    : pdfSource(address, inline !== null);
  const title = typeof filename === "string" ? { title: filename } : {};
  return { type: "document", source, ...title };
}

/** OpenAI's clients may send base64 without the prefix of a data URI. */
function pdfSource(address: string, isInline: boolean): JsonObject {
  if (isInline || /^https?:/i.test(address)) return sourceOf(address);
  return { type: "base64", media_type: "application/pdf", data: address };
}
