// The services known by name, as data. A provider of the catalog whose id is listed here inherits its
// entry; any other is OpenAI-compatible unless it says otherwise, and starts from `defaultQuirks`.

import type { AuthScheme } from "./credentials/credential.ts";
import { defaultQuirks, type OpenaiQuirks } from "./dialects/openai/quirks.ts";
import type { AzureAddress, CancelledStream, OpenaiProvider, Provider } from "./provider.ts";

/**
 * The behavior of these providers is not in their own documentation. OpenRouter publishes which of its
 * providers stop at a cancelled stream: Groq and Mistral are among those that "continue processing", and
 * "you will be billed for the complete response" (https://openrouter.ai/docs/api-reference/streaming,
 * Stream Cancellation). OpenAI, DeepSeek, Together, xAI and Fireworks are among those that stop.
 */
const billsCancelledWhole: CancelledStream = "billed_whole";

type KnownBase = {
  /** Undefined if only the catalog can know it. */
  readonly baseUrl: string | undefined;
  /** Environment variable that customarily holds its key; undefined if none is needed. */
  readonly keyName: string | undefined;
  readonly cancelledStream: CancelledStream;
};

/** The kinds of provider a catalog may name: a dialect on its own API, or a cloud that offers several. */
export const providerKinds = [
  "openai-compatible",
  "anthropic",
  "google",
  "elevenlabs",
  "deepgram",
  "azure",
  "vertex",
  "bedrock",
] as const;
export type ProviderKind = (typeof providerKinds)[number];

/** How each dialect's own API expects its key. */
export const defaultAuth = {
  "openai-compatible": "bearer",
  anthropic: "x-api-key",
  google: "x-goog-api-key",
  elevenlabs: "xi-api-key",
  deepgram: "token",
} as const satisfies Record<Provider["kind"], AuthScheme>;

export type KnownOpenai = KnownBase & {
  readonly kind: OpenaiProvider["kind"];
  readonly quirks: OpenaiQuirks;
};

export type KnownAnthropic = KnownBase & { readonly kind: "anthropic" };

export type KnownGoogle = KnownBase & { readonly kind: "google" };

export type KnownAudio = KnownBase & { readonly kind: "elevenlabs" | "deepgram" };

/** Its address and its quirks are known only from the catalog. */
export type KnownCloud = KnownBase & { readonly kind: Exclude<ProviderKind, Provider["kind"]> };

export type KnownProvider = KnownOpenai | KnownAnthropic | KnownGoogle | KnownAudio | KnownCloud;

/**
 * Azure serves OpenAI's models a version behind: its dated API versions refuse newer
 * fields, and its content filter releases text in blocks.
 */
export function azureQuirks(address: AzureAddress): OpenaiQuirks {
  const isV1 = address.form === "v1";
  return {
    ...defaultQuirks,
    tokenLimit: "max_completion_tokens",
    tokensPerDelta: "many",
    toolCallIds: "forty_characters",
    toolNames: "letters_digits",
    rootSchemas: "objects",
    innerSchemas: "stated_items",
    toolResults: "text",
    customTools: isV1 ? "native" : "as_functions",
    systemMessages: "anywhere",
    developerRole: isV1 ? "known" : "as_system",
    responses: isV1 ? "native" : "none",
    controlFields: "rejects",
  };
}

function compatible(
  baseUrl: string | undefined,
  keyName: string | undefined,
  quirks: Partial<OpenaiQuirks> = {},
  cancelledStream: CancelledStream = "billed_as_written",
): KnownOpenai {
  return {
    kind: "openai-compatible",
    baseUrl,
    keyName,
    quirks: { ...defaultQuirks, ...quirks },
    cancelledStream,
  };
}

