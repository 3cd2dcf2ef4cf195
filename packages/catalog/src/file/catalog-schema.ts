// The shape of `catalog.yaml`, entry by entry. An unknown field is reported, not
// silently ignored. Checks that need a second entry or the environment live in `read-catalog.ts`.

import { authSchemes, providerKinds } from "@turnpike/providers";
import { nanosPerUsd, parseUsd, type Rates, type ServiceTier } from "@turnpike/terms";
import { z } from "zod";
import {
  capabilities,
  dataCollections,
  defaultImageTokens,
  defaultTemplateTokens,
  reasoningOutputs,
  tokenizers,
} from "../model.ts";

const text = z.string().trim().min(1, "must not be empty");

const modelId = z
  .string()
  .regex(
    /^[A-Za-z0-9][\w.:@+-]*(?:\/[\w.:@+-]+)*$/,
    "must be made of letters, digits, . _ : @ + - with single slashes between its parts",
  )
  .max(120);

/** The bounds keep the largest possible hold (128 choices) inside PostgreSQL's int8. */
const tokens = z.int("must be a whole number of tokens").min(1).max(10_000_000);
const highestNanosPerMillion = 1_000_000n * nanosPerUsd;

/** USD per million tokens; a YAML number would already have been through a float. */
const usdPerMillion = z
  .unknown()
  .superRefine((value, context) => {
    const problem = findPriceProblem(value);
    if (problem) context.addIssue({ code: "custom", message: problem });
  })
  .transform((value) => (typeof value === "string" ? (parseUsd(value) ?? 0n) : 0n));

function findPriceProblem(value: unknown): string | undefined {
  if (value === undefined) return "is required";
  if (typeof value === "number") return `prices are quoted decimal strings: write "${value}"`;
  const nanos = typeof value === "string" ? parseUsd(value) : undefined;
  if (nanos !== undefined && nanos <= highestNanosPerMillion) return undefined;
  if (nanos !== undefined) return "is more than 1,000,000 USD per million tokens";
  return 'must be USD per million tokens as a decimal string with at most 9 decimals, like "0.15"';
}

/** USD per thousand searches, as providers list it. */
const usdPerThousand = usdPerMillion;

const rateFields = {
  input: usdPerMillion,
  cachedInput: usdPerMillion.optional(),
  cacheWrite: usdPerMillion.optional(),
  cacheWrite1h: usdPerMillion.optional(),
  audioInput: usdPerMillion.optional(),
  audioOutput: usdPerMillion.optional(),
  webSearch: usdPerThousand.optional(),
  output: usdPerMillion,
};

const rateShape = z.strictObject(rateFields);

function toRates({ input, ...other }: z.output<typeof rateShape>) {
  const { cachedInput, cacheWrite, cacheWrite1h, output } = other;
  const { audioInput, audioOutput, webSearch } = other;
  return {
    inputNanosPerMillion: input,
    cachedInputNanosPerMillion: cachedInput ?? input,
    cacheWriteNanosPerMillion: cacheWrite ?? input,
    ...(cacheWrite1h !== undefined && { cacheWrite1hNanosPerMillion: cacheWrite1h }),
    ...(audioInput !== undefined && { audioInputNanosPerMillion: audioInput }),
    ...(audioOutput !== undefined && { audioOutputNanosPerMillion: audioOutput }),
    ...(webSearch !== undefined && { webSearchNanosPerMillion: webSearch * 1_000n }),
    outputNanosPerMillion: output,
  } satisfies Rates;
}

/** Prices of prompts with more tokens than `above`, which providers charge for the whole call. */
const longPrompts = z
  .array(
    z
      .strictObject({ above: tokens, ...rateFields })
      .transform(({ above, ...own }) => ({ ...toRates(own), aboveTokens: above })),
  )
  .min(1, "must not be empty")
  .refine((list) => list.every((each, at) => each.aboveTokens > (list[at - 1]?.aboveTokens ?? 0)), {
    error: "must be in ascending order of `above`",
  })
  .exactOptional();

type LongPrompts = z.output<typeof longPrompts>;

function toSizes<Own extends z.output<typeof rateShape> & { readonly longPrompts?: LongPrompts }>({
  longPrompts: long,
  ...own
}: Own) {
  return { ...toRates(own), ...(long !== undefined && { longPrompts: long }) };
}

const tierRates = z
  .strictObject({ ...rateFields, longPrompts })
  .transform(toSizes)
  .exactOptional();

/** Whole price lists: a provider may give one tier a discount on input only. */
const tiers = z.strictObject({
  flex: tierRates,
  scale: tierRates,
  priority: tierRates,
  fast: tierRates,
} satisfies Record<ServiceTier, typeof tierRates>);

const rates = z
  .strictObject({ ...rateFields, longPrompts, tiers: tiers.optional() })
  .transform(({ tiers: own, ...standard }) => ({
    ...toSizes(standard),
    ...(own !== undefined && { tiers: own }),
  }));

/** Embeddings have no output, and their inputs are never cached. */
const inputRates = z.strictObject({ input: usdPerMillion }).transform(({ input }) => ({
  inputNanosPerMillion: input,
  cachedInputNanosPerMillion: input,
  cacheWriteNanosPerMillion: input,
  outputNanosPerMillion: 0n,
}));

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
    ...service,
    routes: routesFor(provider, inputRates),
    prices: inputRates,
    cost: inputRates.optional(),
  });
  return z.preprocess(
    nameOperation,
    z.discriminatedUnion("operation", [chat, embeddings], {
      error: ({ code }) =>
        code === "invalid_union" ? 'must be "chat" or "embeddings"' : undefined,
    }),
  );
}

/** A model that does not say what it is for is a chat model. */
function nameOperation(entry: unknown): unknown {
  const isNamed = typeof entry !== "object" || entry === null || "operation" in entry;
  return isNamed ? entry : { ...entry, operation: "chat" };
}

export type ModelText = z.infer<ReturnType<typeof modelSchemaFor>>;
