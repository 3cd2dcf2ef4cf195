// Items and tools of a caller of responses that an upstream's own `/responses` would certainly refuse: ids of calls that
// another provider wrote too long, its names of tools that are not offered, and schemas of tools that are unions.
import { isObject, type JsonObject } from "@turnpike/base";
import { dialectRules } from "../../conversation-rules.ts";
import { CallIds } from "../call-ids.ts";
import { fitDefinition } from "../openai/fit-tools.ts";
import type { OpenaiQuirks } from "../openai/quirks.ts";
import { namesOfCalls } from "../tool-names.ts";

/** The longest id of a call. */
const callIdMaxChars = 64;

const hasLongId = (item: unknown): boolean =>
  isObject(item) && typeof item.call_id === "string" && item.call_id.length > callIdMaxChars;

type Offer = { readonly tools: unknown; readonly quirks: Pick<OpenaiQuirks, "toolNames"> };

/** `input` itself where all ids are short enough, and all names accepted. */
export function fitOwnItems(input: unknown, offer: Offer): unknown {
  return Array.isArray(input) ? fitNames(fitIds(input), offer) : input;
}

function fitIds(input: readonly unknown[]): readonly unknown[] {
  if (!input.some(hasLongId)) return input;
  const ids = new CallIds(dialectRules.responses.callIds.is);
  const sent = new Map<unknown, string>();
  return input.map((item: unknown) => {
    if (!isObject(item) || typeof item.call_id !== "string") return item;
    const { call_id: own } = item;
    const call_id = hasLongId(item) ? (sent.get(own) ?? ids.call(own)) : own;
    sent.set(own, call_id);
    return { ...item, call_id };
  });
}

function fitNames(input: readonly unknown[], { tools, quirks }: Offer): readonly unknown[] {
  const called = input.filter(isCall).map(({ name }) => name);
  if (called.length === 0) return input;
  // Items may offer tools, too.
  const offered = [{ tools }, ...input].flatMap(offeredIn);
  const sentName = namesOfCalls(called, offered, quirks.toolNames);
  const fitted = input.map((item) => {
    if (!isCall(item)) return item;
    const name = sentName(item.name);
    return name === item.name ? item : { ...item, name };
  });
  return fitted.every((item, at) => item === input[at]) ? input : fitted;
}

const calls: readonly unknown[] = ["function_call", "custom_tool_call"];

function isCall(item: unknown): item is JsonObject {
  return isObject(item) && calls.includes(item.type);
}

/** The names of the tools of a namespace, of an item or of a request. */
function offeredIn(holder: unknown): unknown[] {
  const tools: readonly unknown[] =
    isObject(holder) && Array.isArray(holder.tools) ? holder.tools : [];
  return tools.filter(isObject).flatMap((tool) => [tool.name, ...offeredIn(tool)]);
}

/** `tools` themselves where their schemas are accepted. */
export function fitOwnTools(tools: unknown, quirks: OpenaiQuirks): unknown {
  if (!Array.isArray(tools)) return tools;
  const fitted = tools.map((tool: unknown) =>
    isObject(tool) && tool.type === "function" ? fitDefinition(tool, quirks) : tool,
  );
  return fitted.every((tool, at) => tool === tools[at]) ? tools : fitted;
}
