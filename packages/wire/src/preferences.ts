// The top-level fields of a request that say how an answer is preferred: one without them still answers what was
// asked. Where a provider or a model has nothing like one it is asked without, and the answer names it. Every other
// field changes what is asked (meaning, content, safety, price), and is refused where it cannot be honored.

/** How tokens are chosen. `logit_bias` is not among them: it forbids words and forces them. */
const sampling = [
  ...["temperature", "top_p", "top_k", "min_p", "top_a", "typical_p", "seed", "random_seed"],
  ...["frequency_penalty", "presence_penalty", "repetition_penalty", "repeat_penalty"],
  ...["repeat_last_n", "mirostat", "mirostat_tau", "mirostat_eta", "mirostat_target"],
  ...["mirostat_lr", "dry_multiplier", "dry_base", "dry_allowed_length", "xtc_probability"],
  ...["xtc_threshold", "samplers", "dynatemp_range", "dynatemp_exponent", "top_n_sigma", "tfs_z"],
];

/** Whether and how long a model reasons, and how that is shown. */
const reasoning = [
  ...["reasoning", "reasoning_effort", "include_reasoning", "thinking", "thinking_budget"],
  ...["thinking_token_budget", "enable_thinking", "think", "disable_reasoning", "prompt_mode"],
  ...["reasoning_format", "reasoning_split", "separate_reasoning", "stream_reasoning"],
  ...["preserve_thinking", "clear_thinking", "reasoning_history"],
];

/** For records, abuse checks and caches of the provider. No answer depends on them. */
const hints = [
  ...["user", "safety_identifier", "metadata", "store", "cache_control"],
  ...["prompt_cache_key", "prompt_cache_retention", "prompt_cache_options"],
];

export const preferenceNames: readonly string[] = [
  ...[...sampling, ...reasoning, ...hints],
  ...["verbosity", "parallel_tool_calls"],
];

const preferences: ReadonlySet<string> = new Set(preferenceNames);

export function isPreference(name: string): boolean {
  return preferences.has(name);
}
