// Gemini's words for the form of an image: a ratio of its sides and a tier of its pixels, and no size of its own. A size in
// pixels is the nearest ratio that Gemini has, or is refused.
import type { Fault, JsonObject } from "@turnpike/base";
import type { ImageRequest } from "@turnpike/wire";
import { untranslatable } from "../../untranslatable.ts";

/** Source: `ImageConfig` of Google's API. */
const aspectRatios = [
  "1:1",
  "2:3",
  "3:2",
  "3:4",
  "4:3",
  "4:5",
  "5:4",
  "9:16",
  "16:9",
  "21:9",
] as const;

/** Gemini's own images differ by this much from their ratio: 896x1152 is its 4:5. */
const tolerance = 0.03;
/** The longest side of each tier; what is longer has none. */
const tiers = [
  ["512", 512],
  ["1K", 1_536],
  ["2K", 2_048],
  ["4K", 4_096],
] as const;

type ImageForm = Pick<ImageRequest, "size" | "aspectRatio">;

/** `imageConfig`, or the Fault that names what Gemini has no word for. */
type FormResult =
  | { readonly kind: "config"; readonly config: JsonObject }
  | { readonly kind: "fault"; readonly fault: Fault };

export function translateForm({ size, aspectRatio }: ImageForm): FormResult {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size ?? "") ?? [];
  const isKnown = aspectRatio === undefined || aspectRatios.some((one) => one === aspectRatio);
  if (!isKnown) return refused("aspect_ratio", `Gemini has these: ${aspectRatios.join(", ")}`);
  if (width === undefined || height === undefined) return configOf(aspectRatio, size);
  const [across, down] = [Number(width), Number(height)];
  const ratio = nearestRatio(across / down);
  const tier = tiers.find(([, longest]) => Math.max(across, down) <= longest)?.[0];
  if (ratio === undefined || tier === undefined) {
    const sides = aspectRatios.join(", ");
    return refused("size", `Gemini's images have sides of ${sides}, and at most 4096 pixels`);
  }
  if (aspectRatio === undefined || aspectRatio === ratio) return configOf(ratio, tier);
  return refused("aspect_ratio", `it contradicts the size '${size}'`);
}

function refused(param: string, problem: string): FormResult {
  return { kind: "fault", fault: untranslatable(param, problem) };
}

/** Models with one tier have 1K and refuse to be told, so that it is not said. */
function configOf(aspectRatio: string | undefined, tier: string | undefined): FormResult {
  const imageSize = tier === "1K" ? undefined : tier;
  const config = {
    ...(aspectRatio !== undefined && { aspectRatio }),
    ...(imageSize !== undefined && { imageSize }),
  };
  return { kind: "config", config };
}

function nearestRatio(asked: number): string | undefined {
  return aspectRatios.find((name) => {
    const [across = 1, down = 1] = name.split(":").map(Number);
    return Math.abs(asked / (across / down) - 1) <= tolerance;
  });
}
