// The order of turns for services where it is strict (the quirk `turnOrder`): what they would refuse is said in another
// turn, and an answer that the caller never had stands where one must.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import { type Growing, growing, joinAdded } from "../join-contents.ts";
import { asReminder } from "./gather-instructions.ts";

/** Says what a turn that the conversation lacks would say. */
const speaks = (content: string): JsonObject => ({ role: "user", content });

/** Stands between the results of tools and what the user says next. */
const bridge: JsonObject = { role: "assistant", content: "OK." };

/** `messages` itself where the order is right. */
export function orderTurns(messages: readonly JsonObject[]): readonly JsonObject[] {
  const growingTurns: Growing[] = [];
  const spoken = messages.map(asAnswer).filter((message) => message !== undefined);
  spoken.forEach((message, index) => {
    const last = growingTurns.at(-1);
    const before = last?.message;
    const isLast = index > 0 && index === spoken.length - 1;
    const turn = asTurn(message, before?.role, isLast);
    if (turn.role === "user" && before?.role === "tool") {
      // The model goes on with its results, and not with what it is reminded of.
      if (isReminder(turn)) {
        last?.added.push(turn.content);
        return;
      }
      growingTurns.push(growing(bridge));
    }
    growingTurns.push(growing(turn));
  });
  const ordered = growingTurns.map(joinAdded);
  const last = ordered.at(-1);
  if (last === undefined) return [speaks("(Continue.)")];
  // The beginning of an answer has to say that it is one.
  if (last.role === "assistant" && last.prefix !== true && !hasCalls(last)) {
    ordered[ordered.length - 1] = { ...last, prefix: true };
    if (ordered.length === 1) ordered.unshift(speaks("(The assistant begins.)"));
  }
  const isSame =
    ordered.length === messages.length && ordered.every((one, at) => one === messages[at]);
  return isSame ? messages : ordered;
}

const [opening, closing] = ["<system-reminder>", "</system-reminder>"];

/** Whether a text is one reminder after the other, with nothing between them. */
function isReminders(text: string): boolean {
  const [before = "", ...reminders] = text.split(opening);
  return (
    before.trim() === "" &&
    reminders.length > 0 &&
    reminders.every((reminder) => {
      const end = reminder.indexOf(closing);
      return end !== -1 && reminder.slice(end + closing.length).trim() === "";
    })
  );
}

/** Whether nothing but reminders is said, as agents do beside the results of tools. */
function isReminder({ content }: JsonObject): boolean {
  const texts: readonly unknown[] = Array.isArray(content)
    ? content.map((part: unknown) => (isObject(part) ? part.text : undefined))
    : [content];
  return texts.length > 0 && texts.every((text) => typeof text === "string" && isReminders(text));
}

function asTurn(message: JsonObject, before: unknown, isLast: boolean): JsonObject {
  if (message.role !== "system" && message.role !== "developer") return message;
  const isAllowed = before === undefined || before === "system" || before === "user";
  return isAllowed && !isLast ? message : asReminder(message);
}

/** Undefined for an answer that says nothing; any other message is itself. */
function asAnswer(message: JsonObject): JsonObject | undefined {
  const isAnswer = message.role === "assistant";
  if (!isAnswer || hasCalls(message) || !isEmpty(message.content)) return message;
  const refusal = parseText(message.refusal);
  if (refusal === undefined) return undefined;
  const { refusal: _, ...rest } = message;
  return { ...rest, content: refusal };
}

function hasCalls({ tool_calls: calls }: JsonObject): boolean {
  return Array.isArray(calls) && calls.length > 0;
}

function isEmpty(content: unknown): boolean {
  if (!Array.isArray(content)) return parseText(content) === undefined;
  return content.every(
    (part: unknown) => isObject(part) && (part.text ?? part.refusal ?? "") === "",
  );
}
