import { expect, test } from "bun:test";
import { Fault, faultCodes } from "@turnpike/base";
import { operations, toNanos, unitNames } from "@turnpike/terms";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import creditsSchema from "../../schema/credits.json";
import generationSchema from "../../schema/generation.json";
import keySchema from "../../schema/key.json";
import modelsSchema from "../../schema/models.json";
import openapi from "../../schema/openapi-subset.json";
import {
  answerForFault,
  creditsBody,
  type GenerationView,
  generationBody,
  keyBody,
  type ModelView,
  modelList,
  modelObject,
  supportedParameters,
  usageBody,
} from "../index.ts";

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats(ajv);
ajv.addFormat("unixtime", true);
ajv.addFormat("float", true);
ajv.addSchema(openapi, "openapi");

function problems(schema: object | string, body: unknown): unknown {
  const validate =
    typeof schema === "string"
      ? ajv.getSchema(`openapi#/components/schemas/${schema}`)
      : ajv.compile(schema);
  if (!validate) throw new Error(`no schema ${JSON.stringify(schema)}`);
  // What a client sees is the text, not our object.
  return validate(JSON.parse(JSON.stringify(body))) ? [] : validate.errors;
}

const usage = {
  promptTokens: 19,
  completionTokens: 10,
  cachedTokens: 3,
  cacheWriteTokens: 2,
  reasoningTokens: 4,
};

const model: ModelView = {
  id: "openai/gpt-4o-mini",
  name: "GPT-4o mini",
  description: "Small.",
  operation: "chat",
  created: new Date("2024-07-18T00:00:00.900Z"),
  contextTokens: 128_000,
  maxOutputTokens: 16_384,
  capabilities: ["tools", "vision", "json_schema"],
  price: {
    inputNanosPerMillion: 150_000_000n,
    cachedInputNanosPerMillion: 75_000_000n,
    cacheWriteNanosPerMillion: 1n,
    outputNanosPerMillion: 600_000_000n,
  },
};

test("every fault is answered in the shape of an OpenAI error", () => {
  for (const code of faultCodes) {
    const { status, body } = answerForFault(new Fault(code, "Sentence."));
    expect(problems("ErrorResponse", body)).toEqual([]);
    expect(status).toBeGreaterThanOrEqual(400);
  }
});

test("models are OpenAI's objects with prices as exact strings in USD per token", () => {
  const listed = { ...model, parameters: supportedParameters(model) };
  expect(problems("Model", modelObject(listed))).toEqual([]);
  expect(problems("ListModelsResponse", modelList([listed, listed]))).toEqual([]);
  expect(modelObject(listed)).toMatchObject({
    created: 1_721_260_800,
    owned_by: "openai",
    architecture: { modality: "text+image->text", input_modalities: ["text", "image"] },
    pricing: {
      prompt: "0.00000015",
      completion: "0.0000006",
      input_cache_read: "0.000000075",
      input_cache_write: "0.000000000000001",
    },
    top_provider: { context_length: 128_000, max_completion_tokens: 16_384 },
  });
  const dear = { ...model.price, inputNanosPerMillion: 1_500_000_000_000_000n };
  expect(modelObject({ ...listed, price: dear })).toMatchObject({ pricing: { prompt: "1.5" } });
  const { supported_parameters: names } = modelObject(listed);
  expect(names).toContain("tool_choice");
  expect(names).toContain("response_format");
  expect(names).not.toContain("reasoning_effort");
});

test("prices of other units are listed beside those of tokens", () => {
  const units = [{ unit: "images", variant: "1K", nanosPerMillion: 40_000_000_000_000n }] as const;
  const image: ModelView = { ...model, operation: "image", price: { ...model.price, units } };
  const listed = modelObject({ ...image, parameters: [] });
  expect(problems({ ...modelsSchema, $ref: "#/$defs/Model" }, listed)).toEqual([]);
  expect(listed.unit_prices).toEqual([
    { unit: "images", variant: "1K", per: "image", usd: "0.04" },
  ]);
});

test("usage is complete, sums up, and its cost is a number", () => {
  const body = usageBody(usage, toNanos(123_456n));
  expect(problems("CompletionUsage", body)).toEqual([]);
  expect(body).toEqual({
    prompt_tokens: 19,
    completion_tokens: 10,
    total_tokens: 29,
    prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 2, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 4,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
    cost: 0.000123456,
    is_byok: false,
  });
});

test("credits show what was added, spent, held and is left", () => {
  const body = creditsBody({
    creditedNanos: toNanos(5_000_000_000n),
    spentNanos: toNanos(1_200_000_001n),
    heldNanos: toNanos(300_000_000n),
  });
  expect(problems(creditsSchema, body)).toEqual([]);
  expect(body).toEqual({
    data: {
      total_credits: 5,
      total_usage: 1.200000001,
      held_usd: "0.3",
      available_usd: "3.499999999",
    },
    balance: "3.799999999",
    total_used: "1.200000001",
  });
});

