// The fields that change what an upstream does or charges beyond tokens at list price. A model without a price for them
// must refuse them, or the bill would be wrong.
import { isObject } from "@turnpike/base";
import { findServiceTier, requestableTiers } from "../caller/service-tier.ts";
import {
  anyObject,
  anyText,
  list,
  object,
  oneOf,
  tagged,
  textOr,
  textOrObject,
} from "../checks/check-value.ts";
import { serviceTier as serviceTierOfGemini } from "../gemini/check-contents.ts";
import { serviceTier as serviceTierOfInteractions } from "../interactions/check-settings.ts";
import {
  anyValue,
  each,
  type FieldTable,
  foreign,
  isEmptyList,
  isOff,
  isOne,
  isZero,
  onlyInChats,
  onlyNeutral,
  type RequestField,
  type Test,
  useChats,
} from "./request-field.ts";

const nonEmpty: Test = (value) => !isEmptyList(value);
/** Explicit or not, `false` and 0 are what every upstream does by default. */
const on: Test = (value) => !isOff(value) && !isZero(value);

const ofServices = (price: Test): RequestField => ({ rule: "price", of: { chat: foreign }, price });

const voice = textOrObject(anyText, object({ required: { id: anyText } }));
const textParts = list(tagged("type", { text: object({ required: { text: anyText } }) }), {
  of: "objects",
});

const webSearchOptions = object({
  optional: {
    search_context_size: oneOf(["low", "medium", "high"]),
    user_location: tagged("type", {
      approximate: object({ required: { approximate: anyObject } }),
    }),
  },
});

const noCaches = {
  why: "Caches of prompts are not stored here. Send the whole conversation.",
} as const;

const isTextAlone: Test = (value) => Array.isArray(value) && value.every((kind) => kind === "text");
const isStandardTier: Test = (value) => findServiceTier(value) === undefined;

