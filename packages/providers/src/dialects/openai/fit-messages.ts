// The conversation of a chat completion for services that know less than OpenAI does: the role `developer`, and
// what clients send back of the answers they were given, would be refused there.
import { isObject, type JsonObject } from "@turnpike/base";
import { parseExactly } from "@turnpike/wire";
import type { OpenaiQuirks } from "./quirks.ts";
import { withReasoningContent } from "./reasoning-history.ts";
import { omit, withoutMembers } from "./without-members.ts";

/** Inside a string the quotes would be escaped, so only a message's own role matches. */
const developerRole = /("role"\s*:\s*)"developer"/g;

/** Every answer with reasoning shows it under these names, and clients send the message back as it was. */
const reasoningMembers = ["reasoning", "reasoning_content", "reasoning_details"];
/** Of OpenAI's answers; without a value they say nothing. */
const emptyMembers = ["refusal", "annotations", "audio", "function_call"];

/** Anthropic's and OpenRouter's mark on messages, parts, calls and tools. */
const cacheMarks = ["cache_control"];

/** `messages` is JSON text, and is returned as it is where the service takes all of it. */
export function fitMessages(messages: string, quirks: OpenaiQuirks): string {
  const { developerRole: role, controlFields, customTools } = quirks;
  const named = role === "known" ? messages : messages.replace(developerRole, '$1"system"');
  if (controlFields !== "rejects") return named;
  // OpenAI takes its own members back, even empty ones.
  const empty = customTools === "native" ? [] : emptyMembers;
  const members = [...reasoningMembers, ...empty, ...cacheMarks];
  if (!members.some((name) => named.includes(`"${name}"`))) return named;
  return mapText(named, (message) =>
    withoutUnknown(withoutMembers(message, cacheMarks), empty, quirks),
  );
}

/** `tools` is JSON text, and is returned as it is where the service takes all of it. */
export function fitTools(tools: string, { controlFields }: OpenaiQuirks): string {
  if (controlFields !== "rejects" || !tools.includes('"cache_control"')) return tools;
  return mapText(tools, (tool) => omit(tool, cacheMarks));
}

function mapText(list: string, fit: (entry: JsonObject) => JsonObject): string {
  const parsed: unknown = parseExactly(list);
  if (!Array.isArray(parsed)) return list;
  return JSON.stringify(parsed.map((entry: unknown) => (isObject(entry) ? fit(entry) : entry)));
}

function withoutUnknown(
  message: JsonObject,
  empty: readonly string[],
  { reasoningHistory }: OpenaiQuirks,
): JsonObject {
  if (message.role !== "assistant") return message;
  const isRead = reasoningHistory === "reasoning_content";
  const said = isRead ? withReasoningContent(message) : message;
  const kept: JsonObject = {};
  for (const name in said) {
    const value = said[name];
    const isUnknown = reasoningMembers.includes(name) && !(isRead && name === "reasoning_content");
    if (!isUnknown && !(empty.includes(name) && isEmpty(value))) kept[name] = value;
  }
  return kept;
}

function isEmpty(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}
