// What images cost at most, by their number, size and quality: so many tokens each, or a price for each. What the request
// leaves to the model costs what the dearest form does.
import { Fault } from "@turnpike/base";
import { type Rates, type UnitCount, unitRateOf } from "@turnpike/terms";
import type { ModelRequest } from "../model.ts";
import { type ImageForm, variantsOf } from "./price-variants.ts";

type ImageCall = Extract<ModelRequest, { operation: "image" }>;

/** OpenAI counts 100 output tokens for each preview. */
const tokensPerPreview = 100;

/** The most output tokens of one image; 0 for a model that is priced by the piece. */
export function imageOutputTokens({ model, request }: ImageCall): number {
  const { outputTokens } = model;
  if (outputTokens === undefined) return 0;
  const names = variantsOf(Object.keys(outputTokens), request);
  const most = Math.max(0, ...names.map((name) => outputTokens[name] ?? 0));
  return most + request.partialImages * tokensPerPreview;
}

/** The images asked for, at the dearest price that they may turn out to have. */
export function imageUnits({ model, request }: ImageCall): readonly UnitCount[] {
  const variant = dearestVariant(model.price, request);
  return [{ unit: "images", count: request.imageCount, ...(variant !== undefined && { variant }) }];
}

/** Undefined where the list has one price for all images, or none. */
export function dearestVariant(rates: Pick<Rates, "units">, form: ImageForm): string | undefined {
  const ofImages = (rates.units ?? []).filter(({ unit }) => unit === "images");
  const names = ofImages.flatMap(({ variant }) => (variant === undefined ? [] : [variant]));
  let dearest: { readonly name: string; readonly nanos: bigint } | undefined;
  for (const name of variantsOf(names, form)) {
    const nanos = unitRateOf(ofImages, { unit: "images", variant: name }) ?? 0n;
    if (dearest === undefined || nanos > dearest.nanos) dearest = { name, nanos };
  }
  return dearest?.name;
}

/** The one of two that costs less; the other one if one is unknown. */
export function cheaperVariant(
  { units = [] }: Pick<Rates, "units">,
  held: string | undefined,
  found: string | undefined,
): string | undefined {
  if (held === undefined || found === undefined) return held;
  const rateOf = (variant: string) => unitRateOf(units, { unit: "images", variant }) ?? 0n;
  return rateOf(found) < rateOf(held) ? found : held;
}

/**
 * The Fault for a size or quality that a model has no price for; undefined if it has one, or bills tokens that its entry
 * in the catalog bounds.
 */
export function whyUnpricedImage({ model, request }: ImageCall, rates: Rates): Fault | undefined {
  const priced = (rates.units ?? []).flatMap(({ unit, variant }) =>
    unit === "images" ? [variant] : [],
  );
  if (priced.includes(undefined)) return undefined;
  const names = [
    ...priced.flatMap((variant) => variant ?? []),
    ...Object.keys(model.outputTokens ?? {}),
  ];
  if (names.length === 0 || variantsOf(names, request).length > 0) return undefined;
  const { size, quality } = request;
  const sizeAlone = variantsOf(names, { size });
  const param = sizeAlone.length === 0 ? "size" : "quality";
  const value = param === "size" ? size : quality;
  return new Fault(
    "unsupported_value",
    `The model \`${model.id}\` has no images of ${param} '${value ?? ""}'. It has these: ${names.join(", ")}.`,
    { param },
  );
}
