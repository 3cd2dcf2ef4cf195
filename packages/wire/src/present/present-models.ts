// The catalog as `/v1/models` shows it: OpenAI's model object with OpenRouter's additions.
// Prices are exact decimal strings in USD per token, never floats.
import {
  type BySize,
  formatFemtos,
  formatUsd,
  type Operation,
  operationTable,
  type PriceList,
  type Rates,
  statedUnitPrice,
  toNanos,
  type UnitRate,
  units,
} from "@turnpike/terms";

/** A catalog model has this shape. Prices are nano-dollars per million tokens. */
export type ModelView = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly created: Date;
  readonly contextTokens: number;
  readonly operation: Operation;
  /** For models that write; absent for embeddings. */
  readonly maxOutputTokens?: number;
  /** How long the vectors of an embeddings model are. */
  readonly dimensions?: number;
  /** `tools`, `vision`, `json_schema`, `reasoning`, `files`, `prediction`, `dimensions`; others are ignored. */
  readonly capabilities: readonly string[];
  readonly price: PriceList;
};

/** With what at least one of its routes takes beside `model`, `stream` and its input. */
export type ListedModel = ModelView & { readonly parameters: readonly string[] };

/** Source: OpenAI's `Model`, OpenRouter's `GET /models`. `created` is in whole seconds. */
export function modelObject(model: ListedModel): Record<string, unknown> {
  const inputs = inputModalities(model);
  const outputs = outputModalities(model);
  return {
    id: model.id,
    object: "model",
    ...mistralsMembers(model),
    created: Math.floor(model.created.getTime() / 1000),
    owned_by: model.id.split("/")[0],
    canonical_slug: model.id,
    name: model.name,
    description: model.description,
    context_length: model.contextTokens,
    architecture: {
      modality: `${inputs.join("+")}->${outputs.join("+")}`,
      input_modalities: inputs,
      output_modalities: outputs,
      tokenizer: "Other",
      instruct_type: null,
    },
    ...presentPrice(model.price),
    top_provider: {
      context_length: model.contextTokens,
      max_completion_tokens: model.maxOutputTokens ?? null,
      is_moderated: false,
    },
    per_request_limits: null,
    default_parameters: null,
    supported_voices: null,
    links: { details: `/v1/models/${model.id}/endpoints` },
    supported_parameters: model.parameters,
    ...(model.dimensions !== undefined && { dimensions: model.dimensions }),
  };
}

/** Source: `BaseModelCard` of Mistral's API, whose SDK knows no model without a type and its capabilities. */
function mistralsMembers({ operation, capabilities, contextTokens }: ModelView) {
  return {
    type: "base",
    capabilities: {
      completion_chat: operation === "chat",
      completion_fim: false,
      function_calling: capabilities.includes("tools"),
      reasoning: capabilities.includes("reasoning"),
      vision: capabilities.includes("vision"),
      fine_tuning: false,
    },
    max_context_length: contextTokens,
  };
}

export function modelList(models: Iterable<ListedModel>): Record<string, unknown> {
  const data = Array.from(models, modelObject);
  // OpenRouter's list has pages; this is the only one.
  return { object: "list", data, total_count: data.length, links: { next: null } };
}

/**
 * `service_tiers` and `long_prompts` are ours: the same members as `pricing`, for each tier with its own rates
 * and for prompts above a number of tokens.
 */
export function presentPrice(price: PriceList): Record<string, unknown> {
  const tiers = Object.entries(price.tiers ?? {});
  const shown = {
    pricing: presentPricing(price),
    ...(price.units !== undefined && { unit_prices: price.units.map(presentUnitRate) }),
    ...presentLongPrompts(price),
  };
  if (tiers.length === 0) return shown;
  const own = tiers.map(([tier, rates]) => [
    tier,
    { ...presentPricing(rates), ...presentLongPrompts(rates) },
  ]);
  return { ...shown, service_tiers: Object.fromEntries(own) };
}

/** Ours: what is billed by other units, in USD per image, minute of audio and so on. */
function presentUnitRate(rate: UnitRate): Record<string, string> {
  const { unit, variant } = rate;
  return {
    unit,
    ...(variant !== undefined && { variant }),
    per: units[unit].per,
    usd: formatUsd(toNanos(statedUnitPrice(rate))),
  };
}

function presentLongPrompts({ longPrompts }: BySize<Rates>): Record<string, unknown> {
  if (longPrompts === undefined) return {};
  const shown = longPrompts.map((rates) => ({
    above_tokens: rates.aboveTokens,
    ...presentPricing(rates),
  }));
  return { long_prompts: shown };
}

/** In USD per token, by OpenRouter's names: a nano-dollar per million tokens is a femto-dollar per token. */
function presentPricing(price: Rates): Record<string, string> {
  const { cacheWrite1hNanosPerMillion: longWrite, webSearchNanosPerMillion: search = 0n } = price;
  const { audioInputNanosPerMillion: audioIn, audioOutputNanosPerMillion: audioOut } = price;
  const { imageOutputNanosPerMillion: imageOut } = price;
  return {
    prompt: formatFemtos(price.inputNanosPerMillion),
    completion: formatFemtos(price.outputNanosPerMillion),
    // Reasoning is in the tokens, and so are images where they have no price of their own.
    request: "0",
    image: formatFemtos(price.imageInputNanosPerMillion ?? 0n),
    web_search: formatFemtos(search),
    internal_reasoning: "0",
    input_cache_read: formatFemtos(price.cachedInputNanosPerMillion),
    input_cache_write: formatFemtos(price.cacheWriteNanosPerMillion),
    ...(longWrite !== undefined && { input_cache_write_1h: formatFemtos(longWrite) }),
    ...(audioIn !== undefined && { audio: formatFemtos(audioIn) }),
    ...(audioOut !== undefined && { audio_output: formatFemtos(audioOut) }),
    ...(imageOut !== undefined && { image_output: formatFemtos(imageOut) }),
  };
}

const modalityOf = { vision: "image", files: "file" } as const;

/** Audio is accepted if it has a price. */
export function inputModalities({ operation, capabilities, price }: ModelView): string[] {
  const extra = Object.entries(modalityOf).filter(([capability]) =>
    capabilities.includes(capability),
  );
  const { inputs } = operationTable[operation];
  const audioIn = price.audioInputNanosPerMillion === undefined ? [] : ["audio"];
  return [...new Set([...inputs, ...extra.map(([, modality]) => modality), ...audioIn])];
}

export function outputModalities({ operation, price }: ModelView): string[] {
  const { outputs } = operationTable[operation];
  if (operation !== "chat") return [...outputs];
  const images = price.imageOutputNanosPerMillion === undefined ? [] : ["image"];
  const audio = price.audioOutputNanosPerMillion === undefined ? [] : ["audio"];
  return [...outputs, ...images, ...audio];
}
