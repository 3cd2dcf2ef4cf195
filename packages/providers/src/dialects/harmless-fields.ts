// The fields of a chat completions request that an upstream of another language may not have and that change
// nothing in its answer: they are dropped. docs/dialects.md publishes them; what is neither here nor
// translated is refused by name.

/** For records, abuse checks and caches of the provider, and a hint at the length of an answer. */
export const harmlessFields: ReadonlySet<string> = new Set([
  "user",
  "safety_identifier",
  "metadata",
  "store",
  "prompt_cache_key",
  "prompt_cache_retention",
  "prompt_cache_options",
  "cache_control",
  "verbosity",
  // Refused earlier, unless it asks for the default.
  "service_tier",
]);
