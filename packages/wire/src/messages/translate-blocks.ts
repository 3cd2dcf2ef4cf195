// Content blocks of Anthropic's messages as content parts of chat completions. What has no counterpart
// is noted, with its path, and omitted from the translation.
import { isObject, type JsonObject } from "@turnpike/base";
import type { Untranslatable } from "../chat/parse-chat-request.ts";
import { chatNameOf } from "../responses/offered-tools.ts";

/** What a translation found besides its result. */
export class TranslationNotes {
  readonly untranslatable: Untranslatable[] = [];
  /** Path of the first image in the caller's own body. */
  firstImage: string | undefined;
  /** Bytes of inline images, which are counted as images and not as text. */
  imageBytes = 0;
  /** Where messages, parts and calls of the translation are in the caller's own body. */
  readonly origins = new Map<JsonObject, string>();
  /** By the name a model sees, the caller's own names of tools that had to be renamed. */
  readonly toolNames = new Map<string, string>();
  /** The conversation contains our own blocks, which no provider can read. */
  hasSealed = false;

  /** `made` itself, recorded as coming from `path`; the first path is kept. */
  locate(made: JsonObject, path: string): JsonObject {
    if (!this.origins.has(made)) this.origins.set(made, path);
    return made;
  }

  refuse(param: string, problem: string): void {
    this.untranslatable.push({ param, problem });
  }
}

/** `content` as chat parts. A plain string is one text part. */
export function translateContent(
  content: unknown,
  path: string,
  notes: TranslationNotes,
): JsonObject[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown, index) =>
    isObject(block) ? translateBlock(block, `${path}[${index}]`, notes) : [],
  );
}

/** The parts of one block that a person or a tool may have written. */
export function translateBlock(
  block: JsonObject,
  path: string,
  notes: TranslationNotes,
): JsonObject[] {
  return partsOf(block, path, notes).map((part) => notes.locate(part, path));
}

function partsOf(block: JsonObject, path: string, notes: TranslationNotes): JsonObject[] {
  switch (block.type) {
    case "text":
      return block.text === "" ? [] : [marked(block, { type: "text", text: block.text })];
    case "image":
      return translateImage(block, path, notes);
    case "document":
      return translateDocument(block, path, notes);
    case "search_result":
      return translateSearchResult(block, path, notes);
    case "tool_reference":
      return [{ type: "text", text: `The tool ${toolNameOf(block.tool_name)} is available.` }];
    default:
      notes.refuse(`${path}.type`, `only Anthropic supports \`${String(block.type)}\` blocks`);
      return [];
  }
}

/** The name a model sees of a tool: chat completions allow 64 characters, this API 128. */
export function toolNameOf(name: unknown): string {
  return chatNameOf(undefined, String(name));
}

/** Cache marks keep their positions. */
function marked(block: JsonObject, part: JsonObject): JsonObject {
  return isObject(block.cache_control) ? { ...part, cache_control: block.cache_control } : part;
}

function translateImage(block: JsonObject, path: string, notes: TranslationNotes): JsonObject[] {
  const source = isObject(block.source) ? block.source : {};
  notes.firstImage ??= path;
  if (source.type === "url") {
    return [marked(block, { type: "image_url", image_url: { url: source.url } })];
  }
  if (source.type === "base64") {
    const data = String(source.data);
    notes.imageBytes += data.length;
    const url = `data:${String(source.media_type)};base64,${data}`;
    return [marked(block, { type: "image_url", image_url: { url } })];
  }
  notes.refuse(`${path}.source.type`, "only Anthropic can read files uploaded to Anthropic");
  return [];
}

function translateDocument(block: JsonObject, path: string, notes: TranslationNotes): JsonObject[] {
  const source = isObject(block.source) ? block.source : {};
  assertNoCitations(block, path, notes);
  const title = typeof block.title === "string" ? block.title : undefined;
  const about = [title, block.context].filter((text) => typeof text === "string" && text !== "");
  const head = about.length === 0 ? [] : [{ type: "text", text: about.join("\n") }];
  const filename = title ?? "document.pdf";
  switch (source.type) {
    case "base64": {
      const data = `data:${String(source.media_type)};base64,${String(source.data)}`;
      return [...head, marked(block, { type: "file", file: { filename, file_data: data } })];
    }
    case "url":
      return [...head, marked(block, { type: "file", file: { filename, file_url: source.url } })];
    case "text":
      return [...head, marked(block, { type: "text", text: source.data })];
    case "content":
      return [...head, ...translateContent(source.content, `${path}.source.content`, notes)];
    default:
      notes.refuse(`${path}.source.type`, "only Anthropic can read files uploaded to Anthropic");
      return [];
  }
}

function translateSearchResult(
  block: JsonObject,
  path: string,
  notes: TranslationNotes,
): JsonObject[] {
  assertNoCitations(block, path, notes);
  const head = { type: "text", text: `${String(block.title)}\n${String(block.source)}` };
  return [head, ...translateContent(block.content, `${path}.content`, notes)];
}

function assertNoCitations(block: JsonObject, path: string, notes: TranslationNotes): void {
  if (!isObject(block.citations) || block.citations.enabled !== true) return;
  notes.refuse(`${path}.citations`, "only Anthropic supports citations");
}
