// The conversation of a chat completion as a service with these quirks accepts it, in whatever language it was written:
// names and ids of calls, the reasoning of answers, media among the results, and the order of turns.
import { isObject, type JsonObject } from "@turnpike/base";
import { parseExactly } from "@turnpike/wire";
import { fitCalls } from "../fit-calls.ts";
import type { ToolNames } from "../tool-names.ts";
import { moveMedia } from "./move-media.ts";
import type { OpenaiQuirks } from "./quirks.ts";
import { withReasoningContent } from "./reasoning-history.ts";
import { orderTurns } from "./turn-order.ts";

/** Messages that need nothing stay the objects they are. */
export function fitConversation(
  messages: readonly JsonObject[],
  quirks: OpenaiQuirks,
  names: ToolNames,
): readonly JsonObject[] {
  const { toolCallIds, toolResults, reasoningHistory, turnOrder } = quirks;
  const called = fitCalls(messages, names, toolCallIds);
  const reasoned =
    reasoningHistory === "reasoning_content" ? called.map(withReasoningContent) : called;
  const shown = toolResults === "text" ? moveMedia(reasoned) : reasoned;
  return turnOrder === "strict" ? orderTurns(shown) : shown;
}

/** Without any there is nothing but the order of turns to look at. */
const looked = ["tool_calls", "tool_call_id", "reasoning", "reasoning_details"];

function isLookedAt(message: unknown): boolean {
  return isObject(message) && looked.some((name) => message[name] !== undefined);
}

/**
 * The same of a caller's own messages, `text`, of which `parsed` is what was read. The text stays as it is where the
 * service accepts it; where nothing is known of the service, it decides.
 */
export function fitOwnConversation(
  text: string,
  parsed: unknown,
  quirks: OpenaiQuirks,
  names: ToolNames,
): string {
  const { toolCallIds, toolResults, reasoningHistory, turnOrder } = quirks;
  const isAny =
    [toolCallIds, toolResults, turnOrder].every((quirk) => quirk === "any") &&
    reasoningHistory === "reasoning_details";
  if ((isAny && !names.hasRenamed) || !Array.isArray(parsed)) return text;
  if (turnOrder === "any" && !parsed.some(isLookedAt)) return text;
  const known = parsed.filter(isObject);
  const fitted = fitConversation(known, quirks, names);
  const isSame = fitted.length === known.length && fitted.every((one, at) => one === known[at]);
  if (isSame) return text;
  const exact: unknown = parseExactly(text);
  if (!Array.isArray(exact)) return text;
  return JSON.stringify(fitConversation(exact.filter(isObject), quirks, names));
}
