// How services say that a prompt does not fit into a model's context. Few use OpenAI's code for it, so each wording is
// listed with a public report of it. Its test sends every example through every dialect and protocol.
import type { UpstreamError } from "./read-error-body.ts";

export type TooLongWording = {
  readonly service: string;
  readonly pattern: RegExp;
  /** A message as it was reported. */
  readonly example: string;
  readonly source: string;
};

/** Wordings that clients collect, with the services that use them. */
const pi = "https://github.com/earendil-works/pi/blob/main/packages/ai/src/utils/overflow.ts";
const issues = "https://github.com/";

export const tooLongWordings = [
  {
    service: "OpenAI, Azure, DeepSeek, OpenRouter, vLLM, SGLang, DeepInfra, Fireworks, Ollama",
    pattern: /maximum context length/i,
    example:
      "This model's maximum context length is 131072 tokens. However, you requested 139162 tokens (130970 in the messages, 8192 in the completion).",
    source: `${issues}zebbern/Devonz/issues/9`,
  },
  {
    service: "OpenAI, Azure (responses)",
    pattern: /exceeds? the context window/i,
    example: "Your input exceeds the context window of this model.",
    source: pi,
  },
  {
    service: "OpenAI",
    pattern: /input tokens exceed the configured limit/i,
    example: "Input tokens exceed the configured limit of 272000 tokens.",
    source: `${issues}archi-physics/archi/issues/497`,
  },
  {
    service: "Anthropic, and Claude on Vertex and Bedrock",
    pattern: /prompt is too long/i,
    example: "prompt is too long: 219898 tokens > 200000 maximum",
    source: `${issues}earendil-works/pi/issues/102`,
  },
  {
    service: "Anthropic",
    pattern: /exceeds? context limit/i,
    example:
      "input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000, decrease input length or `max_tokens` and try again",
    source: `${issues}continuedev/continue/issues/6080`,
  },
  {
    service: "Bedrock",
    pattern: /input (?:is )?too long/i,
    example: "Input is too long for requested model.",
    source: "https://repost.aws/knowledge-center/bedrock-validation-exception-errors",
  },
  {
    service: "Bedrock",
    pattern: /too many input tokens/i,
    example: "Too many input tokens. Max input tokens: 8192, request input token count: 9120",
    source: "https://repost.aws/knowledge-center/bedrock-validation-exception-errors",
  },
  {
    service: "Gemini, Vertex",
    pattern: /token count\b.{0,40}\bexceeds the maximum/i,
    example:
      "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).",
    source: `${issues}google-gemini/gemini-cli/issues/6678`,
  },
  {
    service: "Vertex",
    pattern: /input token count is \d+ but/i,
    example:
      "Unable to submit request because the input token count is 3601938 but model only supports up to 1000000. Reduce the input token count and try again.",
    source: `${issues}google-gemini/gemini-cli/issues/19727`,
  },
  {
    service: "Mistral",
    pattern: /too large for model with \d+ maximum context/i,
    example: "Prompt contains 300000 tokens, too large for model with 131072 maximum context",
    source: pi,
  },
  {
    service: "Groq, Cerebras",
    pattern: /reduce the length of the (?:messages|prompt|input)/i,
    example: "Please reduce the length of the messages or completion.",
    source: pi,
  },
  {
    service: "Cerebras",
    pattern: /current length is \d+ while limit is \d+/i,
    example: "Current length is 132784 while limit is 131000",
    source: `${issues}BerriAI/litellm`,
  },
  {
    service: "Together, SGLang",
    pattern: /longer than the model'?s context length/i,
    example: "The input (210000 tokens) is longer than the model's context length (200000 tokens).",
    source: pi,
  },
  {
    service: "Together, TGI",
    pattern: /tokens \+ `?max_new_tokens`? must be/i,
    example:
      "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 80125 `inputs` tokens and 4096 `max_new_tokens`",
    source: `${issues}BerriAI/litellm/issues/4934`,
  },
  {
    service: "Together, TGI",
    pattern: /`?inputs`? must have less than \d+ tokens/i,
    example: "Input validation error: `inputs` must have less than 1024 tokens. Given: 1244",
    source: `${issues}stanford-crfm/helm/issues/1820`,
  },
  {
    service: "Kimi",
    pattern: /exceeded model token limit/i,
    example: "Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)",
    source: pi,
  },
  {
    service: "xAI",
    pattern: /maximum prompt length is \d+/i,
    example: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    source: pi,
  },
  {
    service: "Cohere",
    pattern: /^too many tokens: /i,
    example: "too many tokens: total number of tokens (prompt and prediction) cannot exceed 2048",
    source: `${issues}cohere-ai/sandbox-topically/issues/4`,
  },
  {
    service: "Qwen (DashScope)",
    pattern: /range of input length should be/i,
    example:
      "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 983616]",
    source: `${issues}QwenLM/qwen-code/issues/3652`,
  },
  {
    service: "Z.ai",
    pattern: /prompt exceeds max length/i,
    example: "Prompt exceeds max length",
    source: `${issues}zeroclaw-labs/zeroclaw/issues/4124`,
  },
  {
    service: "MiniMax",
    pattern: /context window exceeds limit/i,
    example: "invalid params, context window exceeds limit (2013)",
    source: `${issues}MiniMax-AI/MiniMax-M2/issues/119`,
  },
  {
    service: "Volcengine",
    pattern: /exceed max message tokens/i,
    example: "Total tokens of image and text exceed max message tokens.",
    source: `${issues}bytedance/deer-flow/issues/583`,
  },
  {
    service: "SiliconFlow",
    pattern: /must be less than max_seq_len/i,
    example: "length of prompt_tokens (48322) must be less than max_seq_len (32768).",
    source: `${issues}infiniflow/ragflow/issues/7060`,
  },
  {
    service: "vLLM",
    pattern: /longer than the maximum model length/i,
    example: "The decoder prompt (length 66501) is longer than the maximum model length of 65536.",
    source: `${issues}langchain-ai/deepagents/issues/468`,
  },
  {
    service: "llama.cpp",
    pattern: /exceeds? the available context size/i,
    example: "the request exceeds the available context size, try increasing it",
    source: pi,
  },
  {
    service: "LM Studio",
    pattern: /greater than the context length/i,
    example:
      "The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096).",
    source: `${issues}Gitlawb/openclaude/issues/353`,
  },
  {
    service: "LM Studio",
    pattern: /cannot truncate prompt with n_keep|when context the overflows/i,
    example: "Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)",
    source: `${issues}anomalyco/opencode/issues/11141`,
  },
  {
    service: "Ollama",
    pattern: /prompt too long; exceeded/i,
    example: "prompt too long; exceeded max context length by 4 tokens",
    source: pi,
  },
  {
    service: "Poolside, by OpenRouter",
    pattern: /exceeds the maximum allowed input length/i,
    example: "Input length 131393 exceeds the maximum allowed input length of 131040 tokens.",
    source: pi,
  },
  {
    service: "GitHub",
    pattern: /token count of \d+ exceeds the limit of \d+/i,
    example: "prompt token count of 93854 exceeds the limit of 90000",
    source: `${issues}jjleng/copilot-more/issues/35`,
  },
  {
    service: "ds4",
    pattern: /exceeds context size/i,
    example: "Prompt tokens (9000) exceeds context size (8192)",
    source: `${issues}antirez/ds4/pull/150`,
  },
] as const satisfies readonly TooLongWording[];

