// `providerOptions` of a language model call, of the providers whose options have a counterpart in a chat completion. They are
// read whichever provider answers; those of the model's own are read last, so that they count.
import { isObject, type JsonObject } from "@turnpike/base";
import { anyObject, isGiven } from "../checks/check-value.ts";
import type { CallNotes } from "./call-notes.ts";

/** Options that keep their value, by their name in a chat completion. */
const renamed: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "openai.reasoningEffort": "reasoning_effort",
    "openai.serviceTier": "service_tier",
    "openai.textVerbosity": "verbosity",
    "openai.parallelToolCalls": "parallel_tool_calls",
    "openai.promptCacheKey": "prompt_cache_key",
    "openai.promptCacheRetention": "prompt_cache_retention",
    "openai.safetyIdentifier": "safety_identifier",
    "openai.user": "user",
    "openai.logitBias": "logit_bias",
    "openai.prediction": "prediction",
    "openai.metadata": "metadata",
    "anthropic.cacheControl": "cache_control",
    "google.responseModalities": "modalities",
  }),
);

/** Options that only say what an answer has anyway. */
const needless: ReadonlySet<string> = new Set(["sendReasoning", "reasoningSummary"]);

export function translateProviderOptions(
  { providerOptions }: JsonObject,
  chat: JsonObject,
  notes: CallNotes,
): void {
  if (!isObject(providerOptions)) return;
  const [own = ""] = String(chat.model).split("/", 1);
  const given = Object.entries(providerOptions).filter(([name]) => name !== "gateway");
  const ordered = given.sort(([a], [b]) => Number(a === own) - Number(b === own));
  for (const [provider, options] of ordered) {
    const path = `providerOptions.${provider}`;
    if (!isGiven(options)) continue;
    anyObject(options, path);
    for (const [name, value] of Object.entries(isObject(options) ? options : {})) {
      if (!isGiven(value) || needless.has(name)) continue;
      const place = `${path}.${name}`;
      if (translateOption(provider, name, value, { chat, notes, place })) continue;
      notes.warn(place, "This option is not passed on.");
    }
  }
}

type Place = { readonly chat: JsonObject; readonly notes: CallNotes; readonly place: string };

/** Whether the option has a counterpart. */
function translateOption(
  provider: string,
  name: string,
  value: unknown,
  { chat, notes, place }: Place,
): boolean {
  const set = (field: string, translated: unknown) => {
    chat[field] = translated;
    notes.name(field, place);
    return true;
  };
  const own = renamed.get(`${provider}.${name}`);
  if (own === "modalities" && Array.isArray(value)) {
    return set(
      own,
      value.map((kind) => String(kind).toLowerCase()),
    );
  }
  if (own !== undefined) return set(own, value);
  switch (`${provider}.${name}`) {
    case "openai.strictJsonSchema":
      return setStrict(chat, value);
    case "anthropic.thinking":
      return isObject(value) && set("reasoning", thinkingOf(value));
    case "anthropic.effort":
      return set("reasoning", { ...(isObject(chat.reasoning) && chat.reasoning), effort: value });
    case "anthropic.disableParallelToolUse":
      return set("parallel_tool_calls", value !== true);
    case "google.thinkingConfig":
      return isObject(value) && set("reasoning", thoughtOf(value));
    default:
      return false;
  }
}

function setStrict(chat: JsonObject, value: unknown): boolean {
  const { response_format: format } = chat;
  if (isObject(format) && isObject(format.json_schema)) format.json_schema.strict = value;
  return true;
}

/** OpenRouter's `reasoning`, the only way to ask for an amount of thinking in chat completions. */
function thinkingOf({ type, budgetTokens }: JsonObject): JsonObject {
  if (type === "disabled") return { enabled: false };
  return budgetTokens === undefined ? { enabled: true } : { max_tokens: budgetTokens };
}

function thoughtOf({ thinkingBudget: budget, thinkingLevel: level }: JsonObject): JsonObject {
  if (typeof level === "string") return { effort: level.toLowerCase() };
  if (typeof budget !== "number") return { enabled: true };
  return budget > 0 ? { max_tokens: budget } : { enabled: budget !== 0 };
}
