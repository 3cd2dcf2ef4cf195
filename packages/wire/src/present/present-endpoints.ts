// The routes of a model as `GET /v1/models/{id}/endpoints` shows them, and the providers of all routes as
// `GET /v1/providers` does: OpenRouter's fields, with null for what is not known here, and our own for data policy
// and measurements.
import type { PriceList } from "@turnpike/terms";
import { type ListedModel, modelObject, presentPrice } from "./present-models.ts";

/** One route, in the order it is tried. */
export type EndpointView = {
  readonly provider: string;
  readonly price: PriceList;
  /** What it takes beside `model`, `stream` and its input. */
  readonly parameters: readonly string[];
  readonly dataCollection: "allow" | "deny" | undefined;
  readonly zdr: boolean | undefined;
  /** False while its breaker is open. */
  readonly works: boolean;
  readonly firstByteMs: number | undefined;
  readonly tokensPerSecond: number | undefined;
};

/** Source: OpenRouter's `GET /models/{author}/{slug}/endpoints`. A `status` below 0 is a route that fails. */
export function endpointsBody(
  model: ListedModel,
  endpoints: readonly EndpointView[],
): Record<string, unknown> {
  const { id, name, created, description, architecture } = modelObject(model);
  return {
    data: {
      id,
      name,
      created,
      description,
      architecture,
      endpoints: endpoints.map((endpoint) => presentEndpoint(model, endpoint)),
    },
  };
}

/** Source: OpenRouter's `GET /providers`. A `slug` is what `provider.order` and its neighbors take. */
export function providersBody(ids: readonly string[]): Record<string, unknown> {
  const unknown = {
    privacy_policy_url: null,
    terms_of_service_url: null,
    status_page_url: null,
    headquarters: null,
    datacenters: null,
  };
  return { data: ids.map((id) => ({ name: id, slug: id, ...unknown })) };
}

function presentEndpoint(model: ListedModel, endpoint: EndpointView): Record<string, unknown> {
  return {
    name: `${endpoint.provider} | ${model.id}`,
    model_id: model.id,
    model_name: model.name,
    provider_name: endpoint.provider,
    tag: endpoint.provider,
    context_length: model.contextTokens,
    max_completion_tokens: model.maxOutputTokens ?? null,
    max_prompt_tokens: null,
    ...presentPrice(endpoint.price),
    quantization: null,
    supported_parameters: endpoint.parameters,
    status: endpoint.works ? 0 : -1,
    supports_tool_choice: toolChoices(endpoint.parameters),
    supports_implicit_caching: cachesImplicitly(endpoint.price),
    service_tier: null,
    native_tools: {},
    supports_diarization: false,
    uptime_last_5m: null,
    uptime_last_30m: null,
    uptime_last_1d: null,
    latency_last_30m: null,
    throughput_last_30m: null,
    data_collection: endpoint.dataCollection ?? null,
    zdr: endpoint.zdr ?? null,
    first_byte_ms: endpoint.firstByteMs ?? null,
    tokens_per_second: endpoint.tokensPerSecond ?? null,
  };
}

/** Reading what is cached is cheaper, and nothing is charged for caching it. */
function cachesImplicitly(price: PriceList): boolean {
  const { inputNanosPerMillion: input, cachedInputNanosPerMillion: cached } = price;
  return cached < input && price.cacheWriteNanosPerMillion === input;
}

/** What is not taken is refused, so a route takes every choice or none. */
function toolChoices(parameters: readonly string[]): Record<string, boolean> {
  const takes = parameters.includes("tool_choice");
  return { none: takes, auto: takes, required: takes, function: takes };
}
