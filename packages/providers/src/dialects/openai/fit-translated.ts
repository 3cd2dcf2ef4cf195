// A request that came from another language, adapted to services with these quirks: what only some
// of them accept is spelled in their way or dropped, and what none could accept never gets here.
import { isObject, type JsonObject, readText } from "@turnpike/base";
import { fitCallId, fitIdentifiers } from "../fit-identifier.ts";
import type { OpenaiQuirks } from "./quirks.ts";

/** Members that carry the caller's own language through the pivot. */
const ownMembers = ["cache_control", "is_error"];

export function fitTranslated(
  pivot: JsonObject,
  { controlFields, toolCallIds }: OpenaiQuirks,
  upstreamModel: string,
): JsonObject {
  // Only a service with OpenRouter's superset supports cache marks.
  const dropped = controlFields === "obeys" ? ["is_error"] : ownMembers;
  const fitted = { ...omit(pivot, dropped), ...fitIdentifiers(pivot) };
  if (Array.isArray(pivot.messages)) {
    const messages = pivot.messages.filter(isObject).map((message) => fitMessage(message, dropped));
    fitted.messages = toolCallIds === "forty_characters" ? messages.map(shortenCallIds) : messages;
  }
  if (Array.isArray(pivot.tools)) {
    fitted.tools = pivot.tools.map((tool: unknown) =>
      isObject(tool) ? omit(tool, dropped) : tool,
    );
  }
  if (controlFields !== "obeys") spellReasoning(fitted, upstreamModel);
  return fitted;
}

function omit(source: JsonObject, dropped: readonly string[]): JsonObject {
  const kept: JsonObject = {};
  for (const key in source) if (!dropped.includes(key)) kept[key] = source[key];
  return kept;
}

function fitMessage(message: JsonObject, dropped: readonly string[]): JsonObject {
  const fitted = omit(message, dropped);
  if (message.is_error === true) fitted.content = markError(message.content);
  if (Array.isArray(fitted.content)) {
    fitted.content = fitted.content.map((part: unknown) =>
      isObject(part) ? fitPart(omit(part, dropped)) : part,
    );
  }
  if (Array.isArray(message.tool_calls)) {
    fitted.tool_calls = message.tool_calls.map((call: unknown) =>
      isObject(call) ? omit(call, dropped) : call,
    );
  }
  return fitted;
}

function shortenCallIds(message: JsonObject): JsonObject {
  if (message.role === "tool") {
    return { ...message, tool_call_id: fitCallId(message.tool_call_id, "chat") };
  }
  if (!Array.isArray(message.tool_calls)) return message;
  const calls = message.tool_calls.map((call: unknown) =>
    isObject(call) ? { ...call, id: fitCallId(call.id, "chat") } : call,
  );
  return { ...message, tool_calls: calls };
}

const errorPrefix = "Error: ";

/** Chat completions have no flag for a failed tool, so the result says so. */
export function markError(content: unknown): unknown {
  if (!Array.isArray(content)) return errorPrefix + (readText(content) ?? "");
  const at = content.findIndex((part: unknown) => isObject(part) && part.type === "text");
  const text: unknown = content[at];
  if (!isObject(text)) return [{ type: "text", text: errorPrefix }, ...content];
  return content.with(at, { ...text, text: errorPrefix + (readText(text.text) ?? "") });
}

/** OpenRouter takes the address of a file in the field where OpenAI takes its data. */
function fitPart(part: JsonObject): JsonObject {
  if (!isObject(part.file) || part.file.file_url === undefined) return part;
  const { file_url: url, ...file } = part.file;
  return { ...part, file: { ...file, file_data: url } };
}

/** Models whose reasoning can be disabled; most others refuse the value. Source: OpenAI's models page. */
const knowsNone = /(?:^|\/)gpt-5\.[1-9](?:-mini|-nano)?(?:-\d{4}-\d{2}-\d{2})?$/;

/** OpenAI has effort levels and no budgets. */
function spellReasoning(request: JsonObject, upstreamModel: string): void {
  const effort = effortFor(request, upstreamModel);
  delete request.reasoning;
  if (effort !== undefined) request.reasoning_effort = effort;
}

/**
 * OpenAI's effort level for the reasoning that a chat completion asks for; undefined if it asks for
 * none.
 */
export function effortFor(
  { reasoning, reasoning_effort: asked }: JsonObject,
  upstreamModel: string,
): unknown {
  if (isObject(reasoning) && reasoning.enabled === false && knowsNone.test(upstreamModel)) {
    return "none";
  }
  if ((asked ?? undefined) !== undefined || !isObject(reasoning)) return asked ?? undefined;
  return effortOf(reasoning);
}

function effortOf({ effort, max_tokens: budget }: JsonObject): string | undefined {
  if (typeof effort === "string") return effort;
  if (typeof budget !== "number") return undefined;
  if (budget < 8_192) return "low";
  return budget < 16_384 ? "medium" : "high";
}
