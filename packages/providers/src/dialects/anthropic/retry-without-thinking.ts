// What Claude is asked once it has refused thinking that it did not sign, which another model wrote earlier in the
// conversation: the same without any of it. Claude answers without earlier thinking. What it has refused is not sent again.
import { isObject, type JsonObject } from "@turnpike/base";
import { editJsonObject, findMembers, memberText, parseExactly } from "@turnpike/wire";
import type { DialectRequest, Provider } from "../../provider.ts";
import { rememberRefused, wasRefused } from "../../refused-parts.ts";
import { digestOf } from "../fit-identifier.ts";
import { messageOf } from "./cloud-betas.ts";
import { isThinking, signatureOf } from "./thinking-block.ts";

/** From the beginning: other refusals repeat words of a request. */
const refusesThinking =
  /^messages\.(\d{1,6})\.content\.(\d{1,6})(?:: Invalid `(?:signature|data)` in `|\.(?:redacted_)?thinking\.(?:signature|data): )/;

/** Undefined for any other refusal, and for a conversation without thinking. */
export function retryWithoutThinking(
  { provider }: { readonly provider: Provider },
  dialectRequest: DialectRequest,
  status: number,
  refusal: string,
): DialectRequest | undefined {
  const [, turn, place] = refusesThinking.exec(messageOf(refusal)) ?? [];
  if (status !== 400 || turn === undefined || place === undefined) return undefined;
  const members = findMembers(dialectRequest.body);
  const messages = parseExactly(memberText(dialectRequest.body, members, "messages") ?? "null");
  if (!Array.isArray(messages)) return undefined;
  const all = messages.flatMap(blocksOf).filter(isThinking);
  if (all.length === 0) return undefined;
  // Others may be Claude's own, which it wants to see again.
  const named = blocksOf(messages[Number(turn)])[Number(place)];
  rememberRefused(provider, (isThinking(named) ? [named] : all).map(nameOf));
  const thinking = parseExactly(memberText(dialectRequest.body, members, "thinking") ?? "null");
  const kept = drop({ messages, thinking }, isThinking);
  const set: Record<string, string> = {};
  for (const name in kept) set[name] = JSON.stringify(kept[name]);
  return { ...dialectRequest, body: editJsonObject(dialectRequest.body, members, { set }) };
}

/** `body` itself unless its provider has refused some of its thinking before. */
export function withoutRefusedThinking(
  { provider }: { readonly provider: Provider },
  body: JsonObject,
): JsonObject {
  const { messages, thinking } = body;
  const isRefused = (block: unknown) => wasRefusedThinking(provider, block);
  if (!Array.isArray(messages) || !messages.some((one) => blocksOf(one).some(isRefused))) {
    return body;
  }
  return { ...body, ...drop({ messages, thinking }, isRefused) };
}

type Thinking = { readonly messages: readonly unknown[]; readonly thinking: unknown };

/** The members to send instead. */
function drop(
  { messages, thinking }: Thinking,
  isDropped: (block: unknown) => boolean,
): Record<string, unknown> {
  const kept = withoutThinking(messages, isDropped);
  const ends = isObject(thinking) && thinking.type === "enabled" && lacksThinking(kept);
  return { messages: kept, ...(ends && { thinking: { type: "disabled" } }) };
}

/** Whether this provider has refused the block before. */
export function wasRefusedThinking(provider: Provider, block: unknown): boolean {
  return isThinking(block) && wasRefused(provider, () => nameOf(block));
}

function nameOf(block: JsonObject): string {
  return `thinking ${digestOf(String(signatureOf(block)), 32)}`;
}

/** A turn that had only such blocks is left out. */
export function withoutThinking(
  messages: readonly unknown[],
  isDropped: (block: unknown) => boolean,
): unknown[] {
  return messages.flatMap((message): unknown[] => {
    if (!isObject(message) || !Array.isArray(message.content)) return [message];
    const content = message.content.filter((block) => !isDropped(block));
    if (content.length === message.content.length) return [message];
    return content.length === 0 ? [] : [{ ...message, content }];
  });
}

/**
 * Whether the current turn has calls without the thinking that led to them: it continues without
 * thinking.
 */
export function lacksThinking(messages: readonly unknown[]): boolean {
  const last = messages.findLast((message) => isObject(message) && message.role === "assistant");
  const blocks = blocksOf(last);
  return blocks.some(isCall) && !blocks.some(isThinking);
}

function isCall(block: unknown): boolean {
  return isObject(block) && block.type === "tool_use";
}

export function blocksOf(message: unknown): readonly unknown[] {
  return isObject(message) && Array.isArray(message.content) ? message.content : [];
}
