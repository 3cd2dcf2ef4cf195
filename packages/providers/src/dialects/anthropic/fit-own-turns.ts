// The turns of a request in Anthropic's own language without what Anthropic would certainly refuse: texts without
// anything in them, ids and names of other providers' calls, results that do not come first, and a last turn that it must not
// continue. Turns that need nothing stay the objects they are.
import { isObject, type JsonObject } from "@turnpike/base";
import { dialectRules } from "../../conversation-rules.ts";
import { CallIds } from "../call-ids.ts";
import { addResult, type Growing, growing, joinAdded } from "../join-contents.ts";
import type { SentName } from "../tool-names.ts";
import { isThinking } from "./thinking-block.ts";
import { beginning, continuation, withReason } from "./write-conversation.ts";
import { isBlank } from "./write-parts.ts";

type Fitting = {
  /** For a model that does not continue an answer. */
  readonly endsWithUser: boolean;
  readonly sentName: SentName;
};

/** `messages` itself where nothing has to change. */
export function fitOwnTurns(
  messages: readonly unknown[],
  { endsWithUser, sentName }: Fitting,
): readonly unknown[] {
  const fitted = frame(putResultsFirst(endWithWords(fitEach(messages, sentName))), endsWithUser);
  const isSame =
    fitted.length === messages.length && fitted.every((one, at) => one === messages[at]);
  return isSame ? messages : fitted;
}

/** A message whose results may still grow: a later one may answer a call again. */
type Draft = { readonly message: unknown; readonly blocks?: (Growing | { other: unknown })[] };

function fitEach(messages: readonly unknown[], sentName: SentName): unknown[] {
  const ids = new CallIds(dialectRules.anthropic.callIds.is);
  /** Of the last turn, by the ids that are sent. */
  const results = new Map<string, Growing>();
  const drafts: Draft[] = [];
  let before: unknown;
  for (const message of messages) {
    // Instructions between turns are none.
    const isTurn = isObject(message) && message.role !== "system";
    const said = isTurn ? withoutBlanks(message) : undefined;
    if (!isTurn) drafts.push({ message });
    if (said === undefined) continue;
    const isAnswer = said.role === "assistant";
    if (isAnswer && before !== "assistant") {
      ids.beginTurn();
      results.clear();
    }
    drafts.push(
      isAnswer ? { message: fitUses(said, ids, sentName) } : fitResults(said, ids, results),
    );
    before = said.role;
  }
  return drafts.flatMap(finish);
}

/** Nothing where all results of the message joined those of one before it. */
function finish({ message, blocks }: Draft): unknown[] {
  if (blocks === undefined || !isObject(message)) return [message];
  const finished = blocks.map((block) =>
    "other" in block ? block.other : withReason(joinAdded(block)),
  );
  return finished.length === 0 ? [] : [withBlocks(message, finished)];
}

/** Undefined for a message that says nothing. */
function withoutBlanks(message: JsonObject): JsonObject | undefined {
  const { content } = message;
  if (isBlank(content)) return undefined;
  if (!Array.isArray(content)) return message;
  const kept = withoutBlankTexts(content);
  if (kept.length === 0) return undefined;
  const blocks = kept.map((block: unknown) => {
    if (!isObject(block) || block.type !== "tool_result") return block;
    if (!Array.isArray(block.content)) return block;
    const inner = withoutBlankTexts(block.content);
    return inner === block.content ? block : { ...block, content: inner };
  });
  return withBlocks(message, blocks);
}

/** `blocks` itself if all of them say something. */
export function withoutBlankTexts(blocks: readonly unknown[]): readonly unknown[] {
  const says = (block: unknown) =>
    !isObject(block) || block.type !== "text" || !isBlank(block.text);
  return blocks.every(says) ? blocks : blocks.filter(says);
}

function fitUses(message: JsonObject, ids: CallIds, sentName: SentName): JsonObject {
  if (!Array.isArray(message.content)) return message;
  const blocks = message.content.map((block: unknown) => {
    if (!isObject(block) || block.type !== "tool_use" || typeof block.id !== "string") return block;
    const id = ids.call(block.id);
    const name = sentName(block.name);
    return id === block.id && name === block.name ? block : { ...block, id, name };
  });
  return withBlocks(message, blocks);
}

