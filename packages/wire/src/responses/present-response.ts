// The response object of whole answers and of the events that frame a stream: the request's settings as
// they applied, the output, and at the end usage with its cost.
import { type Fault, isObject, type JsonObject } from "@turnpike/base";
import { toUsdNumber } from "@turnpike/terms";
import type { Memory } from "../protocol/memory.ts";
import type { AnswerIdentity, Bill, FinishReason } from "../protocol/pivot.ts";
import type { ResponsesRequest } from "./parse-responses-request.ts";

export type ResponseState = {
  readonly status: "queued" | "in_progress" | "completed" | "incomplete" | "failed";
  readonly output: readonly JsonObject[];
  readonly incompleteReason?: "max_output_tokens" | "content_filter";
  readonly error?: JsonObject;
  readonly bill?: Bill | undefined;
};

/** How an answer ended whose upstream finished. */
export function endedState(
  finish: FinishReason | undefined,
  output: readonly JsonObject[],
  bill: Bill | undefined,
): ResponseState {
  if (finish === "length") {
    return { status: "incomplete", incompleteReason: "max_output_tokens", output, bill };
  }
  if (finish === "content_filter") {
    return { status: "incomplete", incompleteReason: "content_filter", output, bill };
  }
  return { status: "completed", output, bill };
}

export function failedState(fault: Fault, output: readonly JsonObject[]): ResponseState {
  const error = { code: errorCodes[fault.code] ?? "server_error", message: fault.message };
  // A truncated item will not be continued.
  const cut = output.map((item) =>
    item.status === "in_progress" ? { ...item, status: "incomplete" } : item,
  );
  return { status: "failed", error, output: cut };
}

/** The codes of `ResponseError`, a closed list; all others are `server_error`. */
const errorCodes: Partial<Record<Fault["code"], string>> = {
  upstream_rate_limited: "rate_limit_exceeded",
  rate_limit_exceeded: "rate_limit_exceeded",
  content_filter: "invalid_prompt",
  context_length_exceeded: "context_length_exceeded",
};

/**
 * Source: `Response` in OpenAI's openapi.yaml; `usage.cost` and its neighbors are OpenRouter's. `store` says whether it can be
 * retrieved; `items_kept` is ours and says whether its items can be referred to.
 */
export function presentResponse(
  { asked, keepsItems, memory }: ResponsesRequest,
  identity: AnswerIdentity,
  state: ResponseState,
): JsonObject {
  const { status, output, incompleteReason, error = null, bill } = state;
  return {
    id: identity.id,
    object: "response",
    created_at: identity.created,
    status,
    completed_at: status === "completed" ? Math.floor(Date.now() / 1000) : null,
    background: false,
    error,
    incomplete_details: incompleteReason === undefined ? null : { reason: incompleteReason },
    model: identity.model,
    ...settingsOf(asked),
    ...presentMemory(memory),
    ...(status === "failed" && { store: false }),
    items_kept: keepsItems,
    service_tier: bill?.serviceTier ?? tierOf(asked.service_tier),
    output,
    usage: bill === undefined ? null : presentUsage(bill),
  };
}

/** What is kept of a response and what it continues, for every provider. */
export function presentMemory(memory: Memory | undefined): JsonObject {
  const { stores = false, previousId = null, conversationId } = memory ?? {};
  return {
    store: stores,
    ...(memory?.background !== undefined && { background: true }),
    previous_response_id: previousId,
    ...(conversationId !== undefined && { conversation: { id: conversationId } }),
  };
}

/**
 * Members of a response of an upstream of this language that the upstream has left out. Clients rely on
 * what the schema requires.
 */
export function absentMembers(
  response: JsonObject,
  { asked }: Pick<ResponsesRequest, "asked">,
): JsonObject {
  const absent: JsonObject = {};
  const required = { ...settingsOf(asked), ...absentAtFirst };
  for (const [name, value] of Object.entries(required)) {
    if (!(name in response)) absent[name] = value;
  }
  return absent;
}

const absentAtFirst = { completed_at: null, error: null, incomplete_details: null };

/** Settings as the answer shows them: the caller's, or the defaults. */
function settingsOf(asked: JsonObject): JsonObject {
  const text = isObject(asked.text) ? asked.text : {};
  const reasoning = isObject(asked.reasoning) ? asked.reasoning : {};
  const summary = reasoning.summary ?? reasoning.generate_summary ?? null;
  return {
    access_programs: null,
    frequency_penalty: 0,
    presence_penalty: 0,
    instructions: asked.instructions ?? null,
    max_output_tokens: asked.max_output_tokens ?? null,
    max_tool_calls: asked.max_tool_calls ?? null,
    metadata: asked.metadata ?? {},
    parallel_tool_calls: asked.parallel_tool_calls ?? true,
    prompt_cache_key: asked.prompt_cache_key ?? null,
    reasoning: { effort: reasoning.effort ?? null, summary },
    safety_identifier: asked.safety_identifier ?? null,
    temperature: asked.temperature ?? 1,
    text: { ...text, format: text.format ?? { type: "text" } },
    tool_choice: asked.tool_choice ?? "auto",
    tools: Array.isArray(asked.tools) ? asked.tools.map(presentTool) : [],
    top_logprobs: asked.top_logprobs ?? 0,
    top_p: asked.top_p ?? 1,
    truncation: "disabled",
    ...((asked.user ?? null) !== null && { user: asked.user }),
  };
}

function tierOf(tier: unknown): unknown {
  return tier === undefined || tier === null || tier === "auto" ? "default" : tier;
}

/** Required members of a function are always present, although the caller may omit them. */
function presentTool(tool: unknown): unknown {
  if (!isObject(tool) || tool.type !== "function") return tool;
  return { ...tool, parameters: tool.parameters ?? null, strict: tool.strict ?? false };
}

/** Usage as a response shows it, with what it cost. */
export function presentUsage({ usage, costNanos }: Bill): JsonObject {
  return {
    input_tokens: usage.promptTokens,
    input_tokens_details: {
      cached_tokens: usage.cachedTokens,
      cache_write_tokens: usage.cacheWriteTokens,
    },
    output_tokens: usage.completionTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.promptTokens + usage.completionTokens,
    cost: toUsdNumber(costNanos),
    is_byok: false,
  };
}
