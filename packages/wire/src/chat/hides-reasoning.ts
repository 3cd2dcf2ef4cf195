// Finds requests that ask an upstream to hide reasoning, which it bills all the same. What is not
// shown cannot be counted, so such a stream is not billed by what was delivered.
import { isObject, type JsonObject } from "@turnpike/base";

type Test = (value: unknown) => boolean;

/** Every field known to hide or shorten reasoning, and its values that do not. */
const hides: Readonly<Record<string, Test>> = {
  // OpenRouter.
  include_reasoning: (value) => value !== true,
  reasoning: (value) =>
    !isObject(value) || (value.exclude ?? false) !== false || "summary" in value,
  // Groq.
  reasoning_format: (value) => value !== "parsed" && value !== "raw",
  // SGLang sends it in one piece when it is complete.
  stream_reasoning: (value) => value !== true,
  // Anthropic.
  thinking: (value) => isObject(value) && (value.display ?? "full") !== "full",
};

const names = Object.keys(hides);

/** True where `body` names one of them with a value that may hide reasoning. */
export function hidesReasoning(body: JsonObject): boolean {
  for (const name of names) {
    const value = body[name];
    if (value !== undefined && value !== null && hides[name]?.(value) === true) return true;
  }
  return false;
}
