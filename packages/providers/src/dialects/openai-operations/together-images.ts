// Images as Together makes them under `/images/generations`: sizes are two numbers, and there is one image to edit at most.
import type { Fault } from "@turnpike/base";
import { type ImageRequest, writeJsonUpload } from "@turnpike/wire";
import { untranslatable } from "../../untranslatable.ts";
import { forRecords } from "../audio-services.ts";
import type { ImagesForm } from "./images-form.ts";
import { addressOf } from "./openrouter-images.ts";
import { operationRequest } from "./operation-answer.ts";

/** Source: `TogetherAIImageModel` of Vercel's AI SDK, and Together's API reference. */
export const togetherImages: ImagesForm = {
  lost: new Set([
    "resolution",
    "aspect_ratio",
    "quality",
    "output_compression",
    "background",
    "mask",
    "moderation",
    "style",
    "input_fidelity",
    ...forRecords,
  ]),
  buildRequest(call) {
    const { request, upstreamModel } = call;
    const [, width, height] = /^(\d+)x(\d+)$/.exec(request.size ?? "") ?? [];
    const fields = {
      model: upstreamModel,
      prompt: request.prompt,
      ...(request.imageCount > 1 && { n: request.imageCount }),
      ...(width !== undefined && { width: Number(width), height: Number(height) }),
      seed: request.parsed.seed ?? undefined,
      output_format: request.outputFormat,
      response_format: request.answersInUrls ? "url" : "base64",
    };
    const [reference] = request.references;
    const sent = operationRequest(call, "/images/generations", fields);
    if (reference === undefined) return sent;
    const upload = writeJsonUpload((place) => {
      return { ...fields, image_url: addressOf(reference, place) };
    });
    return { ...sent, body: "", upload };
  },
  whyUntranslatable: findLost,
};

function findLost(request: ImageRequest): Fault | undefined {
  const { size, aspectRatio, quality, outputFormat, references, mask, parsed } = request;
  if (size !== undefined && !size.includes("x")) {
    return untranslatable("size", "Together has no tiers: send it in pixels, as 1024x768");
  }
  if (aspectRatio !== undefined) {
    return untranslatable("aspect_ratio", "send `size` instead, in pixels");
  }
  if (quality !== undefined) return untranslatable("quality", "Together's images have none");
  if (outputFormat === "webp") {
    return untranslatable("output_format", "Together has png and jpeg");
  }
  if ((parsed.output_compression ?? null) !== null) {
    return untranslatable("output_compression", "Together chooses it");
  }
  if (references.length > 1) return untranslatable("image", "Together edits one image at a time");
  return mask === undefined
    ? undefined
    : untranslatable("mask", "Together has none: say in the prompt which part to edit");
}
