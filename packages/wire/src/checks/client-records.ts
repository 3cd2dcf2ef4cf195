// What programs write into a conversation for their own records. No model reads it, but providers refuse names that
// they do not know, so it is dropped before anything else reads the request, whatever its protocol.
import { isObject, type JsonObject } from "@turnpike/base";
import { agentBounds, editJsonObject, memberText } from "../json/edit-json-object.ts";
import { parseExactly } from "../json/exact-numbers.ts";
import { parseJsonBody } from "../json/parse-json-body.ts";

/**
 * Keys in messages, items, their parts and calls. Inside a text its quotes would be escaped. Codex:
 * `internal_chat_message_metadata_passthrough` (no API has members with such a prefix), and which arguments are
 * encrypted, which none are here. The AI SDK: options and facts of its own providers.
 */
const recordAnywhere =
  /"(?:internal_\w*|encrypted_function_args|providerOptions|providerMetadata|experimental_providerMetadata)"\s*:/;

/**
 * Keys in messages and items. Roo Code and Kilo Code (`ApiMessage`): what was condensed or cut, and when. Cline
 * (`ClineStorageMessage`): "MUST be removed before sending message to any LLM provider". When an answer was given, and
 * that it was the last of its turn (`end_turn` of Codex and of OpenAI's own models), which changes nothing of what it says.
 */
const recordOfMessage =
  /"(?:ts|isSummary|condenseId|condenseParent|truncationId|truncationParent|isTruncationMarker|modelInfo|metrics|end_turn|timestamp|createdAt)"\s*:/;

const conversations = ["messages", "input"];

/** Where a conversation continues below a message; members with other names may be the caller's own data. */
const lists = ["content", "output", "tool_calls", "summary"];

function mayHaveRecord(text: string): boolean {
  return recordAnywhere.test(text) || recordOfMessage.test(text);
}

/** `raw` itself, the text of a request, if it has none. Throws Fault `invalid_json`. */
export function withoutClientRecords(raw: string): string {
  if (!mayHaveRecord(raw)) return raw;
  const { members } = parseJsonBody(raw, agentBounds);
  const set: Record<string, string> = {};
  for (const name of conversations) {
    const text = memberText(raw, members, name);
    if (text === undefined || !mayHaveRecord(text)) continue;
    const said = parseExactly(text);
    if (!Array.isArray(said)) continue;
    set[name] = JSON.stringify(said.map((message: unknown) => clean(message, isRecordOfMessage)));
  }
  return Object.keys(set).length === 0 ? raw : editJsonObject(raw, members, { set });
}

function clean(value: unknown, isRecord: (name: string) => boolean): unknown {
  if (!isObject(value)) return value;
  const kept: JsonObject = {};
  for (const name in value) {
    if (isRecord(name)) continue;
    const member = value[name];
    kept[name] =
      lists.includes(name) && Array.isArray(member)
        ? member.map((part: unknown) => clean(part, isRecordAnywhere))
        : member;
  }
  return kept;
}

function isRecordOfMessage(name: string): boolean {
  return recordOfMessage.test(`"${name}":`) || isRecordAnywhere(name);
}

function isRecordAnywhere(name: string): boolean {
  return recordAnywhere.test(`"${name}":`);
}
