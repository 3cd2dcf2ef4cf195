// Which fields of a chat completions request an upstream's `/responses` supports: every one is
// translated, a preference that is named as ignored, or refused by name.
import type { JsonObject } from "@turnpike/base";
import { asksForNothing, isPreference, routingFields } from "@turnpike/wire";
import { untranslatable } from "../../untranslatable.ts";

/** Translated by the files beside this one, or read by the gateway. */
const carried: ReadonlySet<string> = new Set([
  ...["model", "messages", "stream", "stream_options", "max_tokens", "max_completion_tokens"],
  // Stop sequences are found in the answer.
  ...["stop", "temperature", "top_p", "logprobs", "top_logprobs", "tools", "tool_choice"],
  ...["parallel_tool_calls", "response_format", "reasoning_effort", "reasoning", "verbosity"],
  ...["include_reasoning", "user", "safety_identifier", "prompt_cache_key", "metadata"],
  ...["prompt_cache_retention", "prompt_cache_options", "service_tier"],
  ...[...routingFields, "max_cost", "usage", "transforms", "plugins", "session_id", "trace"],
]);

const replaced: Readonly<Record<string, string>> = {
  functions: "use `tools`, which replaced it",
  function_call: "use `tool_choice`, which replaced it",
};

/** Whether a field is left out, or refused unless its value asks for what a response does anyway. */
export function losesField(name: string): boolean {
  return !carried.has(name);
}

/** Throws the Fault of the first field that would be lost. */
export function checkFields(body: JsonObject): void {
  for (const name in body) {
    if (!losesField(name) || isPreference(name) || asksForNothing(name, body[name])) continue;
    throw untranslatable(name, replaced[name] ?? "the Responses API has no counterpart for it");
  }
}
