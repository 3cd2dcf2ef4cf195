// How much a model is asked to think, in the form its generation supports: a budget of tokens, or an effort
// while the model decides for itself.
import { isObject, type JsonObject } from "@turnpike/base";
import { parseReasoning } from "../requested-reasoning.ts";
import type { MessagesCall } from "./message-stream.ts";
import { mayBeClaudes, signatureOf } from "./thinking-block.ts";

/** Anthropic refuses a smaller budget. */
export const leastBudget = 1_024;

/** Shares of the output limit, as in OpenRouter's `reasoning.effort`. */
const partOfEffort: Readonly<Record<string, number>> = {
  minimal: 0.1,
  low: 0.2,
  medium: 0.5,
  high: 0.8,
  xhigh: 0.95,
  max: 0.95,
};

/**
 * Models since Claude 4.6 decide themselves how much to think, and the newest refuse a budget. Source:
 * https://docs.claude.com/en/docs/build-with-claude/adaptive-thinking.
 */
const adaptive = /claude-(?:[a-z]+-4[.-](?:[6-9]|\d{2})|[a-z]+-(?:[5-9]|\d{2,}))(?![\d])|mythos-/;

/** The same models refuse to continue the beginning of an answer. */
export function refusesPrefill(upstreamModel: string): boolean {
  return adaptive.test(upstreamModel);
}

/** Models of other vendors behind this API, which sign no thinking and want it back. */
const signNothing = /kimi|deepseek|glm|minimax|qwen|mimo/i;

/** Whether a model refuses thinking that it did not sign itself, as Claude does. */
export function checksSignatures(upstreamModel: string): boolean {
  return !signNothing.test(upstreamModel);
}

/** They always think, and refuse to be told not to. */
const alwaysThinks = /claude-(?:(?:fable|mythos)-|[a-z]+-5[.-]5)/;

const forced: readonly unknown[] = ["any", "tool"];

/** Adds `thinking` to `body` and the effort to `config`, if the caller asks for any. */
export function writeThinking(
  { request: { parsed }, upstreamModel, omittedFields }: MessagesCall,
  maxTokens: number,
  body: JsonObject,
  config: JsonObject,
): void {
  if (omittedFields.includes("reasoning")) return;
  const asked = parseReasoning(parsed);
  if (asked?.enabled === undefined) return;
  const { effort, isHidden } = asked;
  if (!asked.enabled) {
    if (alwaysThinks.test(upstreamModel)) config.effort = "low";
    else body.thinking = { type: "disabled" };
    return;
  }
  if (checksSignatures(upstreamModel) && lacksSignedThinking(parsed.messages)) return;
  // A forced call is made without thinking; Anthropic refuses both together.
  if (isObject(body.tool_choice) && forced.includes(body.tool_choice.type)) return;
  const hidden = isHidden ? { display: "omitted" } : {};
  if (adaptive.test(upstreamModel)) {
    body.thinking = { type: "adaptive", ...hidden };
    if (effort !== undefined) config.effort = effort === "minimal" ? "low" : effort;
  } else {
    const part = partOfEffort[effort ?? "medium"] ?? 0.5;
    const wanted = asked.budget ?? maxTokens * part;
    const budget = Math.min(Math.max(Math.floor(wanted), leastBudget), maxTokens - 1);
    // Such a short answer leaves no room for thinking.
    if (budget < leastBudget) return;
    body.thinking = { type: "enabled", budget_tokens: budget, ...hidden };
  }
  // Models sample in a fixed way while thinking and refuse other settings.
  delete body.temperature;
  delete body.top_p;
  delete body.top_k;
}

/**
 * Whether the current turn has calls without the thinking that led to them, as after an answer of
 * another model: Anthropic refuses to continue thinking there.
 */
function lacksSignedThinking(messages: unknown): boolean {
  if (!Array.isArray(messages)) return false;
  const last = messages.findLast(
    (message: unknown) => isObject(message) && message.role !== "tool",
  );
  if (!isObject(last) || !Array.isArray(last.tool_calls)) return false;
  const details = Array.isArray(last.reasoning_details) ? last.reasoning_details : [];
  return !details.some((detail: unknown) => isObject(detail) && mayBeClaudes(signatureOf(detail)));
}
