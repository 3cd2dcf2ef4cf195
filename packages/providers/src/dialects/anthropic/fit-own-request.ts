// What a request of Anthropic's own language cannot keep as its caller wrote it, because it would certainly be refused:
// thinking of other models, whose signatures Anthropic does not know, turns and schemas it does not take, a thinking
// budget above the limit we lowered, and what clouds refuse.
import { isObject, type JsonObject } from "@turnpike/base";
import { memberText, parseExactly, parseSignature } from "@turnpike/wire";
import { dialectRules } from "../../conversation-rules.ts";
import { isObjectSchema, objectSchemaOf } from "../object-schema.ts";
import { namesOfCalls, type SentName } from "../tool-names.ts";
import { fitOwnTurns, withoutBlankTexts } from "./fit-own-turns.ts";
import type { MessagesCall } from "./message-stream.ts";
import {
  blocksOf,
  lacksThinking,
  wasRefusedThinking,
  withoutThinking,
} from "./retry-without-thinking.ts";
import { isThinking, mayBeClaudes, signatureOf } from "./thinking-block.ts";
import { checksSignatures, leastBudget, refusesPrefill } from "./write-thinking.ts";

/** The members to set, as JSON texts; none if the caller's bytes can be sent unchanged. */
export function fitOwnRequest(call: MessagesCall): Record<string, string> {
  const set: Record<string, string> = {};
  const tools = fitTools(call);
  if (tools !== undefined) set.tools = JSON.stringify(tools);
  const thinking = parseMember(call, "thinking");
  const bounded = boundThinking(call, thinking);
  if (bounded !== undefined) set.thinking = JSON.stringify(bounded);
  const { system } = call.request.asked ?? {};
  if (Array.isArray(system) && withoutBlankTexts(system) !== system) {
    set.system = JSON.stringify(withoutBlankTexts(system));
  }
  return { ...set, ...fitMessages(call, thinking) };
}

function fitMessages(call: MessagesCall, thinking: unknown): Record<string, string> {
  const asked = call.request.asked?.messages;
  const fitting = {
    endsWithUser: refusesContinuation(call, thinking),
    sentName: namesOfHistory(call),
  };
  // Most requests need nothing, and are not parsed again.
  const isPlain = Array.isArray(asked) && !asked.some((one) => blocksOf(one).some(isThinking));
  if (isPlain && fitOwnTurns(asked, fitting) === asked) return {};
  const messages = parseMember(call, "messages");
  if (!Array.isArray(messages)) return {};
  const kept = withoutThinking(messages, (block) => isForeign(block, call));
  const hasForeign =
    kept.length < messages.length || kept.some((message, at) => message !== messages[at]);
  const fitted = fitOwnTurns(hasForeign ? kept : messages, fitting);
  if (fitted === messages) return {};
  const ends = hasForeign && isObject(thinking) && thinking.type === "enabled";
  return {
    messages: JSON.stringify(fitted),
    ...(ends && lacksThinking(kept) && { thinking: JSON.stringify({ type: "disabled" }) }),
  };
}

function namesOfHistory({ request: { asked } }: MessagesCall): SentName {
  const messages: readonly unknown[] = Array.isArray(asked?.messages) ? asked.messages : [];
  const uses = messages.flatMap(blocksOf).filter(isObject);
  const called = uses.filter(({ type }) => type === "tool_use").map(({ name }) => name);
  const tools: readonly unknown[] = Array.isArray(asked?.tools) ? asked.tools : [];
  const offered = tools.filter(isObject).map(({ name }) => name);
  return namesOfCalls(called, offered, dialectRules.anthropic.toolNames.is);
}

/** The beginning of an answer is continued neither in a format nor after thinking. */
function refusesContinuation({ request, upstreamModel }: MessagesCall, thinking: unknown): boolean {
  const { output_format: format, output_config: config } = request.asked ?? {};
  const thinks = isObject(thinking) && thinking.type !== "disabled";
  const isBound = isObject(format) || (isObject(config) && isObject(config.format));
  return refusesPrefill(upstreamModel) || isBound || thinks;
}

/** How soon inputs are streamed; clouds may refuse the member of a tool. */
const eagerness = "eager_input_streaming";

/** Undefined if all of them can be sent as they are. */
function fitTools(call: MessagesCall): unknown[] | undefined {
  const asked = call.request.asked?.tools;
  const isInCloud = call.provider.cloud !== undefined;
  const isKept = (tool: unknown) =>
    isObject(tool) &&
    !(isInCloud && eagerness in tool) &&
    (!isObject(tool.input_schema) || isObjectSchema(tool.input_schema));
  if (!Array.isArray(asked) || asked.every(isKept)) return undefined;
  const tools = parseMember(call, "tools");
  if (!Array.isArray(tools)) return undefined;
  return tools.map((tool: unknown) => (isObject(tool) ? fitTool(tool, isInCloud) : tool));
}

/** One whose schema has lost a union is not bound to it. */
function fitTool(tool: JsonObject, isInCloud: boolean): JsonObject {
  const { [eagerness]: eager, ...rest } = tool;
  const kept = isInCloud ? rest : tool;
  const { input_schema: schema } = kept;
  if (!isObject(schema) || isObjectSchema(schema)) return kept;
  const { strict: _, ...free } = kept;
  return { ...free, input_schema: objectSchemaOf(schema) };
}

function parseMember({ request: { raw, members } }: MessagesCall, name: string): unknown {
  const text = memberText(raw, members, name);
  return text === undefined ? undefined : parseExactly(text);
}

/** Anthropic requires the budget to be below `max_tokens`. Undefined if nothing has to change. */
function boundThinking(
  { maxTokens, request }: MessagesCall,
  thinking: unknown,
): JsonObject | undefined {
  if (maxTokens === undefined || maxTokens === request.maxTokens) return undefined;
  if (!isObject(thinking) || typeof thinking.budget_tokens !== "number") return undefined;
  if (thinking.budget_tokens < maxTokens) return undefined;
  if (maxTokens - 1 < leastBudget) return { type: "disabled" };
  return { ...thinking, budget_tokens: maxTokens - 1 };
}

/** Written by a model of another provider, as far as this one is concerned. */
function isForeign(block: unknown, { provider, upstreamModel }: MessagesCall): boolean {
  if (!isThinking(block)) return false;
  if (!checksSignatures(upstreamModel)) return parseSignature(signatureOf(block)) !== undefined;
  return !mayBeClaudes(signatureOf(block)) || wasRefusedThinking(provider, block);
}
