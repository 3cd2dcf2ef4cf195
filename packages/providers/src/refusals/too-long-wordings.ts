// How hosted services say that a prompt does not fit into a model's context. Few use OpenAI's code for it, so each
// wording is listed with a public report of it. Its test sends every example through every dialect and protocol.

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

export const serviceWordings = [
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
    service: "SiliconFlow",
    pattern: /has exceeded max_prompt_tokens/i,
    example: "number of input tokens (167594) has exceeded max_prompt_tokens (163840) limit.",
    source: `${issues}RhythmicWave/NovelForge/issues/136`,
  },
  {
    service: "Kimi",
    pattern: /^input token length too long/i,
    example: "Input token length too long",
    source: "https://platform.kimi.ai/docs/api/errors",
  },
  {
    service: "Kimi",
    pattern: /^model max length exceeded/i,
    example: "model max length exceeded, max length:8192",
    source: `${issues}MoonshotAI/MoonshotAI-Cookbook/issues/18`,
  },
  {
    service: "Volcengine",
    pattern: /input length \d+ exceeds the maximum length/i,
    example: "Input length 203743 exceeds the maximum length 202752",
    source: `${issues}langgenius/dify/issues/32221`,
  },
  {
    service: "Qwen (DashScope)",
    pattern: /message token length exceed model limit/i,
    example: "Total message token length exceed model limit (10000000 tokens).",
    source: "https://help.aliyun.com/zh/model-studio/error-code",
  },
  {
    service: "GitHub",
    pattern: /request body too large for [\w.-]{1,100} model/i,
    example: "Request body too large for gpt-4o model. Max size: 8000 tokens.",
    source: `${issues}cline/cline/issues/2115`,
  },
  {
    service: "Nova, on Bedrock",
    pattern: /number of input tokens exceeds maximum length/i,
    example:
      "Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update the input to try again.",
    source: `${issues}anomalyco/opencode`,
  },
  {
    service: "Titan, on Bedrock",
    pattern:
      /malformed input request: (?:#\/(?:inputText|prompt|texts)[\w/]{0,40}: )?expected maxLength: \d+, actual: \d+/i,
    example: "Malformed input request: expected maxLength: 50000, actual: 75000",
    source: `${issues}volcengine/OpenViking`,
  },
  {
    service: "watsonx",
    pattern: /cannot exceed the total tokens limit/i,
    example: "the number of input tokens 9000 cannot exceed the total tokens limit 8192",
    source: `${issues}agno-agi/agno`,
  },
  {
    service: "DeepInfra",
    pattern: /input length \d+ exceeds maximum input length/i,
    example: "Requested input length 130000 exceeds maximum input length 128000",
    source: `${issues}anomalyco/opencode`,
  },
  {
    service: "Z.ai",
    pattern: /tokens in request more than max tokens allowed/i,
    example: "tokens in request more than max tokens allowed",
    source: pi,
  },
  {
    service: "AI21",
    pattern: /(?:prompt|input|request) (?:contains|has) too many tokens/i,
    example: "Prompt has too many tokens",
    source: `${issues}BerriAI/litellm`,
  },
  {
    service: "Salesforce",
    pattern: /input tokens exceed model token limit/i,
    example: "Request input tokens exceed model token limit. Reduce the input size.",
    source: `${issues}forcedotcom/Einstein-GPT-for-Developers/issues/228`,
  },
  {
    service: "OpenAI, one text",
    pattern:
      /^invalid '(?:messages|input)(?:\[\d{1,6}\])?(?:\.content(?:\[\d{1,6}\](?:\.text)?)?)?': string too long/i,
    example:
      "Invalid 'messages[17].content': string too long. Expected a string with maximum length 1048576, but got a string with length 1744259 instead.",
    source: `${issues}gptscript-ai/clio/issues/41`,
  },
] as const satisfies readonly TooLongWording[];
