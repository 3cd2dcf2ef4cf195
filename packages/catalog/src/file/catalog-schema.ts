// The shape of `catalog.yaml`, entry by entry. An unknown field is reported, not
// silently ignored. Checks that need a second entry or the environment live in `read-catalog.ts`.

import { authSchemes, providerKinds } from "@turnpike/providers";
import { operations } from "@turnpike/terms";
import { z } from "zod";
import {
  capabilities,
  dataCollections,
  defaultImageTokens,
  defaultTemplateTokens,
  reasoningOutputs,
  tokenizers,
} from "../model.ts";
import {
  imageFields,
  imageRates,
  moderationFields,
  moderationRates,
  rerankRates,
  speechFields,
  speechRates,
  transcriptionFields,
  transcriptionRates,
} from "./operation-models.ts";
import { inputRates, rates, tokens } from "./price-schema.ts";

const text = z.string().trim().min(1, "must not be empty");

const modelId = z
  .string()
  .regex(
    /^[A-Za-z0-9][\w.:@+-]*(?:\/[\w.:@+-]+)*$/,
    "must be made of letters, digits, . _ : @ + - with single slashes between its parts",
  )
  .max(120);

const day = z.iso
  .date("must be a calendar date, like 2024-07-18")
  .transform((value) => new Date(value));

/** Every quirk by name with its possible values; partial, because it overrides a known entry. */
const quirks = z.strictObject({
  tokenLimit: z.enum(["max_completion_tokens", "max_tokens"]).exactOptional(),
  tokensPerDelta: z.enum(["one", "many"]).exactOptional(),
  streamUsage: z.enum(["on_request", "always"]).exactOptional(),
  streamPadding: z.enum(["none", "by_default"]).exactOptional(),
  mustCallTool: z.enum(["required", "any"]).exactOptional(),
  toolCallIds: z.enum(["any", "forty_characters", "nine_alphanumerics"]).exactOptional(),
  toolNames: z.enum(["any", "letters_digits", "letter_first"]).exactOptional(),
  rootSchemas: z.enum(["any", "stated", "objects"]).exactOptional(),
  innerSchemas: z.enum(["any", "stated_items", "typed_variants"]).exactOptional(),
  turnOrder: z.enum(["any", "strict"]).exactOptional(),
  toolResults: z.enum(["any", "text"]).exactOptional(),
  participantNames: z.enum(["known", "in_text"]).exactOptional(),
  customTools: z.enum(["native", "as_functions"]).exactOptional(),
  systemMessages: z.enum(["anywhere", "first"]).exactOptional(),
  developerRole: z.enum(["known", "as_system"]).exactOptional(),
  responses: z.enum(["none", "native", "only"]).exactOptional(),
  seed: z.enum(["seed", "random_seed"]).exactOptional(),
  controlFields: z.enum(["ignores", "rejects", "obeys"]).exactOptional(),
  includeReasoning: z.enum(["known", "unknown"]).exactOptional(),
  reasoningTokens: z.enum(["included", "apart"]).exactOptional(),
  reasoningHistory: z.enum(["reasoning_details", "reasoning_content"]).exactOptional(),
  embeddingEncoding: z.enum(["on_request", "float_only"]).exactOptional(),
  rerankTop: z.enum(["top_n", "top_k"]).exactOptional(),
  rerankCut: z.enum(["known", "unknown"]).exactOptional(),
  images: z.enum(["openai", "openrouter", "together"]).exactOptional(),
  embeddedImages: z.enum(["none", "openrouter", "jina"]).exactOptional(),
  /**
   * Belongs to the provider rather than its dialect, but has been written here since the first
   * catalog.
   */
  cancelledStream: z.enum(["billed_as_written", "billed_whole"]).exactOptional(),
});

const outOfRange = "must be whole milliseconds from 100 to 900000";
const timeoutMs = z.int(outOfRange).min(100, outOfRange).max(900_000, outOfRange);

/** One number is for streamed and whole answers alike. */
const firstByteTimeoutMs = z
  .union(
    [
      timeoutMs,
      z.strictObject({ stream: timeoutMs.exactOptional(), whole: timeoutMs.exactOptional() }),
    ],
    { error: `${outOfRange}, or { stream, whole } of such numbers` },
  )
  .transform((value) => (typeof value === "number" ? { stream: value, whole: value } : value))
  .optional();

/** Of a provider, and of a route if it differs. */
const routePolicy = {
  firstByteTimeoutMs,
  dataCollection: z.enum(dataCollections).optional(),
  zdr: z.boolean("must be true or false").optional(),
  maxConcurrent: z.int("must be a whole number").min(1).max(1_000_000).optional(),
};

const quotedKinds = providerKinds.map((kind) => `"${kind}"`).join(" or ");