export const pricedFields: FieldTable = {
  service_tier: {
    rule: "price",
    of: {
      chat: { check: oneOf(requestableTiers) },
      responses: { check: oneOf(requestableTiers), isExactName: true },
      messages: {
        check: oneOf(["auto", "standard_only"]),
        isExactName: true,
        // How Anthropic should queue the call.
        inChat: "nothing",
      },
      gemini: {
        check: serviceTierOfGemini,
        inChat: "translated",
        price: (value) => !isStandardTier(value),
      },
      interactions: {
        check: serviceTierOfInteractions,
        isExactName: true,
        inChat: "translated",
        price: (value) => !isStandardTier(value),
      },
    },
    to: { responses: "service_tier" },
    asksForNothing: isStandardTier,
    price: (value) => !isStandardTier(value),
    listed: { price: "tiers" },
  },
  serviceTier: {
    rule: "price",
    of: { gemini: { check: serviceTierOfGemini, inChat: "translated" } },
  },
  cachedContent: {
    rule: "refuse",
    of: {
      gemini: {
        refused: noCaches,
        inChat: "nothing",
      },
    },
  },
  modalities: {
    rule: "price",
    of: {
      chat: { check: list(oneOf(["text", "audio", "image"]), { of: "strings" }) },
      responses: { refused: onlyInChats },
      completions: { refused: useChats },
    },
    names: { gemini: "generationConfig.responseModalities", responses: "tools" },
    asksForNothing: isTextAlone,
    to: { gemini: true },
    price: (value) => !isTextAlone(value),
    listed: { price: "audioOutputNanosPerMillion" },
  },
  // Of images in an answer, which are billed by their tokens whatever their size is.
  image_config: {
    rule: "pass",
    of: { chat: { check: anyObject, isForeign: true } },
    to: { gemini: true },
    listed: { price: "imageOutputNanosPerMillion" },
  },
  audio: {
    rule: "price",
    of: {
      chat: { check: object({ required: { voice, format: anyText } }) },
      responses: { refused: onlyInChats },
      completions: { refused: useChats },
    },
    price: anyValue,
    listed: { price: "audioOutputNanosPerMillion" },
  },
  // Rejected prediction tokens are billed in addition to the output limit.
  prediction: {
    rule: "price",
    of: {
      chat: {
        check: tagged("type", {
          content: object({ required: { content: textOr(textParts, "objects") } }),
        }),
      },
      responses: { refused: onlyInChats },
    },
    price: anyValue,
    listed: { with: "prediction" },
  },
  speculation: ofServices(anyValue),
  // Searches and other tools that the upstream runs itself and bills per use: OpenAI, DashScope,
  // Z.ai, Perplexity, Groq, Cohere, Venice, Hunyuan.
  web_search_options: {
    rule: "price",
    of: { chat: { check: webSearchOptions } },
    price: anyValue,
    listed: { price: "webSearchNanosPerMillion" },
  },
  search_parameters: ofServices((value) => !isObject(value) || value.mode !== "off"),
  ...each(["search_options", "search_settings", "search_mode"], ofServices(anyValue)),
  ...each(
    ["web_search", "enable_search", "enable_web_search", "enable_code_interpreter"],
    ofServices(on),
  ),
  ...each(["force_search_enhancement", "enable_enhancement", "enable_deep_search"], ofServices(on)),
  ...each(["return_images", "return_related_questions"], ofServices(on)),
  connectors: ofServices(nonEmpty),
  mcp_servers: {
    rule: "price",
    of: { chat: foreign, messages: { inChat: "nothing", price: nonEmpty } },
    price: nonEmpty,
  },
  ...each(["compound_custom", "venice_parameters", "translation_options"], ofServices(anyValue)),
  // Tools that Anthropic runs, and faster or regional inference.
  container: { rule: "price", of: { messages: { inChat: "nothing", price: anyValue } } },
  inference_geo: {
    rule: "price",
    of: { messages: { inChat: "nothing", price: (value) => value !== "global" } },
  },
  speed: {
    rule: "price",
    of: { messages: { inChat: "nothing", price: (value) => value !== "standard" } },
  },
  // Another model, or another account, than the one whose price was agreed: OpenRouter, LiteLLM,
  // SGLang, llama.cpp, LM Studio, Anthropic.
  fallbacks: {
    rule: "price",
    of: { chat: foreign, messages: { isForeign: true, price: anyValue } },
    price: nonEmpty,
  },
  fallback: { rule: "price", of: { messages: { isForeign: true, price: anyValue } } },
  ...each(["lora", "lora_path"], ofServices(nonEmpty)),
  ...each(["preset", "draft_model", "api_base", "base_url", "api_key"], ofServices(anyValue)),
  // More output than `max_tokens` × `n`.
  best_of: {
    rule: "price",
    of: { chat: foreign, completions: onlyNeutral(1) },
    price: (value) => !isOne(value),
  },
  n_predict: ofServices(anyValue),
  use_beam_search: ofServices(on),
  // A longer prompt than the text we counted: vLLM, SGLang, DashScope, Gemini.
  ...each(
    ["chat_template", "mm_processor_kwargs", "media_io_kwargs", "prompt_embeds"],
    ofServices(anyValue),
  ),
  ...each(["google", "extra_body"], ofServices(anyValue)),
  cached_content: {
    rule: "price",
    of: { chat: foreign, interactions: { refused: noCaches, inChat: "nothing" } },
    price: anyValue,
  },
  // vLLM lets it replace the template.
  chat_template_kwargs: ofServices(
    (value) => !isObject(value) || value.chat_template !== undefined,
  ),
  // More tokens of every image or video: DashScope, SGLang.
  ...each(["vl_high_resolution_images", "use_audio_in_video"], ofServices(on)),
  ...each(["max_dynamic_patch", "min_dynamic_patch", "images_config"], ofServices(anyValue)),
  // Work besides the answer, the caller's code, or addresses that the upstream calls: vLLM, SGLang, xAI.
  ...each(["prompt_logprobs", "logits_processors", "custom_logit_processor"], ofServices(anyValue)),
  ...each(
    ["kv_transfer_params", "ec_transfer_params", "vllm_xargs", "session_params"],
    ofServices(anyValue),
  ),
  ...each(["bootstrap_host", "bootstrap_port", "bootstrap_room"], ofServices(anyValue)),
  ...each(["priority", "deferred", "return_hidden_states"], ofServices(on)),
};
