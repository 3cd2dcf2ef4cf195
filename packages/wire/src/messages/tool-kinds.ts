// Which tools of an Anthropic request are the caller's own, which are Anthropic's but run by the caller,
// and which Anthropic runs itself, at a price per use.
import type { JsonObject } from "@turnpike/base";

/** Defined by the caller, with a schema. */
export function isOwnTool({ type }: JsonObject): boolean {
  return type === undefined || type === null || type === "custom";
}

/**
 * Built into Anthropic's models and run by the caller: they cost the tokens of their definition. Source:
 * https://docs.claude.com/en/docs/agents-and-tools/tool-use/overview (client tools).
 */
const clientTools = /^(?:bash|text_editor|computer|memory|computer_toolset|browser_toolset)_\d{8}$/;

/** Run by the caller, even if Anthropic defines it. An unknown type may have any price. */
export function isClientTool(tool: JsonObject): boolean {
  return isOwnTool(tool) || (typeof tool.type === "string" && clientTools.test(tool.type));
}

/** The most that the definition of one of Anthropic's tools adds to a prompt. */
export const tokensPerAnthropicTool = 4_096;