export const providerSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, "must be lower-case letters, digits, . _ -"),
  /** By default that of the known provider of this id, else OpenAI-compatible. */
  kind: z.enum(providerKinds, { error: `must be ${quotedKinds}` }).optional(),
  baseUrl: text.optional(),
  apiKey: z.string().optional(),
  /** How the key is sent; by default as the kind's own API expects it. */
  auth: z.enum(authSchemes).optional(),
  apiVersion: text.optional(),
  entra: z
    .strictObject({
      tenantId: text,
      clientId: text,
      clientSecret: text,
      authority: text.optional(),
    })
    .optional(),
  project: text.optional(),
  location: text.optional(),
  serviceAccount: text.optional(),
  serviceAccountFile: text.optional(),
  region: text.optional(),
  accessKeyId: text.optional(),
  secretAccessKey: text.optional(),
  sessionToken: text.optional(),
  quirks: quirks.default({}),
  /** `passed` says that the account has nothing a customer may not reach. */
  unknownFields: z.enum(["passed", "refused"]).optional(),
  ...routePolicy,
});
export type ProviderText = z.infer<typeof providerSchema>;

/** `prices` are those of the model's operation. */
function routesFor<Provider extends z.ZodType, Prices extends z.ZodType>(
  provider: Provider,
  prices: Prices,
) {
  const route = z.strictObject({
    provider,
    model: text,
    ...routePolicy,
    parameters: z.array(text).optional(),
    tier: z.int("must be a whole number").min(1).max(1_000).optional(),
    prices: prices.optional(),
    /** What it costs the operator; if absent, that of the model. */
    cost: prices.optional(),
  });
  return z.array(route).min(1, "needs at least one route");
}

/** `providers` holds those the file declares, well-formed or not. */
export function modelSchemaFor(providers: { has(id: string): boolean }) {
  const provider = z.string().refine((id) => providers.has(id), {
    error: (issue) => `there is no provider "${String(issue.input)}" in this file`,
  });
  const facts = {
    id: modelId,
    name: text.optional(),
    description: text.optional(),
    created: day.optional(),
    contextTokens: tokens,
    firstByteTimeoutMs,
  };
  const service = {
    tokenizer: z.enum(tokenizers).default("bytes"),
    capabilities: z.array(z.enum(capabilities)).default([]),
  };
  const chat = z.strictObject({
    operation: z.literal("chat"),
    ...facts,
    maxOutputTokens: tokens,
    ...service,
    routes: routesFor(provider, rates),
    imageTokens: tokens.default(defaultImageTokens),
    imageOutputTokens: tokens.exactOptional(),
    audioTokensPerSecond: tokens.exactOptional(),
    templateTokens: tokens.default(defaultTemplateTokens),
    reasoning: z.enum(reasoningOutputs).optional(),
    prices: rates,
    cost: rates.optional(),
  });
  const embeddings = z.strictObject({
    operation: z.literal("embeddings"),
    ...facts,
    dimensions: z.int("must be a whole number").min(1).max(100_000),
    imageTokens: tokens.exactOptional(),
    ...service,
    routes: routesFor(provider, inputRates),
    prices: inputRates,
    cost: inputRates.optional(),
  });
  const offer = <Prices extends z.ZodType>(prices: Prices) => ({
    routes: routesFor(provider, prices),
    prices,
    cost: prices.optional(),
  });
  const common = { ...facts, ...service };
  const image = { operation: z.literal("image"), ...common, ...imageFields, ...offer(imageRates) };
  const speech = {
    operation: z.literal("speech"),
    ...common,
    ...speechFields,
    ...offer(speechRates),
  };
  const transcription = {
    operation: z.literal("transcription"),
    ...common,
    ...transcriptionFields,
    ...offer(transcriptionRates),
  };
  const rerank = { operation: z.literal("rerank"), ...common, ...offer(rerankRates) };
  const moderation = {
    operation: z.literal("moderation"),
    ...common,
    ...moderationFields,
    ...offer(moderationRates),
  };
  const others = [
    z.strictObject(image),
    z.strictObject(speech),
    z.strictObject(transcription),
    z.strictObject(rerank),
    z.strictObject(moderation),
  ] as const;
  const names = operations.map((name) => `"${name}"`).join(", ");
  return z.preprocess(
    nameOperation,
    z.discriminatedUnion("operation", [chat, embeddings, ...others], {
      error: ({ code }) => (code === "invalid_union" ? `must be one of ${names}` : undefined),
    }),
  );
}

/** A model that does not say what it is for is a chat model. */
function nameOperation(entry: unknown): unknown {
  const isNamed = typeof entry !== "object" || entry === null || "operation" in entry;
  return isNamed ? entry : { ...entry, operation: "chat" };
}

export type ModelText = z.infer<ReturnType<typeof modelSchemaFor>>;
