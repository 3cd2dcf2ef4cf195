// What can be chosen for images of a model, and the request that is meant by it.
import type { Model } from "../conversation/conversation.ts";
import type { ImageFields } from "./draw-images.ts";

export const auto = "auto";
/** How many previews of an image are asked for. */
const previewCount = 2;

export type Asked = {
  readonly prompt: string;
  readonly size: string;
  readonly quality: string;
  readonly count: string;
  readonly previews: boolean;
};

export type Choices = {
  readonly sizes: readonly string[];
  /** Empty where there is nothing to choose. */
  readonly qualities: readonly string[];
  readonly counts: readonly string[];
  readonly maxInputs: number;
};

export function choicesFor(model: Model | undefined): Choices {
  const media = model?.media;
  if (media?.kind !== "image") return { sizes: [auto], qualities: [], counts: ["1"], maxInputs: 0 };
  const counts = Array.from({ length: Math.max(1, media.maxImages) }, (_, at) => `${at + 1}`);
  return {
    sizes: [...media.sizes, auto],
    qualities: media.qualities.length === 0 ? [] : [auto, ...media.qualities],
    counts,
    maxInputs: media.inputImages,
  };
}

/** What was chosen, as far as the model has it: another one may have been chosen since. */
export function withinChoices(asked: Asked, { sizes, qualities, counts }: Choices): Asked {
  const oneOf = (offered: readonly string[], value: string) =>
    offered.includes(value) ? value : (offered[0] ?? auto);
  return {
    ...asked,
    size: oneOf(sizes, asked.size),
    quality: oneOf(qualities, asked.quality),
    count: oneOf(counts, asked.count),
  };
}

export function fieldsOf(
  model: string,
  { prompt, size, quality, count, previews }: Asked,
): ImageFields {
  return {
    model,
    prompt: prompt.trim(),
    n: Number(count),
    ...(size !== auto && { size }),
    ...(quality !== auto && { quality }),
    ...(previews && { stream: true, partial_images: previewCount }),
  };
}
