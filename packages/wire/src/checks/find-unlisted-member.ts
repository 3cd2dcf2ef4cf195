// Which members of messages, parts and tools are known, for each API. A member that is not listed could refer to
// something that belongs to the operator's account, such as the `file_id` of a file that somebody else uploaded.
import { isObject, type JsonObject } from "@turnpike/base";
import { membersOfGemini } from "../gemini/known-members.ts";
import { geminiLanguage, messagesLanguage, responsesLanguage } from "../protocol/languages.ts";

/** The caller's own data, signatures, and schemas: nothing in them is a reference. */
const opaqueMembers: ReadonlySet<string> = new Set([
  "input",
  "arguments",
  "parsed_arguments",
  "parsed",
  "metadata",
  "logprobs",
  "user_location",
  "parameters",
  "args",
  "response",
  "parametersJsonSchema",
  "responseJsonSchema",
  "responseSchema",
  "parameters_json_schema",
  "input_schema",
  "output_schema",
  "input_examples",
  "schema",
  "reasoning_details",
  "extra_content",
  "provider_specific_fields",
]);

/** Of messages and their parts in all languages. */
const sharedMembers = [
  "role",
  "content",
  "name",
  "id",
  "type",
  "text",
  "title",
  "url",
  "status",
  "metadata",
  "cache_control",
  "ttl",
  "scope",
  "evict",
  "prompt_cache_breakpoint",
  "mode",
  "index",
  "start_index",
  "end_index",
  "data",
  "format",
  "media_type",
  "detail",
  "input",
];

/** Of OpenAI's API, and what services and clients add: marks of time, and what a model has thought. */
const chatMembers: ReadonlySet<string> = new Set([
  ...sharedMembers,
  "tool_calls",
  "tool_call_id",
  "function_call",
  "function",
  "custom",
  "arguments",
  "refusal",
  "audio",
  "image_url",
  "input_audio",
  "video_url",
  "file",
  "filename",
  "file_data",
  "file_url",
  "annotations",
  "url_citation",
  "parsed",
  "parsed_arguments",
  "logprobs",
  "images",
  "weight",
  "reasoning",
  "reasoning_content",
  "reasoning_details",
  "thinking",
  "thinking_blocks",
  "signature",
  "thought_signature",
  "extra_content",
  "provider_specific_fields",
  "phase",
  "prefix",
  "partial",
  "tool_plan",
  "tool_name",
  "tool_results",
  "citations",
  "references",
  "fps",
  "min_pixels",
  "max_pixels",
  "resized_height",
  "resized_width",
  "uuid",
  "mime_type",
  "model",
  "created",
  "created_at",
  "createdAt",
  "timestamp",
  "end_turn",
  "finish_reason",
  "usage",
  "prompt_tokens",
  "completion_tokens",
  "total_tokens",
  "transcript",
  "expires_at",
]);

const messagesMembers: ReadonlySet<string> = new Set([
  ...sharedMembers,
  "source",
  "context",
  "citations",
  "enabled",
  "cited_text",
  "document_index",
  "document_title",
  "start_char_index",
  "end_char_index",
  "start_page_number",
  "end_page_number",
  "start_block_index",
  "end_block_index",
  "encrypted_index",
  "search_result_index",
  "tool_use_id",
  "is_error",
  "thinking",
  "signature",
  "tool_name",
  "caller",
  "tool_id",
  "encrypted_content",
  "page_age",
  "retrieved_at",
  "error_code",
  "error_message",
  "stdout",
  "stderr",
  "encrypted_stdout",
  "return_code",
  "file_type",
  "num_lines",
  "start_line",
  "total_lines",
  "is_file_update",
  "lines",
  "new_lines",
  "new_start",
  "old_lines",
  "old_start",
  "tool_references",
  "server_name",
  "output_config",
  "effort",
  "schema",
  "task_budget",
  "total",
  "remaining",
]);

const responsesMembers: ReadonlySet<string> = new Set([
  ...sharedMembers,
  "call_id",
  "namespace",
  "arguments",
  "output",
  "summary",
  "encrypted_content",
  "tools",
  "refusal",
  "image_url",
  "input_audio",
  "filename",
  "file_data",
  "file_url",
  "annotations",
  "logprobs",
  "phase",
  "execution",
  "caller",
  "created_by",
  "parsed",
  "parsed_arguments",
  // Of updates of settings, which are applied and not sent.
  "reasoning",
  "effort",
  "schema",
]);

const toolMembers: ReadonlySet<string> = new Set([
  "type",
  "name",
  "description",
  "parameters",
  "parameters_json_schema",
  "strict",
  "tools",
  "function",
  "custom",
  "format",
  "grammar",
  "syntax",
  "definition",
  "cache_control",
  "ttl",
  "scope",
  "input_schema",
  "output_schema",
  "input_examples",
  "defer_loading",
  "execution",
  "allowed_callers",
  "eager_input_streaming",
  "metadata",
  "id",
  "index",
  // Of Anthropic's own tools.
  "display_width_px",
  "display_height_px",
  "display_number",
  "enable_zoom",
  "max_characters",
  "max_uses",
  "allowed_domains",
  "blocked_domains",
  "user_location",
  "citations",
  "enabled",
  "max_content_tokens",
  "use_cache",
  "mcp_server_name",
  "default_config",
  "configs",
]);

const responsesItems: ReadonlySet<string> = new Set([...responsesMembers, ...toolMembers]);

/** The path of the first one in `body`, a request in `language`. */
export function findUnlistedMember(body: JsonObject, language: string): string | undefined {
  if (language === responsesLanguage) {
    return findIn("input", body, responsesItems) ?? findIn("tools", body, toolMembers);
  }
  if (language === geminiLanguage) {
    for (const [name, members] of membersOfGemini) {
      const found = findIn(name, body, members);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const known = language === messagesLanguage ? messagesMembers : chatMembers;
  return (
    findIn("messages", body, known) ??
    findIn("system", body, known) ??
    findIn("tools", body, toolMembers) ??
    findIn("functions", body, toolMembers)
  );
}

function findIn(name: string, body: JsonObject, known: ReadonlySet<string>): string | undefined {
  const found = findBelow(body[name], known);
  return found === undefined ? undefined : name + found;
}

/** What follows the path of `value` itself; a path is written only for a member that is found. */
function findBelow(value: unknown, known: ReadonlySet<string>): string | undefined {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const found = findBelow(value[index], known);
      if (found !== undefined) return `[${index}]${found}`;
    }
    return undefined;
  }
  if (!isObject(value)) return undefined;
  for (const key in value) {
    const member = value[key];
    if (member === null || member === undefined) continue;
    if (!known.has(key)) return `.${key}`;
    if (typeof member !== "object" || opaqueMembers.has(key)) continue;
    const found = findBelow(member, known);
    if (found !== undefined) return `.${key}${found}`;
  }
  return undefined;
}