/** Services whose codes say it, besides OpenAI's own; 1261 is Z.ai's. */
const codes: ReadonlySet<unknown> = new Set([
  ...["context_length_exceeded", "model_context_window_exceeded", "ContextWindowExceededError"],
  ...["model_max_prompt_tokens_exceeded", "max_tokens_per_request", "1261"],
]);

/** Of llama.cpp and of ds4. */
const types: ReadonlySet<unknown> = new Set(["exceed_context_size_error", "context_exceeded"]);

/** A service that is not listed, or a proxy with words of its own: what is about the context at all. */
const aboutContext = /context_length_exceeded|maximum context|\bcontext (?:window|length|size)\b/i;

/** Rates and quotas are counted in tokens as well, and a shorter prompt is not what they ask for. */
const aboutRates = /\bper[ -]min(?:ute)?\b|\brate[ -]?limit|too many requests|\bTPM\b|throttl/i;

/** By its code, its type or its words, whatever the status. */
export function isKnownTooLong({ code, type, message = "" }: UpstreamError): boolean {
  if (codes.has(code) || types.has(type)) return true;
  return !aboutRates.test(message) && tooLongWordings.some(({ pattern }) => pattern.test(message));
}

/** The same of a refusal that is about the request. */
export function isTooLong(error: UpstreamError): boolean {
  if (isKnownTooLong(error)) return true;
  const { message = "" } = error;
  return aboutContext.test(message) && !aboutRates.test(message);
}
