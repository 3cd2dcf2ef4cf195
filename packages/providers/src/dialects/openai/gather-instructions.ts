// Instructions for services whose models accept one system message, at the beginning: chat templates of many
// open models raise an error at any other.
import { isObject, type JsonObject, readText } from "@turnpike/base";

/** A message, with what further ones add to its content. */
type Gathered = { readonly message: JsonObject; readonly added: unknown[] };

/**
 * The first instructions become one message. Later ones are said by the user, marked as what they are in the
 * way that Claude Code does for models of this kind, in one message with what the user says before or after.
 */
export function gatherInstructions(messages: readonly JsonObject[]): JsonObject[] {
  const gathered: Gathered[] = [];
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
    else gathered.push({ message: { ...message, role, content }, added: [] });
  }
  return gathered.map(({ message, added }) =>
    added.length === 0 ? message : { ...message, content: join([message.content, ...added]) },
  );
}

/** Instructions as what a user says. */
export function asReminder({ content }: JsonObject): JsonObject {
  return { role: "user", content: wrapReminder(content) };
}

function wrapReminder(content: unknown): string {
  return `<system-reminder>\n${textOf(content)}\n</system-reminder>`;
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return readText(content) ?? "";
  return content.flatMap((part: unknown) => (isObject(part) ? [String(part.text)] : [])).join("\n");
}

/** Texts become one text: not every upstream reads a list of parts. */
function join(contents: readonly unknown[]): unknown {
  const isText = contents.every((content) => typeof content === "string");
  if (isText) return contents.join("\n\n");
  return contents.flatMap((content): readonly unknown[] =>
    Array.isArray(content) ? content : [{ type: "text", text: content }],
  );
}