const period = (spent: bigint, held: bigint, limit: bigint | null) => ({
  spentNanos: toNanos(spent),
  heldNanos: toNanos(held),
  limitNanos: limit === null ? null : toNanos(limit),
});
const key = {
  name: "laptop",
  masked: "sk-tp-9f2a…c41d",
  createdAt: new Date(0),
  expiresAt: null,
  requestsPerMinute: null,
  day: period(1_000_000_000n, 0n, null),
  week: period(2_000_000_000n, 0n, null),
  month: period(3_000_000_000n, 0n, null),
  total: period(4_000_000_000n, 0n, null),
};

test("a key without limits shows none", () => {
  const body = keyBody(key);
  expect(problems(keySchema, body)).toEqual([]);
  expect(body).toMatchObject({
    data: { limit: null, limit_reset: null, limit_remaining: null, limits: [] },
  });
  expect(body).toMatchObject({
    data: { usage: 4, usage_daily: 1, usage_weekly: 2, usage_monthly: 3, expires_at: null },
  });
});

test("the limit with least left is the key's; what is only held is not spent", () => {
  const body = keyBody({
    ...key,
    expiresAt: new Date(0),
    week: period(2_000_000_000n, 900_000_000n, 3_000_000_000n),
    total: period(4_000_000_000n, 900_000_000n, 5_500_000_000n),
  });
  expect(problems(keySchema, body)).toEqual([]);
  expect(body).toMatchObject({
    data: {
      expires_at: "1970-01-01T00:00:00.000Z",
      limit: 3,
      limit_reset: "weekly",
      limit_remaining: 1,
      limits: [
        { reset: "weekly", limit_usd: "3", remaining_usd: "1" },
        { reset: null, limit_usd: "5.5", remaining_usd: "1.5" },
      ],
    },
  });
});

const generation: GenerationView = {
  serviceTier: null,
  ignored: [],
  cachedFrom: null,
  id: `gen-${"0".repeat(32)}`,
  chatId: `chatcmpl-${"0".repeat(32)}`,
  requestId: "req_1",
  model: "openai/gpt-4o-mini",
  provider: "openai",
  upstreamId: "chatcmpl-up",
  createdAt: new Date(0),
  origin: "api",
  operation: "chat",
  userAgent: "curl",
  app: "an app",
  endUser: "user-7",
  state: "settled",
  outcome: "completed",
  errorCode: null,
  streamed: true,
  cancelled: false,
  finishReason: "stop",
  nativeFinishReason: "eos",
  usage,
  usageSource: "upstream",
  chargedNanos: toNanos(123_456n),
  heldNanos: toNanos(999_999n),
  priceId: "p",
  markupBasisPoints: null,
  firstByteMs: 100,
  overheadMs: 1.5,
  totalMs: 350,
  attempts: [
    { provider: "openai", model: "gpt-4o-mini", status: 200, firstByteMs: 100, error: null },
  ],
};

test("a generation shows tokens, cost, price version, times and attempts", () => {
  const body = generationBody(generation);
  expect(problems(generationSchema, body)).toEqual([]);
  expect(body).toMatchObject({
    data: {
      total_cost: 0.000123456,
      user_agent: "curl",
      app: "an app",
      external_user: "user-7",
      cost_usd: "0.000123456",
      tokens_prompt: 19,
      native_tokens_cached: 3,
      price_version: "p",
      price_markup_percent: null,
      latency: 350,
      generation_time: 250,
      provider_responses: [{ provider_name: "openai", status: 200, latency: 100 }],
    },
  });
});

test("a generation that reached no upstream has the same shape", () => {
  const failed = { provider: "openai", model: "m", status: 0, firstByteMs: null, error: "refused" };
  const body = generationBody({
    ...generation,
    state: "released",
    provider: "",
    upstreamId: null,
    userAgent: null,
    app: null,
    endUser: null,
    finishReason: null,
    nativeFinishReason: null,
    priceId: null,
    firstByteMs: null,
    overheadMs: null,
    totalMs: null,
    attempts: [failed],
  });
  expect(problems(generationSchema, body)).toEqual([]);
  expect(body).toMatchObject({
    data: { provider_name: null, generation_time: null, provider_responses: [{ status: null }] },
  });
});

test("a generation shows images and other units that were billed", () => {
  const units = [{ unit: "images", variant: "1K", count: 3 }] as const;
  const billed = { ...usage, imagePromptTokens: 5, imageCompletionTokens: 9, units };
  const body = generationBody({ ...generation, operation: "image", usage: billed });
  expect(body).toMatchObject({
    data: { native_tokens_image_prompt: 5, native_tokens_completion_images: 9, units },
  });
});

test.each(operations)("a generation of %s has the shape that is documented", (operation) => {
  const units = unitNames.map((unit) => ({ unit, count: 3 }));
  const body = generationBody({ ...generation, operation, usage: { ...usage, units } });
  expect(problems(generationSchema, body)).toEqual([]);
});
