// Replaces images, audio and files by a note of their kind and size. Their data is found by its form alone, so that what
// nobody has thought of yet is not stored either.
import { createSlices, isObject } from "@turnpike/base";

/** Longer text without a single character that is not base64 is data. */
const dataCharsMin = 2_048;
const sampleChars = 256;
const base64 = /^[0-9A-Za-z+/_-]*={0,2}$/;
const dataUrl = /^data:([^,;]{0,100})[^,]{0,100},/;

/** Members of requests and answers that contain data, however short it is. */
const dataMembers: ReadonlySet<string> = new Set([
  "data",
  "file_data",
  "b64_json",
  "embedding",
  "bytes",
  // What a provider needs back of its reasoning, of others than Gemini with its text.
  "thoughtSignature",
  "thought_signature",
  "signature",
]);
const kindMembers = [
  "media_type",
  "mime_type",
  "mimeType",
  "mediaType",
  "format",
  "filename",
  "type",
];

/** In the text of a request, before it is parsed: most of a long one is usually data. */
export async function dropLongData(text: string): Promise<string> {
  if (text.length < dataCharsMin) return text;
  const afterWork = createSlices();
  const kept: string[] = [];
  let keptTo = 0;
  let start = 0;
  for (;;) {
    const quote = text.indexOf('"', start);
    const end = quote < 0 ? text.length : quote;
    if (end - start >= dataCharsMin && isLongData(text, start, end)) {
      kept.push(text.slice(keptTo, start), noteOf(text.slice(start, end), undefined));
      keptTo = end;
    }
    if (quote < 0) break;
    await afterWork(end - start + 1);
    start = quote + 1;
  }
  return kept.length === 0 ? text : kept.join("") + text.slice(keptTo);
}

function isLongData(text: string, start: number, end: number): boolean {
  const head = text.slice(start, start + sampleChars);
  const [prefix = ""] = dataUrl.exec(head) ?? [];
  const tail = text.slice(end - sampleChars, end);
  // JSON may escape a slash.
  return isBase64(head.slice(prefix.length)) && isBase64(tail);
}

function isBase64(sample: string): boolean {
  return base64.test(sample.replaceAll("\\/", "/").replace(/\\$/, ""));
}

/** The note instead of `text`, if that is data: by its form, or as the member `name` of `parent`. */
export function dataNote(
  text: string,
  name: string | undefined,
  parent: unknown,
): string | undefined {
  if (dataUrl.test(text.slice(0, sampleChars))) return noteOf(text, parent);
  if (text.length >= dataCharsMin && isLongData(text, 0, text.length)) return noteOf(text, parent);
  const isMember = name !== undefined && dataMembers.has(name);
  return isMember && text.length >= 16 && isBase64(text) ? noteOf(text, parent) : undefined;
}

function noteOf(text: string, parent: unknown): string {
  const [prefix = "", mime = ""] = dataUrl.exec(text.slice(0, sampleChars)) ?? [];
  const kind = mime === "" ? kindOf(parent) : mime;
  const bytes = Math.floor(((text.length - prefix.length) * 3) / 4);
  return `[${kind}, about ${bytes} bytes, not stored]`;
}

function kindOf(parent: unknown): string {
  if (!isObject(parent)) return "data";
  for (const name of kindMembers) {
    const kind = parent[name];
    // A kind that was noted already is one with this form.
    if (typeof kind === "string" && /^[0-9A-Za-z./+-]{1,100}$/.test(kind) && kind !== "base64")
      return kind;
  }
  return "data";
}
