// Reads a whole Anthropic message: for a caller of the same language its own text with our id and model,
// for any other its content as typed events.
import { type Fault, isObject, type JsonObject, parseObject, readText } from "@turnpike/base";
import { type DeltaEvent, messagesLanguage, parseExactObject, setMembers } from "@turnpike/wire";
import type { UnreadAnswer, WholeAnswer } from "../../provider.ts";
import { unreadable } from "../../refusals/refuse.ts";
import { acceptBody, acceptUnread, refuseBody } from "../accept-body.ts";
import { customToolNames } from "../custom-tool.ts";
import { estimateTokens } from "../openai/count-tokens.ts";
import { openFence } from "../plain-json.ts";
import type { MessagesCall } from "./message-stream.ts";
import { nameAnswer } from "./name-answer.ts";
import { readBlocks, readStop } from "./read-blocks.ts";
import { readAnthropicUsage } from "./read-usage.ts";

/** Throws a Fault if it is an error or not a message. */
export function readMessage(call: MessagesCall, text: string, headers: Headers): WholeAnswer {
  const source = acceptBody(parseExactObject(text), call, headers);
  if (!Array.isArray(source.content)) throw unreadable();
  const isOwn = call.request.language === messagesLanguage;
  if (isOwn && !isMessage(source, source.content)) throw unreadable();
  const { event, words } = readStop(source);
  const { parsed } = call.request;
  const fence = isOwn ? undefined : openFence(parsed);
  const said = readBlocks(source.content, customToolNames(parsed), fence);
  return {
    kind: "whole",
    upstreamId: readText(source.id),
    content: isOwn
      ? { kind: "body", ...nameMessage(call, text, source) }
      : { kind: "deltas", deltas: [...said, event] },
    usage: readAnthropicUsage(source.usage),
    finish: words,
    deliveredTokens: estimateTokens(countBytes(said) + (isOwn ? countUnknown(source.content) : 0)),
  };
}

/** Whether a caller of the same language can read it unchanged. */
function isMessage({ type, role, stop_reason: reason }: JsonObject, content: readonly unknown[]) {
  if (type !== "message" || role !== "assistant" || readText(reason) === undefined) return false;
  return content.every((block) => isObject(block) && readText(block.type) !== undefined);
}

function nameMessage(
  call: MessagesCall,
  text: string,
  source: JsonObject,
): { body: JsonObject; text: string } {
  const { id, model } = call.stamp;
  return { body: { ...source, id, model }, text: setMembers(text, nameAnswer(call)) };
}

function countBytes(said: readonly DeltaEvent[]): number {
  let bytes = 0;
  for (const event of said) {
    if (event.kind === "text" || event.kind === "reasoning") bytes += Buffer.byteLength(event.text);
    if (event.kind === "tool_call") bytes += Buffer.byteLength(event.arguments);
  }
  return bytes;
}

const knownBlocks: ReadonlySet<unknown> = new Set([
  ...["text", "thinking", "redacted_thinking", "tool_use"],
]);

/** For blocks that only a caller of the same language is shown. */
function countUnknown(content: readonly unknown[]): number {
  const unknown = content.filter((block) => !isObject(block) || !knownBlocks.has(block.type));
  return unknown.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(unknown));
}

/** What the bill needs of an answer whose client has disconnected. Throws the Fault of an error. */
export function readUnreadMessage(
  call: MessagesCall,
  members: JsonObject | undefined,
  headers: Headers,
): UnreadAnswer {
  return acceptUnread(members, call, headers, ({ usage }) => readAnthropicUsage(usage));
}

/** A 200 with one body instead of a stream: an error, or an answer in the wrong form. */
export function refuseUnstreamed(call: MessagesCall, text: string, headers: Headers): Fault {
  return refuseBody(parseObject(text), call, headers);
}
