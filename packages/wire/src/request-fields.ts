// Which top-level fields of a request are known, for each API, and what happens to each. A field that is not
// listed could refer to something that belongs to the operator's account (Azure's `data_sources` names search
// indexes), so it is sent only to providers whose entry of the catalog says `unknownFields: passed`.
import type { JsonObject } from "@turnpike/base";
import { chatFieldNames } from "./chat/check-chat-fields.ts";
import { type ChatRequest, chatLanguage } from "./chat/parse-chat-request.ts";
import { pricedFieldNames } from "./chat/price-changing-fields.ts";
import type { JsonMember } from "./edit-json-object.ts";
import {
  type EmbeddingsRequest,
  embeddingsFieldNames,
  embeddingsLanguage,
} from "./embeddings/parse-embeddings-request.ts";
import { findUnlistedMember } from "./find-unlisted-member.ts";
import { messagesLanguage } from "./messages/parse-messages-request.ts";
import { messagesPricedNames } from "./messages/priced-fields.ts";
import { messagesFieldNames } from "./messages/translate-request.ts";
import { isPreference } from "./preferences.ts";
import { routingFields } from "./read-routing.ts";
import { responsesFieldNames } from "./responses/check-responses-fields.ts";
import { responsesLanguage } from "./responses/parse-responses-request.ts";
import { statefulFieldNames } from "./responses/refuse-stateful.ts";

/**
 * `gateway`: read here, and not sent to providers that would obey or reject it. `pass`: sent as it is, or
 * translated. `price`: refused unless the model has a price for it. A field without a rule is refused.
 */
type FieldRule = "gateway" | "pass" | "price";

type FieldRules = ReadonlyMap<string, FieldRule>;

const gatewayFields = [
  ...routingFields,
  ...["max_cost", "transforms", "plugins", "usage", "session_id", "trace"],
];

/** Of services and servers besides OpenAI: what is sampled, how a model reasons, how its output is constrained. */
const passedChatFields = [
  ...["top_k", "top_a", "min_p", "typical_p", "repetition_penalty", "random_seed"],
  ...["min_tokens", "ignore_eos", "stop_token_ids", "include_stop_str_in_output", "bad_words"],
  ...["skip_special_tokens", "spaces_between_special_tokens", "truncate_prompt_tokens"],
  ...["add_generation_prompt", "continue_final_message", "add_special_tokens", "echo", "do_sample"],
  ...[
    "mirostat",
    "mirostat_tau",
    "mirostat_eta",
    "repeat_penalty",
    "repeat_last_n",
    "cache_prompt",
  ],
  ...["dry_multiplier", "dry_base", "dry_allowed_length", "xtc_probability", "xtc_threshold"],
  ...["reasoning", "include_reasoning", "reasoning_format", "reasoning_split", "stream_reasoning"],
  ...["thinking", "thinking_budget", "enable_thinking", "think", "separate_reasoning"],
  ...["preserve_thinking", "prompt_mode", "safe_prompt", "tool_stream", "disable_tool_validation"],
  ...["structured_outputs", "guided_json", "guided_regex", "guided_choice", "guided_grammar"],
  ...["regex", "ebnf", "grammar", "json_schema", "structural_tag"],
  ...["context_length_exceeded_behavior", "citation_options", "cache_control", "stream_format"],
  ...["n_probs", "samplers", "dynatemp_range", "dynatemp_exponent", "top_n_sigma", "tfs_z"],
  ...["mirostat_target", "mirostat_lr", "no_stop_trim", "stop_regex", "allowed_token_ids"],
  ...["guided_whitespace_pattern", "guided_decoding_backend", "json_object", "length_penalty"],
  ...["return_token_ids", "return_tokens_as_token_ids", "logprobs_mode", "raw_output"],
  ...["thinking_token_budget", "clear_thinking", "disable_reasoning", "reasoning_history"],
  ...["prompt_truncate_len", "perf_metrics_in_response", "timings_per_token", "return_progress"],
  ...["mask_sensitive_info", "incremental_output", "result_format", "compliance"],
  // Ids of the caller's own, and what separates its part of a cache.
  ...["request_id", "user_id", "cache_salt", "prompt_cache_isolation_key"],
];

