// Compaction of a conversation, without stored state: a request whose last item asks for it becomes one call that
// writes a summary, and the summary is returned in one item, sealed with the caller's API key. A later request
// that contains the item has the summary in its place, for every provider.
import {
  createSealer,
  Fault,
  isObject,
  type JsonObject,
  parseBearer,
  parseText,
  SealBroken,
} from "@turnpike/base";
import { brokenRule } from "../checks/body-fault.ts";
import { namesWhere } from "../fields/field-table.ts";
import type { RequestHeaders } from "../protocol/request-headers.ts";

/** Not the language of `/responses`: no upstream answers such a request itself. */
export const compactionLanguage = "openai-responses-compaction";

/** Identifies the text and its version. */
const prefix = "turnpike-compaction1.";
const place = "compaction of a conversation";

/** Codex's names of the item; the second and third are those of its earlier versions. */
const compactedTypes: readonly unknown[] = [
  "compaction",
  "compaction_summary",
  "context_compaction",
];

/** Whether an item has a summary of what was said before it. */
export function isCompacted({ type, encrypted_content: sealed }: JsonObject): boolean {
  return compactedTypes.includes(type) && (type !== "context_compaction" || isGiven(sealed));
}

/** Whether an item asks for a summary of what was said before it. */
export function isTrigger({ type, encrypted_content: sealed }: JsonObject): boolean {
  return type === "compaction_trigger" || (type === "context_compaction" && !isGiven(sealed));
}

/** `encrypted_content` of the item with `summary`. */
export function sealSummary(summary: string, headers: RequestHeaders): string {
  const sealed = createSealer([parseBearer(headers)]).seal(place, summary);
  return prefix + Buffer.from(sealed).toString("base64url");
}

/** The summary in an item, as a message. `path` is that of the item. Throws Fault. */
export function openSummary(item: JsonObject, path: string, headers: RequestHeaders): JsonObject {
  const sealed = parseText(item.encrypted_content) ?? "";
  if (!sealed.startsWith(prefix)) throw foreign(path, "was not made here");
  const bytes = Buffer.from(sealed.slice(prefix.length), "base64url");
  try {
    const summary = createSealer([parseBearer(headers)]).open(place, bytes);
    return { type: "message", role: "user", content: `${introduction}\n\n${summary}` };
  } catch (thrown) {
    if (!(thrown instanceof SealBroken)) throw thrown;
    throw foreign(path, "was changed, or was made for another API key");
  }
}

function foreign(path: string, problem: string): Fault {
  const param = `${path}.encrypted_content`;
  const sentence = `Invalid '${param}': this compaction ${problem}, so its summary cannot be read. Send the items of the conversation instead, or compact them here with an item of the type 'compaction_trigger'.`;
  return new Fault("invalid_value", sentence, { param });
}

/** `input` without the item that asks for a compaction; undefined if there is none. Throws Fault. */
export function withoutTrigger(input: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(input)) return undefined;
  const at = input.findIndex((item) => isObject(item) && isTrigger(item));
  if (at === -1) return undefined;
  const path = `input[${at}]`;
  if (at !== input.length - 1) {
    const sentence = `Invalid '${path}': an item that asks for a compaction must be the last of 'input', and the only one.`;
    throw brokenRule(path, sentence);
  }
  if (at === 0) {
    throw brokenRule("input", "Invalid 'input': there is nothing before the item to compact.");
  }
  return input.slice(0, at);
}

/** Settings of answers that a summary is not bound by. */
const settings = namesWhere(({ of }) => of.responses?.bindsAnswer === true);

/** The request for a summary of `items`. Tools stay, because earlier calls refer to them, and are not called. */
export function askForSummary(body: JsonObject, items: readonly unknown[]): JsonObject {
  const asked: JsonObject = {};
  for (const name in body) if (!settings.includes(name)) asked[name] = body[name];
  const request = { type: "message", role: "user", content: instructions };
  return { ...asked, input: [...items, request], tool_choice: "none" };
}

const introduction =
  "The conversation before this point was compacted. This summary of it was written for you, so that you can continue:";

const instructions = `The conversation above becomes too long and will be replaced by a summary, which you write now. The one who continues the work will have nothing but this summary and the user's own messages, so include everything that is needed:
- what the user wants, with all requirements, preferences and corrections, in their words where these matter;
- what was done and found, with the exact names of files, functions, commands, values and errors;
- what was decided and why, and what was tried without success;
- what remains to be done, and the next step.
Answer with the text of the summary only. Call no tools, and do not continue the work.`;

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
