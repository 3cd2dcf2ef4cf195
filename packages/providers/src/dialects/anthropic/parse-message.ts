// Reads a whole Anthropic message: for a caller of the same language its own text with our id and model,
// for any other its content as typed events.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import { messagesLanguage, parseExactObject, setMembers } from "@turnpike/wire";
import type { UnreadAnswer, WholeAnswer } from "../../provider.ts";
import { unreadable } from "../../refusals/refuse.ts";
import { acceptBody, acceptUnread } from "../accept-body.ts";
import { customToolNames } from "../custom-tool.ts";
import { estimateTokens } from "../openai/count-tokens.ts";
import { openFence } from "../plain-json.ts";
import { textOfDeltas, writtenText } from "../written-text.ts";
import type { MessagesCall } from "./message-stream.ts";
import { nameAnswer } from "./name-answer.ts";
import { namesOf } from "./names-of.ts";
import { parseBlocks, parseStop } from "./parse-blocks.ts";
import { parseAnthropicUsage } from "./parse-usage.ts";

/** Throws a Fault if it is an error or not a message. */
export function parseMessage(call: MessagesCall, text: string, headers: Headers): WholeAnswer {
  const source = acceptBody(parseExactObject(text), call, headers);
  if (!Array.isArray(source.content)) throw unreadable();
  const isOwn = call.request.language === messagesLanguage;
  if (isOwn && !isMessage(source, source.content)) throw unreadable();
  const { event, words } = parseStop(source);
  const { parsed } = call.request;
  const fence = isOwn ? undefined : openFence(parsed);
  const said = parseBlocks(source.content, customToolNames(parsed), namesOf(call.request), fence);
  return {
    kind: "whole",
    upstreamId: parseText(source.id),
    content: isOwn
      ? { kind: "body", ...nameMessage(call, text, source) }
      : { kind: "deltas", deltas: [...said, event] },
    usage: parseAnthropicUsage(source.usage),
    finish: words,
    deliveredTokens: estimateTokens(
      Buffer.byteLength(isOwn ? writtenText(source.content) : textOfDeltas(said)),
    ),
  };
}

/** Whether a caller of the same language can read it unchanged. */
function isMessage({ type, role, stop_reason: reason }: JsonObject, content: readonly unknown[]) {
  if (type !== "message" || role !== "assistant" || parseText(reason) === undefined) return false;
  return content.every((block) => isObject(block) && parseText(block.type) !== undefined);
}

function nameMessage(
  call: MessagesCall,
  text: string,
  source: JsonObject,
): { body: JsonObject; text: string } {
  const { id, model } = call.identity;
  return { body: { ...source, id, model }, text: setMembers(text, nameAnswer(call)) };
}

/** What the bill needs of an answer whose client has disconnected. Throws the Fault of an error. */
export function parseUnreadMessage(
  call: MessagesCall,
  members: JsonObject | undefined,
  headers: Headers,
): UnreadAnswer {
  return acceptUnread(members, call, headers, ({ usage }) => parseAnthropicUsage(usage));
}
