// Which sizes and qualities of images a model has, as its prices and bounds name them: what a page may offer to choose from.
import type { ModelOf } from "../model.ts";
import { formOf } from "./price-variants.ts";

export type OfferedForms = {
  /** In pixels. */
  readonly sizes: readonly string[];
  /** Empty if a model has only one. */
  readonly qualities: readonly string[];
};

/** Usual ones of each tier. */
const sizesOfTier: Readonly<Record<string, readonly string[]>> = {
  "512": ["512x512"],
  "1K": ["1024x1024", "1536x1024", "1024x1536"],
  "2K": ["2048x2048"],
  "4K": ["3840x2160", "2160x3840"],
};
const tiersOfAnySize = ["1K", "2K", "4K"] as const;

export function offeredForms({
  price,
  outputTokens = {},
}: Pick<ModelOf<"image">, "price" | "outputTokens">): OfferedForms {
  const priced = (price.units ?? []).flatMap(({ unit, variant }) =>
    unit === "images" && variant !== undefined ? [variant] : [],
  );
  const forms = [...priced, ...Object.keys(outputTokens)].map(formOf);
  const sized = forms.flatMap(({ size }) => size ?? []);
  // What has a price or a bound without a size is made in any.
  const isSized = sized.length > 0 && sized.length === forms.length;
  const named = isSized ? sized : [...tiersOfAnySize, ...sized];
  const sizes = named.flatMap((size) => sizesOfTier[size] ?? size);
  const qualities = forms.flatMap(({ quality }) =>
    quality === undefined || quality === anyQuality ? [] : [quality],
  );
  return {
    sizes: [...new Set(sizes)],
    qualities: [...new Set(qualities)],
  };
}

/** An entry for images of every quality. */
const anyQuality = "any";
