// The results of tools in the AI SDK's prompts as messages of chat completions: texts, JSON, errors, refusals of the user, and
// several parts with files.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import { unsupported } from "../checks/body-fault.ts";
import type { CallNotes } from "./call-notes.ts";
import { storedElsewhere, translateFile } from "./translate-file.ts";

/** One result, which was checked. Throws Fault for a part that no model can read. */
export function translateResult(part: JsonObject, path: string, notes: CallNotes): JsonObject {
  const output = isObject(part.output) ? part.output : {};
  const message: JsonObject = {
    role: "tool",
    tool_call_id: part.toolCallId,
    content: contentOf(output, `${path}.output`, notes),
  };
  if (failures.has(String(output.type))) message.is_error = true;
  return notes.locate(message, path);
}

const failures: ReadonlySet<string> = new Set(["error-text", "error-json", "execution-denied"]);

function contentOf(output: JsonObject, path: string, notes: CallNotes): string | JsonObject[] {
  switch (output.type) {
    case "text":
    case "error-text":
      return String(output.value);
    case "execution-denied":
      return parseText(output.reason) ?? "The user denied the execution of this tool.";
    case "content":
      return partsOf(output.value, `${path}.value`, notes);
    default:
      return JSON.stringify(output.value ?? null);
  }
}

function partsOf(value: unknown, path: string, notes: CallNotes): string | JsonObject[] {
  const parts = Array.isArray(value) ? value : [];
  const made = parts.flatMap((part: unknown, index) => {
    if (!isObject(part)) return [];
    const place = `${path}[${index}]`;
    return partOf(part, place, notes).map((each) => notes.locate(readable(each), place));
  });
  return made.length === 0 ? "" : made;
}

function partOf(part: JsonObject, path: string, notes: CallNotes): JsonObject[] {
  switch (part.type) {
    case "text":
      return part.text === "" ? [] : [{ type: "text", text: part.text }];
    case "file":
    case "media":
    case "file-data":
    case "image-data":
      return translateFile(part, path, notes);
    case "image-url":
      return translateFile({ data: part.url, mediaType: "image/*" }, path, notes);
    case "file-url":
      return translateFile({ data: part.url, mediaType: part.mediaType }, path, notes);
    case "custom":
      throw unsupported(path, "No model can read it. Send text or a file.");
    default:
      throw storedElsewhere(path);
  }
}

/** Audio is a file there: chat completions have it as a part of its own only in what a user says. */
function readable(part: JsonObject): JsonObject {
  const audio = part.input_audio;
  if (!isObject(audio)) return part;
  const file_data = `data:audio/${String(audio.format)};base64,${String(audio.data)}`;
  return { type: "file", file: { filename: `audio.${String(audio.format)}`, file_data } };
}
