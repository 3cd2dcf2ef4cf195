// The fields of services and servers besides OpenAI that pass unchecked: how a prompt is built, how output is
// constrained, and what is reported of it.
import { each, type FieldTable, foreign, own } from "./request-field.ts";

export const serviceFields: FieldTable = {
  ...each(
    "min_tokens ignore_eos stop_token_ids include_stop_str_in_output bad_words skip_special_tokens " +
      "spaces_between_special_tokens add_generation_prompt continue_final_message do_sample cache_prompt " +
      "safe_prompt tool_stream disable_tool_validation structured_outputs guided_json guided_regex guided_choice " +
      "guided_grammar regex ebnf grammar json_schema structural_tag context_length_exceeded_behavior " +
      "citation_options stream_format n_probs no_stop_trim stop_regex allowed_token_ids " +
      "guided_whitespace_pattern guided_decoding_backend json_object length_penalty return_token_ids " +
      "return_tokens_as_token_ids logprobs_mode raw_output prompt_truncate_len perf_metrics_in_response " +
      "timings_per_token return_progress mask_sensitive_info incremental_output result_format compliance",
    { rule: "pass", of: { chat: foreign } },
  ),
  ...each("truncate_prompt_tokens add_special_tokens", {
    rule: "pass",
    of: { chat: foreign, embeddings: own },
  }),
};
