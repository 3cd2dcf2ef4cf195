// The conversation of a chat completion for services that know less than OpenAI does: the role `developer`, names of
// participants, and what clients send back of the answers they were given, would be refused there.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import { parseExactly } from "@turnpike/wire";
import { nameInText } from "../name-in-text.ts";
import { withKnownMembers } from "./known-members.ts";
import type { OpenaiQuirks } from "./quirks.ts";
import { omit } from "./without-members.ts";

/** Inside a string the quotes would be escaped, so only a message's own role matches. */
const developerRole = /("role"\s*:\s*)"developer"/g;

/** Anthropic's and OpenRouter's mark on messages, parts, calls and tools. */
const cacheMarks = ["cache_control"];

/** `text` is that of `messages`, and is returned as it is where the service takes all of it. */
export function fitMessages(text: string, messages: unknown, quirks: OpenaiQuirks): string {
  const known = Array.isArray(messages) ? messages.filter(isObject) : [];
  const isNamed =
    quirks.developerRole === "known" || known.every(({ role }) => role !== "developer");
  const named = isNamed ? text : text.replace(developerRole, '$1"system"');
  const isSame = known.every((message) => fitMessage(message, quirks) === message);
  return isSame ? named : mapText(named, (message) => fitMessage(message, quirks));
}

/** `message` itself if it may be as it is. */
function fitMessage(message: JsonObject, quirks: OpenaiQuirks): JsonObject {
  const named = quirks.participantNames === "known" ? message : withoutName(message);
  return quirks.controlFields === "rejects" ? withKnownMembers(named, quirks) : named;
}

/** Only the user is several participants. The name of a tool is that of another field. */
function withoutName(message: JsonObject): JsonObject {
  if (!("name" in message) || message.role === "tool" || message.role === "function") {
    return message;
  }
  const { name, ...rest } = message;
  if (message.role !== "user") return rest;
  const { content } = message;
  const said = Array.isArray(content) ? content.filter(isObject) : (parseText(content) ?? "");
  return { ...rest, content: nameInText(name, said, "text") };
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
