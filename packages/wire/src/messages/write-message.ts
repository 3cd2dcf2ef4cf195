// A whole Anthropic message: an upstream's own with our bill, or one put together from typed deltas.
import { isObject, type JsonObject } from "@turnpike/base";
import { parseExactObject } from "../json/exact-numbers.ts";
import { setMembers } from "../json/set-members.ts";
import { chatContent } from "../protocol/chat-content.ts";
import type { AnswerContent, AnswerIdentity, Bill, DeltaEvent } from "../protocol/pivot.ts";
import type { MessagesRequest } from "./parse-messages-request.ts";
import { messagesUsage, translatedUsage, unknownUsage } from "./present-usage.ts";
import { BlockWriter, type MessagesEvent } from "./write-events.ts";

export function writeMessage(
  answer: AnswerContent,
  identity: AnswerIdentity,
  bill: Bill | undefined,
  request: MessagesRequest,
): string {
  const content = chatContent(answer);
  if (content.kind === "deltas") {
    const message = assemble(content.deltas, identity, request);
    message.usage = bill === undefined ? unknownUsage : translatedUsage(bill);
    return JSON.stringify(message);
  }
  const { body, text = JSON.stringify(body) } = content;
  return bill === undefined ? text : withBilledUsage(text, body.usage, bill);
}

/** `json`, an object whose `usage` was `reported`, with what was billed and no other byte changed. */
export function withBilledUsage(json: string, reported: unknown, bill: Bill): string {
  return setMembers(json, { usage: JSON.stringify(joinUsage(reported, bill)) });
}

/** Everything in the upstream's usage except the counts is kept; the counts are those of the bill. */
function joinUsage(reported: unknown, bill: Bill): JsonObject {
  const usage = messagesUsage(bill);
  if (!isObject(reported)) return usage;
  const details = isObject(reported.output_tokens_details)
    ? { output_tokens_details: reported.output_tokens_details }
    : {};
  return { ...reported, ...usage, ...details };
}

/** A message without content. */
export function newMessage({ id, model }: AnswerIdentity): JsonObject {
  return {
    id,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    container: null,
    usage: unknownUsage,
  };
}

function assemble(
  deltas: readonly DeltaEvent[],
  identity: AnswerIdentity,
  request: MessagesRequest,
): JsonObject {
  const writer = new BlockWriter(request);
  const events = [...deltas.flatMap((delta) => writer.write(delta)), ...writer.end()];
  return { ...newMessage(identity), content: foldBlocks(events), ...writer.stop };
}

function foldBlocks(events: readonly MessagesEvent[]): JsonObject[] {
  const blocks: JsonObject[] = [];
  let spelled = "";
  for (const { type, content_block: begun, delta } of events) {
    const block = blocks.at(-1);
    if (type === "content_block_start" && isObject(begun)) {
      blocks.push({ ...begun });
      spelled = "";
    } else if (type === "content_block_delta" && block && isObject(delta)) {
      spelled += typeof delta.partial_json === "string" ? delta.partial_json : "";
      addDelta(block, delta);
    } else if (type === "content_block_stop" && block?.type === "tool_use" && spelled !== "") {
      // Malformed arguments are shown unchanged: the caller can tell the model.
      block.input = parseExactObject(spelled) ?? { arguments: spelled };
    }
  }
  return blocks;
}

function addDelta(block: JsonObject, delta: JsonObject): void {
  for (const field of ["text", "thinking", "signature"]) {
    const added = delta[field];
    if (typeof added === "string") block[field] = String(block[field] ?? "") + added;
  }
}