function fitResults(message: JsonObject, ids: CallIds, results: Map<string, Growing>): Draft {
  if (!Array.isArray(message.content)) return { message };
  const blocks: (Growing | { readonly other: unknown })[] = [];
  for (const block of message.content) {
    const own = isObject(block) && block.type === "tool_result" ? block.tool_use_id : undefined;
    const result = typeof own === "string" ? ids.result(own) : undefined;
    if (result === undefined || !isObject(block)) {
      blocks.push({ other: block });
      continue;
    }
    const first = result.isRepeated ? results.get(result.sent) : undefined;
    if (first !== undefined) {
      addResult(first, block);
      continue;
    }
    const only = growing(result.sent === own ? block : { ...block, tool_use_id: result.sent });
    results.set(result.sent, only);
    blocks.push(only);
  }
  return { message, blocks };
}

/** No answer ends in thinking; messages that have nothing else are left out. */
function endWithWords(messages: readonly unknown[]): unknown[] {
  const kept: unknown[] = [];
  let next: unknown;
  for (const message of messages.toReversed()) {
    const isAnswer = isOfRole(message, "assistant");
    const ended = isAnswer && next !== "assistant" ? withoutLastThinking(message) : message;
    if (ended === undefined) continue;
    kept.push(ended);
    if (isObject(ended) && ended.role !== "system") next = ended.role;
  }
  return kept.reverse();
}

/** Undefined where nothing is left. */
function withoutLastThinking(message: JsonObject): JsonObject | undefined {
  const { content } = message;
  if (!Array.isArray(content)) return message;
  const end = content.findLastIndex((block) => !isThinking(block)) + 1;
  if (end === content.length) return message;
  return end === 0 ? undefined : { ...message, content: content.slice(0, end) };
}

function withBlocks(message: JsonObject, blocks: readonly unknown[]): JsonObject {
  const { content } = message;
  const isSame =
    Array.isArray(content) &&
    blocks.length === content.length &&
    blocks.every((block, at) => block === content[at]);
  return isSame ? message : { ...message, content: blocks };
}

/** The results of all calls of a turn begin the next one, whose messages are then one. */
function putResultsFirst(messages: readonly unknown[]): unknown[] {
  const ordered: unknown[] = [];
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index];
    ordered.push(message);
    const calls = blocksOf(message, "assistant").filter(isOfType("tool_use")).length;
    if (calls === 0) continue;
    const end = endOfUser(messages, index + 1);
    const blocks = messages.slice(index + 1, end).flatMap((each) => blocksOf(each, "user"));
    const results = blocks.filter(isOfType("tool_result"));
    const first = blocksOf(messages[index + 1], "user").slice(0, results.length);
    if (results.length === 0 || first.filter(isOfType("tool_result")).length === results.length) {
      continue;
    }
    const others = blocks.filter((block) => block.type !== "tool_result");
    ordered.push({ role: "user", content: [...results, ...others] });
    index = end - 1;
  }
  return ordered;
}

/** One past the messages of the user that begin at `from`. */
function endOfUser(messages: readonly unknown[], from: number): number {
  let end = from;
  while (isOfRole(messages[end], "user")) end += 1;
  return end;
}

function isOfRole(message: unknown, role: string): message is JsonObject {
  return isObject(message) && message.role === role;
}

function isOfType(type: string): (block: JsonObject) => boolean {
  return (block) => block.type === type;
}

/** A text as the one block that it stands for. */
function blocksOf(message: unknown, role: string): readonly JsonObject[] {
  if (!isOfRole(message, role)) return [];
  const { content } = message;
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

function frame(messages: readonly unknown[], endsWithUser: boolean): readonly unknown[] {
  const isTurn = (message: unknown) => isObject(message) && message.role !== "system";
  const first = messages.find(isTurn);
  const begun = isOfRole(first, "assistant") ? [beginning, ...messages] : messages;
  const at = begun.findLastIndex(isTurn);
  const last = begun[at];
  if (last === undefined) return [...begun, continuation];
  if (!isOfRole(last, "assistant")) return begun;
  if (endsWithUser) return [...begun, continuation];
  const trimmed = trimEnd(last);
  return trimmed === last ? begun : begun.with(at, trimmed);
}

/** No white space may end what the model is to continue. */
function trimEnd(message: JsonObject): JsonObject {
  const { content } = message;
  if (typeof content === "string") {
    const text = content.trimEnd();
    return text === content ? message : { ...message, content: text };
  }
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  const last = blocks.at(-1);
  if (!isObject(last) || typeof last.text !== "string") return message;
  const text = last.text.trimEnd();
  if (text === last.text) return message;
  return { ...message, content: blocks.with(-1, { ...last, text }) };
}
