// What images cost at most, by their number, size and quality: so many tokens each, or a price for each. What the request
// leaves to the model costs what the dearest form does.
import { Fault } from "@turnpike/base";
import { billedUnitRate, type Rates } from "@turnpike/terms";
import { defaultImageOutputTokens, type ModelRequest } from "../model.ts";
import type { BoundUnit } from "./bound-unit.ts";
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

/** The most output tokens of so many images in the answer to a chat; other operations bound theirs by `outputBound`. */
export function answeredImageTokens({ operation, model }: ModelRequest, images: number): number {
  if (operation !== "chat" || images === 0) return 0;
  return images * (model.imageOutputTokens ?? defaultImageOutputTokens);
}

/** The images asked for, in every form that they may turn out to have. */
export function imageUnits({ model, request }: ImageCall): readonly BoundUnit[] {
  const variants = variantsOf(pricedNames(model.price), request);
  return [{ unit: "images", count: request.imageCount, variants }];
}

/**
 * The name of the entry by which images are billed at these rates that turned out to be `found`: the dearest of those that they
 * may be. Undefined where the list has one price for all images, or none.
 */
export function billedVariant(
  { model, request }: ImageCall,
  rates: Pick<Rates, "units">,
  found: ImageForm,
): string | undefined {
  const names = pricedNames(model.price);
  const held = variantsOf(names, request);
  const { size = request.size, quality = request.quality } = found;
  const fitting = variantsOf(names, { size, quality }).filter((name) => held.includes(name));
  const rateOf = (variant: string) => billedUnitRate(rates, { unit: "images", variant });
  let dearest: string | undefined;
  for (const name of fitting.length === 0 ? held : fitting) {
    if (dearest === undefined || rateOf(name) > rateOf(dearest)) dearest = name;
  }
  return dearest;
}

function pricedNames({ units = [] }: Pick<Rates, "units">): readonly string[] {
  return units.flatMap(({ unit, variant }) =>
    unit === "images" && variant !== undefined ? [variant] : [],
  );
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
