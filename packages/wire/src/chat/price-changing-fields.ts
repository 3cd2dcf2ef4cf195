// The fields of a request that change what the upstream does or charges beyond tokens at list price. A
// model without a price for them must refuse them, or the bill would be wrong.
import { isObject, type JsonObject } from "@turnpike/base";
import { foldCase } from "../read-json-body.ts";
import { routingFields } from "../read-routing.ts";
import { findServiceTier } from "../service-tier.ts";

type Test = (value: unknown) => boolean;

const given: Test = () => true;
const nonEmpty: Test = (value) => !Array.isArray(value) || value.length > 0;
/** Explicit or not, `false` and 0 are what every upstream does by default. */
const on: Test = (value) => value !== false && value !== 0;

function each(names: readonly string[], test: Test): [string, Test][] {
  return names.map((name) => [name, test]);
}

/** Checked only if the field is present and not null. */
const tests: ReadonlyMap<string, Test> = new Map<string, Test>([
  ["service_tier", (value) => findServiceTier(value) !== undefined],
  ["search_parameters", (value) => !isObject(value) || value.mode !== "off"],
  ["modalities", (value) => !Array.isArray(value) || value.some((kind) => kind !== "text")],
  ["plugins", nonEmpty],
  ["audio", given],
  // Rejected prediction tokens are billed in addition to the output limit.
  ...each(["prediction", "speculation"], given),
  // More output than `max_tokens` × `n`.
  ["best_of", (value) => value !== 1],
  ["n_predict", given],
  ["use_beam_search", on],
  // Searches and other tools that the upstream runs itself and bills per use: OpenAI, DashScope,
  // Z.ai, Perplexity, Groq, Cohere, Venice, Hunyuan.
  ...each(["web_search_options", "search_options", "search_settings", "search_mode"], given),
  ...each(["web_search", "enable_search", "enable_web_search", "enable_code_interpreter"], on),
  ...each(["force_search_enhancement", "enable_enhancement", "enable_deep_search"], on),
  ...each(["return_images", "return_related_questions"], on),
  ...each(["connectors", "mcp_servers"], nonEmpty),
  ...each(["compound_custom", "venice_parameters", "translation_options"], given),
  // Another model, or another account, than the one whose price was agreed: OpenRouter, LiteLLM,
  // SGLang, llama.cpp, LM Studio.
  ...each(["fallbacks", "lora", "lora_path"], nonEmpty),
  ...each(["preset", "draft_model", "api_base", "base_url", "api_key"], given),
  // A longer prompt than the text we counted: vLLM, SGLang, DashScope, Gemini.
  ...each(["chat_template", "mm_processor_kwargs", "media_io_kwargs", "prompt_embeds"], given),
  ...each(["cached_content", "google", "extra_body"], given),
  // vLLM lets it replace the template.
  ["chat_template_kwargs", (value) => !isObject(value) || value.chat_template !== undefined],
  // More tokens of every image or video: DashScope, SGLang.
  ...each(["vl_high_resolution_images", "use_audio_in_video"], on),
  ...each(["max_dynamic_patch", "min_dynamic_patch", "images_config"], given),
  // Work besides the answer, the caller's code, or addresses that the upstream calls: vLLM, SGLang, xAI.
  ...each(["prompt_logprobs", "logits_processors", "custom_logit_processor"], given),
  ...each(["kv_transfer_params", "ec_transfer_params", "vllm_xargs", "session_params"], given),
  ...each(["bootstrap_host", "bootstrap_port", "bootstrap_room"], given),
  ...each(["priority", "deferred", "return_hidden_states"], on),
]);

export const pricedFieldNames: readonly string[] = [...tests.keys()];

const billedFields = [
  "model",
  "messages",
  "max_tokens",
  "max_completion_tokens",
  "n",
  "stream",
  "stream_options",
  ...routingFields,
  ...tests.keys(),
];
const billedFieldOfFolded = new Map(billedFields.map((name) => [foldCase(name), name]));

/**
 * A part of a request that changes its price. The kind decides which price it needs, never the text
 * of a path.
 */
