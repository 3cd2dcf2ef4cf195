// The routes of a model for images as `GET /v1/images/models/{author}/{slug}/endpoints` shows them: OpenRouter's fields, with a line for
// each price that an image can cost.
import {
  formatFemtos,
  type PriceList,
  type Rates,
  statedUnitPrice,
  toNanos,
  toUsdNumber,
  type UnitRate,
} from "@turnpike/terms";
import type { EndpointView } from "./present-endpoints.ts";

type Line = {
  readonly billable: "output_image" | "input_image" | "input_text";
  readonly unit: "image" | "token";
  readonly cost_usd: number;
  readonly variant?: string;
};

/** Source: OpenRouter's `ImageModelEndpointsResponse`. A route answers a stream also where its provider has none. */
export function imageEndpointsBody(
  { id, maxImages }: { readonly id: string; readonly maxImages: number },
  endpoints: readonly Pick<EndpointView, "provider" | "price" | "parameters">[],
): Record<string, unknown> {
  return {
    id,
    endpoints: endpoints.map(({ provider, price, parameters }) => ({
      provider_name: provider,
      provider_slug: provider,
      provider_tag: provider,
      pricing: linesOf(price),
      supported_parameters: Object.fromEntries(
        parameters.map((name) => [name, descriptorOf(name, maxImages)]),
      ),
      supports_streaming: true,
      allowed_passthrough_parameters: [],
    })),
  };
}

function descriptorOf(name: string, maxImages: number): Record<string, unknown> {
  return name === "n" ? { type: "range", min: 1, max: maxImages } : { type: "boolean" };
}

function linesOf(price: PriceList): readonly Line[] {
  const { inputNanosPerMillion: input, outputNanosPerMillion: output } = price;
  return [
    ...(price.units ?? []).flatMap(lineOfUnit),
    ...lineOfTokens("input_text", input),
    ...lineOfTokens("input_image", imageInputOf(price)),
    ...lineOfTokens("output_image", price.imageOutputNanosPerMillion ?? output),
  ];
}

function imageInputOf({ imageInputNanosPerMillion, inputNanosPerMillion }: Rates): bigint {
  return imageInputNanosPerMillion ?? inputNanosPerMillion;
}

function lineOfUnit(rate: UnitRate): readonly Line[] {
  if (rate.unit !== "images") return [];
  const { variant } = rate;
  const cost_usd = toUsdNumber(toNanos(statedUnitPrice(rate)));
  return [
    {
      billable: "output_image",
      unit: "image",
      cost_usd,
      ...(variant !== undefined && { variant }),
    },
  ];
}

function lineOfTokens(billable: Line["billable"], nanosPerMillion: bigint): readonly Line[] {
  if (nanosPerMillion === 0n) return [];
  return [{ billable, unit: "token", cost_usd: Number(formatFemtos(nanosPerMillion)) }];
}
