// Maps an upstream's finish reason to one of OpenAI's five. Typed clients throw on any other; a
// reason that means "aborted" is a failure, not a finish reason.

type FinishReason = "stop" | "length" | "tool_calls" | "content_filter" | "function_call";

const meanings: Readonly<Record<string, FinishReason | "failure">> = {
  stop: "stop",
  eos: "stop",
  eos_token: "stop",
  end_turn: "stop",
  stop_sequence: "stop",
  length: "length",
  max_tokens: "length",
  model_length: "length",
  model_context_window_exceeded: "length",
  tool_calls: "tool_calls",
  tool_use: "tool_calls",
  function_call: "function_call",
  content_filter: "content_filter",
  safety: "content_filter",
  refusal: "content_filter",
  recitation: "content_filter",
  error: "failure",
  abort: "failure",
  insufficient_system_resource: "failure",
};

/**
 * Translates `native`; unknown reasons mean "stop". What the choice called decides between stop,
 * tool_calls and function_call, because several upstreams say "stop" after a call.
 */
export function translateFinishReason(
  native: string,
  called: "tools" | "function" | "nothing",
): FinishReason | "failure" {
  const key = native.toLowerCase();
  const meaning = (Object.hasOwn(meanings, key) ? meanings[key] : undefined) ?? "stop";
  const complete = meaning === "stop" || meaning === "tool_calls" || meaning === "function_call";
  if (!complete) return meaning;
  if (called === "tools") return "tool_calls";
  return called === "function" ? "function_call" : "stop";
}
