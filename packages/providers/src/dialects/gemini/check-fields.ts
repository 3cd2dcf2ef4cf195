// Which fields of a chat completions request reach Gemini: every one is translated, a preference that is named as
// ignored, or refused by name.
import type { JsonObject } from "@turnpike/base";
import { asksForNothing, isPreference, routingFields } from "@turnpike/wire";
import { untranslatable } from "../../untranslatable.ts";

/** Fields that the files beside this one read, and those that are for this gateway. */
const understood: ReadonlySet<string> = new Set([
  ...["model", "messages", "stream", "stream_options", "n", "stop", "seed"],
  ...["max_tokens", "max_completion_tokens", "temperature", "top_p", "top_k"],
  ...["frequency_penalty", "presence_penalty", "logprobs", "top_logprobs"],
  ...["tools", "tool_choice", "parallel_tool_calls", "response_format"],
  ...["reasoning_effort", "reasoning", "include_reasoning"],
  ...[...routingFields, "max_cost", "usage", "transforms", "plugins", "session_id", "trace"],
]);

const replaced: Readonly<Record<string, string>> = {
  functions: "use `tools`, which replaced it",
  function_call: "use `tool_choice`, which replaced it",
};

/** Whether a field is left out, or refused unless its value asks for what Gemini does anyway. */
export function losesField(name: string): boolean {
  return !understood.has(name);
}

/** Throws the Fault of the first field that would be lost. */
export function checkFields(body: JsonObject): void {
  for (const name in body) {
    if (!losesField(name) || isPreference(name) || asksForNothing(name, body[name])) continue;
    throw untranslatable(name, replaced[name] ?? "Gemini has no counterpart for it");
  }
}
