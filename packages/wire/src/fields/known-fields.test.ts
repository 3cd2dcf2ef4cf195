// Published fields and members that reach nothing of the operator's account: removing one from the tables breaks
// a client that sends it to a hosted service.
import { expect, test } from "bun:test";
import { findUnlistedMember } from "../checks/find-unlisted-member.ts";
import {
  chatLanguage,
  embeddingsLanguage,
  messagesLanguage,
  responsesLanguage,
} from "../protocol/languages.ts";
import { isListedField } from "./known-fields.ts";

const words = (text: string) => text.trim().split(/\s+/);

const fields: readonly (readonly [string, string, string])[] = [
  [
    "vLLM and SGLang",
    chatLanguage,
    `top_k min_p repetition_penalty min_tokens ignore_eos stop_token_ids truncate_prompt_tokens
     include_stop_str_in_output bad_words skip_special_tokens spaces_between_special_tokens
     add_generation_prompt continue_final_message add_special_tokens echo structured_outputs
     guided_json guided_regex guided_choice guided_grammar guided_whitespace_pattern
     guided_decoding_backend structural_tag regex ebnf length_penalty allowed_token_ids
     return_token_ids return_tokens_as_token_ids logprobs_mode cache_salt stop_regex no_stop_trim
     separate_reasoning stream_reasoning thinking_token_budget include_reasoning request_id`,
  ],
  [
    "llama.cpp and Ollama",
    chatLanguage,
    `typical_p mirostat mirostat_tau mirostat_eta mirostat_target mirostat_lr repeat_penalty
     repeat_last_n cache_prompt dry_multiplier dry_base dry_allowed_length xtc_probability
     xtc_threshold grammar json_schema n_probs samplers dynatemp_range dynatemp_exponent top_n_sigma
     tfs_z think timings_per_token return_progress`,
  ],
  [
    "hosted services",
    chatLanguage,
    `top_a random_seed do_sample reasoning reasoning_format reasoning_split thinking thinking_budget
     enable_thinking preserve_thinking prompt_mode safe_prompt tool_stream disable_tool_validation
     context_length_exceeded_behavior citation_options cache_control stream_format json_object
     raw_output clear_thinking disable_reasoning reasoning_history prompt_truncate_len
     perf_metrics_in_response mask_sensitive_info incremental_output result_format compliance
     user_id prompt_cache_isolation_key`,
  ],
  [
    "this gateway",
    chatLanguage,
    "models route provider max_cost transforms plugins usage session_id trace",
  ],
  [
    "services of embeddings",
    embeddingsLanguage,
    `input_type task task_type truncate truncation truncate_prompt_tokens normalized normalize
     late_chunking instruction prompt_name output_dtype output_dimension embedding_type metadata
     safety_identifier embedding_types add_special_tokens instruct text_type request_id`,
  ],
  ["Claude in a cloud", messagesLanguage, "anthropic_beta anthropic_version"],
];

test.each(fields)("the fields of %s are listed (%s)", (_, language, names) => {
  expect(words(names).filter((name) => !isListedField(language, name))).toEqual([]);
  expect(isListedField(language, "data_sources")).toBe(false);
});

const shared = `role content name id type text title url status metadata cache_control ttl scope evict
  prompt_cache_breakpoint mode index start_index end_index data format media_type detail input`;
const sharedTools = `type name description parameters parameters_json_schema strict tools function custom
  format grammar syntax definition cache_control ttl scope input_schema output_schema input_examples
  defer_loading execution allowed_callers eager_input_streaming metadata id index display_width_px
  display_height_px display_number enable_zoom max_characters max_uses allowed_domains
  blocked_domains user_location citations enabled max_content_tokens use_cache mcp_server_name
  default_config configs`;
const chatMembers = `${shared} tool_calls tool_call_id function_call function custom arguments refusal audio
  image_url input_audio video_url file filename file_data file_url annotations url_citation parsed
  parsed_arguments logprobs images weight reasoning reasoning_content reasoning_details thinking
  thinking_blocks signature thought_signature extra_content provider_specific_fields phase prefix
  partial tool_plan tool_name tool_results citations references fps min_pixels max_pixels
  resized_height resized_width uuid mime_type model created created_at createdAt timestamp end_turn
  finish_reason usage prompt_tokens completion_tokens total_tokens transcript expires_at`;
const messagesMembers = `${shared} source context citations enabled cited_text document_index document_title
  start_char_index end_char_index start_page_number end_page_number start_block_index
  end_block_index encrypted_index search_result_index tool_use_id is_error thinking signature
  tool_name caller tool_id encrypted_content page_age retrieved_at error_code error_message stdout
  stderr encrypted_stdout return_code file_type num_lines start_line total_lines is_file_update
  lines new_lines new_start old_lines old_start tool_references server_name output_config effort
  schema task_budget total remaining`;
const responsesMembers = `${shared} ${sharedTools} call_id namespace arguments output summary
  encrypted_content refusal image_url input_audio filename file_data file_url annotations logprobs
  phase caller created_by parsed parsed_arguments reasoning effort schema`;

const members: readonly (readonly [string, string, string])[] = [
  [chatLanguage, "messages", chatMembers],
  [chatLanguage, "tools", sharedTools],
  [chatLanguage, "functions", sharedTools],
  [messagesLanguage, "messages", messagesMembers],
  [messagesLanguage, "system", messagesMembers],
  [messagesLanguage, "tools", sharedTools],
  [responsesLanguage, "input", responsesMembers],
  [responsesLanguage, "tools", sharedTools],
];

test.each(members)(
  "%s: known members of %s are listed, others are named",
  (language, part, names) => {
    const missing = words(names).filter(
      (name) => findUnlistedMember({ [part]: [{ [name]: 1 }] }, language) !== undefined,
    );
    expect(missing).toEqual([]);
    const nested = { [part]: [null, { type: { format: [{ vector_store: 1 }] } }] };
    expect(findUnlistedMember(nested, language)).toBe(`${part}[1].type.format[0].vector_store`);
    expect(findUnlistedMember({ [part]: [{ vector_store: null }] }, language)).toBeUndefined();
  },
);

test("nothing is looked for in schemas, arguments and signatures, which are the caller's own", () => {
  const inMessages = `input arguments parsed_arguments parsed metadata logprobs reasoning_details
    extra_content provider_specific_fields`;
  const inTools = `user_location parameters parameters_json_schema input_schema output_schema
    input_examples`;
  const own = { file_id: "f" };
  for (const name of words(inMessages)) {
    expect(findUnlistedMember({ messages: [{ [name]: own }] }, chatLanguage)).toBeUndefined();
  }
  for (const name of words(inTools)) {
    expect(findUnlistedMember({ tools: [{ [name]: own }] }, chatLanguage)).toBeUndefined();
  }
  const schema = { role: "system", output_config: { schema: own } };
  expect(findUnlistedMember({ messages: [schema] }, messagesLanguage)).toBeUndefined();
});