export type PriceChange =
  /** A field by its own name, or `input_audio` for every part that refers to audio. */
  | { readonly kind: "field"; readonly name: string }
  /** The mark of a cache entry that lives for an hour, by its path. */
  | { readonly kind: "long_cache"; readonly name: string }
  /** A member of `messages` or `tools` by its path: there is no price for any. */
  | { readonly kind: "member"; readonly name: string };

/** Everything in a checked request that changes its price. */
export function priceChangingFields(body: JsonObject, audioCount: number): readonly PriceChange[] {
  const changes: PriceChange[] = [];
  for (const name in body) {
    const value = body[name];
    if (value !== null && tests.get(name)?.(value)) changes.push({ kind: "field", name });
  }
  if (audioCount > 0) changes.push({ kind: "field", name: "input_audio" });
  addPricedMembers(body, changes);
  return changes;
}

/** What a caller makes of an image, or its size: more tokens than the catalog says (Qwen-VL, SGLang). */
const sizeMembers = [
  ...["min_pixels", "max_pixels", "resized_width", "resized_height"],
  ...["max_dynamic_patch", "min_dynamic_patch", "fps", "nframes", "modalities"],
] as const;

const pricedLists = ["messages", "tools"] as const;

function addPricedMembers(body: JsonObject, changes: PriceChange[]): void {
  addLongCache(body, "", changes);
  for (const list of pricedLists) {
    const entries = body[list];
    if (!Array.isArray(entries)) continue;
    for (let index = 0; index < entries.length; index += 1) {
      const entry: unknown = entries[index];
      if (isObject(entry) && mayBePriced(entry)) {
        addFromEntry(entry, `${list}[${index}].`, changes);
      }
    }
  }
}

/** `prefix` is the path of the entry with its dot. */
function addFromEntry(entry: JsonObject, prefix: string, changes: PriceChange[]): void {
  addLongCache(entry, prefix, changes);
  if (isObject(entry.function)) addLongCache(entry.function, `${prefix}function.`, changes);
  const calls: unknown = entry.tool_calls;
  for (let index = 0; Array.isArray(calls) && index < calls.length; index += 1) {
    const call: unknown = calls[index];
    if (isObject(call)) addLongCache(call, `${prefix}tool_calls[${index}].`, changes);
  }
  if (!Array.isArray(entry.content)) return;
  for (let index = 0; index < entry.content.length; index += 1) {
    const part: unknown = entry.content[index];
    if (isObject(part)) addFromPart(part, `${prefix}content[${index}].`, changes);
  }
}

/** Whether an entry has anything that may change the price: most have a role and a text. */
function mayBePriced(entry: JsonObject): boolean {
  const { content, cache_control: mark, function: called, tool_calls: calls } = entry;
  return (
    Array.isArray(content) || mark !== undefined || called !== undefined || calls !== undefined
  );
}

function addFromPart(part: JsonObject, prefix: string, changes: PriceChange[]): void {
  // Priced by its seconds, which cannot be measured here.
  if (part.type === "video_url") changes.push({ kind: "member", name: `${prefix}video_url` });
  addLongCache(part, prefix, changes);
  if (part.type !== "image_url") return;
  for (const name of sizeMembers) {
    if (part[name] !== undefined) changes.push({ kind: "member", name: `${prefix}${name}` });
    if (isObject(part.image_url) && part.image_url[name] !== undefined) {
      changes.push({ kind: "member", name: `${prefix}image_url.${name}` });
    }
  }
}

function addLongCache(holder: JsonObject, prefix: string, changes: PriceChange[]): void {
  if (!marksLongCache(holder)) return;
  changes.push({ kind: "long_cache", name: `${prefix}cache_control.ttl` });
}

/** Anthropic: a cache entry that lives for an hour costs more to write than one of five minutes. */
function marksLongCache({ cache_control: control }: JsonObject): boolean {
  return isObject(control) && control.ttl !== undefined && control.ttl !== "5m";
}

/**
 * The billed field that `key` would be mistaken for by an upstream that ignores case, as servers
 * written in Go do (`Max_Tokens`); undefined for a field's own name and for every other key.
 */
export function billedFieldLike(key: string): string | undefined {
  const name = billedFieldOfFolded.get(foldCase(key));
  return name === key ? undefined : name;
}