export const knownProviders: Readonly<Record<string, KnownProvider>> = {
  openai: compatible("https://api.openai.com/v1", "OPENAI_API_KEY", {
    tokenLimit: "max_completion_tokens",
    streamPadding: "by_default",
    toolCallIds: "forty_characters",
    toolNames: "letters_digits",
    rootSchemas: "objects",
    innerSchemas: "stated_items",
    toolResults: "text",
    customTools: "native",
    systemMessages: "anywhere",
    developerRole: "known",
    responses: "native",
    controlFields: "rejects",
  }),
  openrouter: compatible("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", {
    tokensPerDelta: "many",
    // What it sends to OpenAI must be short enough there.
    toolCallIds: "forty_characters",
    systemMessages: "anywhere",
    developerRole: "known",
    controlFields: "obeys",
    images: "openrouter",
    embeddedImages: "openrouter",
  }),
  groq: compatible(
    "https://api.groq.com/openai/v1",
    "GROQ_API_KEY",
    {
      tokenLimit: "max_completion_tokens",
      tokensPerDelta: "many",
      toolResults: "text",
      systemMessages: "anywhere",
      controlFields: "rejects",
      includeReasoning: "known",
    },
    billsCancelledWhole,
  ),
  deepseek: compatible("https://api.deepseek.com/v1", "DEEPSEEK_API_KEY", {
    systemMessages: "anywhere",
    reasoningHistory: "reasoning_content",
  }),
  moonshot: compatible("https://api.moonshot.ai/v1", "MOONSHOT_API_KEY", {
    tokensPerDelta: "many",
    toolNames: "letter_first",
    rootSchemas: "objects",
    innerSchemas: "typed_variants",
    systemMessages: "anywhere",
    reasoningHistory: "reasoning_content",
  }),
  mistral: compatible(
    "https://api.mistral.ai/v1",
    "MISTRAL_API_KEY",
    {
      tokensPerDelta: "many",
      streamUsage: "always",
      mustCallTool: "any",
      toolCallIds: "nine_alphanumerics",
      toolNames: "letters_digits",
      rootSchemas: "stated",
      turnOrder: "strict",
      toolResults: "text",
      participantNames: "in_text",
      seed: "random_seed",
      embeddingEncoding: "float_only",
      controlFields: "rejects",
    },
    billsCancelledWhole,
  ),
  together: compatible("https://api.together.xyz/v1", "TOGETHER_API_KEY", {
    tokensPerDelta: "many",
    systemMessages: "anywhere",
    images: "together",
  }),
  xai: compatible("https://api.x.ai/v1", "XAI_API_KEY", {
    tokenLimit: "max_completion_tokens",
    tokensPerDelta: "many",
    systemMessages: "anywhere",
    reasoningTokens: "apart",
  }),
  fireworks: compatible("https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY", {
    tokensPerDelta: "many",
    toolResults: "text",
    systemMessages: "anywhere",
    controlFields: "rejects",
  }),
  cohere: compatible("https://api.cohere.com/v2", "COHERE_API_KEY", { rerankCut: "known" }),
  jina: compatible("https://api.jina.ai/v1", "JINA_API_KEY", { embeddedImages: "jina" }),
  voyage: compatible("https://api.voyageai.com/v1", "VOYAGE_API_KEY", { rerankTop: "top_k" }),
  anthropic: {
    kind: "anthropic",
    baseUrl: "https://api.anthropic.com/v1",
    keyName: "ANTHROPIC_API_KEY",
    cancelledStream: "billed_as_written",
  },
  google: {
    kind: "google",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keyName: "GEMINI_API_KEY",
    cancelledStream: "billed_as_written",
  },
  elevenlabs: {
    kind: "elevenlabs",
    baseUrl: "https://api.elevenlabs.io/v1",
    keyName: "ELEVENLABS_API_KEY",
    cancelledStream: "billed_as_written",
  },
  deepgram: {
    kind: "deepgram",
    baseUrl: "https://api.deepgram.com/v1",
    keyName: "DEEPGRAM_API_KEY",
    cancelledStream: "billed_as_written",
  },
  azure: {
    kind: "azure",
    baseUrl: undefined,
    keyName: "AZURE_OPENAI_API_KEY",
    cancelledStream: "billed_as_written",
  },
  vertex: {
    kind: "vertex",
    baseUrl: undefined,
    keyName: undefined,
    cancelledStream: "billed_as_written",
  },
  bedrock: {
    kind: "bedrock",
    baseUrl: undefined,
    keyName: "AWS_BEARER_TOKEN_BEDROCK",
    cancelledStream: "billed_as_written",
  },
  ollama: compatible("http://127.0.0.1:11434/v1", undefined),
  vllm: compatible("http://127.0.0.1:8000/v1", undefined),
  "llama.cpp": compatible("http://127.0.0.1:8080/v1", undefined),
  lmstudio: compatible("http://127.0.0.1:1234/v1", undefined),
  sandbox: compatible(undefined, undefined, { embeddedImages: "openrouter" }),
};
