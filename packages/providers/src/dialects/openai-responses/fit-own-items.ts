// Items and tools of a caller of responses that an upstream's own `/responses` would certainly refuse: ids of calls that
// another provider wrote too long, and schemas of tools that are unions.
import { isObject } from "@turnpike/base";
import { dialectRules } from "../../conversation-rules.ts";
import { CallIds } from "../call-ids.ts";
import { fitDefinition } from "../openai/fit-tools.ts";
import type { OpenaiQuirks } from "../openai/quirks.ts";

/** The longest id of a call. */
const callIdMaxChars = 64;

const hasLongId = (item: unknown): boolean =>
  isObject(item) && typeof item.call_id === "string" && item.call_id.length > callIdMaxChars;

/** `input` itself where all ids are short enough. */
export function fitOwnItems(input: unknown): unknown {
  if (!Array.isArray(input) || !input.some(hasLongId)) return input;
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

/** `tools` themselves where their schemas are accepted. */
export function fitOwnTools(tools: unknown, quirks: OpenaiQuirks): unknown {
  if (!Array.isArray(tools)) return tools;
  const fitted = tools.map((tool: unknown) =>
    isObject(tool) && tool.type === "function" ? fitDefinition(tool, quirks) : tool,
  );
  return fitted.every((tool, at) => tool === tools[at]) ? tools : fitted;
}
