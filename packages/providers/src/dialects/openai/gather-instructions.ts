// Instructions for services whose models accept one system message, at the beginning: chat templates of many
// open models raise an error at any other.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import { type Growing, growing, joinAdded } from "../join-contents.ts";

/**
 * The first instructions become one message. Later ones are said by the user, marked as what they are in the
 * way that Claude Code does for models of this kind, in one message with what the user says before or after.
 */
export function gatherInstructions(messages: readonly JsonObject[]): JsonObject[] {
  const gathered: Growing[] = [];
  let isReminder = false;
  for (const message of messages) {
    const last = gathered.at(-1);
    const isInstruction = message.role === "system" || message.role === "developer";
    const isFirst = isInstruction && (last === undefined || last.message.role === "system");
    const wasReminder = isReminder;
    isReminder = isInstruction && !isFirst;
    const role = isFirst ? "system" : isReminder ? "user" : message.role;
    const content = isReminder ? wrapReminder(message.content) : message.content;
    const isJoined = isInstruction || (wasReminder && role === "user");
    if (isJoined && last !== undefined && last.message.role === role) last.added.push(content);
    else gathered.push(growing({ ...message, role, content }));
  }
  return gathered.map(joinAdded);
}

/** Instructions as what a user says. */
export function asReminder({ content }: JsonObject): JsonObject {
  return { role: "user", content: wrapReminder(content) };
}

function wrapReminder(content: unknown): string {
  return `<system-reminder>\n${textOf(content)}\n</system-reminder>`;
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return parseText(content) ?? "";
  return content.flatMap((part: unknown) => (isObject(part) ? [String(part.text)] : [])).join("\n");
}
