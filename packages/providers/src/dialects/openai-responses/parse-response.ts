// Reads response objects of an upstream: with our id and model, and their usage removed for billing.
import { isObject, type JsonObject, parseObject, parseText } from "@turnpike/base";
import {
  absentMembers,
  type FinishReason,
  presentMemory,
  setMembers,
  type TokenUsage,
} from "@turnpike/wire";
import type { UnreadAnswer, WholeAnswer } from "../../provider.ts";
import { unreadable } from "../../refusals/refuse.ts";
import { acceptBody, acceptUnread } from "../accept-body.ts";
import type { ChatCall } from "../openai/build-request.ts";
import { estimateTokens } from "../openai/count-tokens.ts";
import { parseUsage, withServiceTier } from "../openai/parse-usage.ts";
import { writtenText } from "../written-text.ts";
import type { ResponseCall } from "./build-responses-request.ts";

/**
 * What a response shows its caller instead of the upstream's own, and what the upstream has left out. Its usage
 * comes from the bill.
 */
function ownMembers({ identity, request }: ResponseCall, response: JsonObject): JsonObject {
  const { id, model, created } = identity;
  return {
    id,
    object: "response",
    created_at: created,
    model,
    usage: null,
    ...presentMemory(request.memory),
    items_kept: request.keepsItems,
    ...absentMembers(response, request),
  };
}

/** The same as JSON texts. */
export function ownMemberTexts(call: ResponseCall, response: JsonObject): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(ownMembers(call, response))) {
    texts[name] = JSON.stringify(value);
  }
  return texts;
}

/** Undefined if it is missing or cannot be billed. */
export function parseResponseUsage(
  response: JsonObject,
  { request, provider }: Pick<ChatCall, "request" | "provider">,
): TokenUsage | undefined {
  const { usage } = response;
  if (!isObject(usage)) return undefined;
  const counts = parseUsage(
    {
      prompt_tokens: usage.input_tokens,
      prompt_tokens_details: usage.input_tokens_details,
      completion_tokens: usage.output_tokens,
      completion_tokens_details: usage.output_tokens_details,
      total_tokens: usage.total_tokens,
    },
    provider.quirks,
  );
  return withServiceTier(counts, request, response.service_tier);
}

/** Why a response ended, as a chat completion's finish reason and in its own terms. */
export function parseFinish(response: JsonObject): {
  readonly reason: FinishReason;
  readonly native: string;
} {
  const { incomplete_details: details, output } = response;
  const native = (isObject(details) && parseText(details.reason)) || String(response.status);
  if (native === "max_output_tokens") return { reason: "length", native };
  if (native === "content_filter") return { reason: "content_filter", native };
  const items = Array.isArray(output) ? output.filter(isObject) : [];
  // Other items whose type ends in `_call` are tools that the provider ran itself.
  const called = items.some(({ type }) => type === "function_call" || type === "custom_tool_call");
  return { reason: called ? "tool_calls" : "stop", native };
}

function isItem(item: unknown): boolean {
  return isObject(item) && parseText(item.type) !== undefined;
}

/** Whether a whole response was ended by its model. */
export function isEnded({ status }: JsonObject): boolean {
  return status === "completed" || status === "incomplete";
}

/** Reads the body of a 200. Throws the Fault of an error or of a body that is not a response. */
export function parseResponse(call: ResponseCall, text: string, headers: Headers): WholeAnswer {
  const source = acceptBody(parseObject(text), call, headers);
  if (!Array.isArray(source.output) || !isEnded(source)) throw unreadable();
  if (!source.output.every(isItem)) throw unreadable();
  return {
    kind: "whole",
    upstreamId: parseText(source.id),
    content: {
      kind: "body",
      body: { ...source, ...ownMembers(call, source) },
      text: setMembers(text, ownMemberTexts(call, source)),
    },
    usage: parseResponseUsage(source, call),
    finish: parseFinish(source),
    deliveredTokens: Math.max(
      estimateTokens(Buffer.byteLength(writtenText(source.output))),
      Math.min(source.output.length, 1),
    ),
  };
}

/** What the bill needs of an answer whose client has disconnected. */
export function parseUnreadResponse(
  call: Pick<ChatCall, "request" | "provider">,
  members: JsonObject | undefined,
  headers: Headers,
): UnreadAnswer {
  return acceptUnread(members, call, headers, (body) => parseResponseUsage(body, call));
}