const passedEmbeddingsFields = [
  ...["input_type", "task", "task_type", "truncate", "truncation", "truncate_prompt_tokens"],
  ...["normalized", "normalize", "late_chunking", "instruction", "prompt_name", "output_dtype"],
  ...["output_dimension", "embedding_type", "metadata", "safety_identifier"],
  ...["embedding_types", "add_special_tokens", "instruct", "text_type", "request_id"],
];

/** Of Claude in a cloud; the dialect replaces or removes them. */
const passedMessagesFields = ["anthropic_beta", "anthropic_version"];

function rules(pass: readonly string[], price: Iterable<string>): ReadonlyMap<string, FieldRule> {
  const table = new Map<string, FieldRule>(pass.map((name) => [name, "pass"]));
  for (const name of price) table.set(name, "price");
  for (const name of gatewayFields) table.set(name, "gateway");
  return table;
}

const chatFields = ["model", "messages", ...chatFieldNames, ...passedChatFields];
const responsesFields = [...responsesFieldNames, ...statefulFieldNames];

/** By language. Those of `/v1/completions` are checked as the chat completion they become. */
const fieldRules: ReadonlyMap<string, FieldRules> = new Map([
  [chatLanguage, rules(chatFields, pricedFieldNames)],
  // Fields of chat completions keep their names where a response is translated.
  [responsesLanguage, rules([...chatFields, ...responsesFields], pricedFieldNames)],
  [messagesLanguage, rules([...messagesFieldNames, ...passedMessagesFields], messagesPricedNames)],
  [
    embeddingsLanguage,
    rules([...embeddingsFieldNames, ...passedEmbeddingsFields], pricedFieldNames),
  ],
]);

export function isListedField(language: string, name: string): boolean {
  return fieldRules.get(language)?.has(name) === true;
}

const documented: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [chatLanguage, new Set(chatFieldNames)],
  [responsesLanguage, new Set(responsesFieldNames)],
  [messagesLanguage, new Set(messagesFieldNames)],
  [embeddingsLanguage, new Set([...embeddingsFieldNames, ...passedEmbeddingsFields])],
]);

/** Whether the API of this language has a field of that name where its author serves it. */
export function isDocumentedField(language: string, name: string): boolean {
  return documented.get(language)?.has(name) === true;
}

/**
 * The first part of `request` that a provider whose dialect has `language` may not be sent, because it could
 * reach what belongs to the operator's account: a field that is not listed, or a member of its messages or tools.
 * Dialects that translate refuse both themselves. Preferences refer to nothing: who does not know them is asked without.
 */
export function findUnlistedField(
  request: ChatRequest | EmbeddingsRequest,
  language: string,
): string | undefined {
  const known = fieldRules.get(language);
  if (known === undefined) return undefined;
  const isRelayed = language === request.language;
  if (!isRelayed && language !== chatLanguage) return undefined;
  const field = isRelayed
    ? request.members.find((member) => isUnlisted(request.raw, member, known))?.key
    : unlistedKey(request.parsed, known);
  if (field !== undefined || request.operation !== "chat") return field;
  return isRelayed ? findUnlistedMember(request.asked ?? request.parsed, language) : undefined;
}

function isUnlisted(raw: string, member: JsonMember, known: FieldRules): boolean {
  const { key, valueStart, valueEnd } = member;
  if (known.has(key) || isPreference(key)) return false;
  return valueEnd - valueStart !== 4 || !raw.startsWith("null", valueStart);
}

function unlistedKey(body: JsonObject, known: FieldRules): string | undefined {
  for (const key in body) {
    if (!known.has(key) && (body[key] ?? null) !== null) return key;
  }
  return undefined;
}
