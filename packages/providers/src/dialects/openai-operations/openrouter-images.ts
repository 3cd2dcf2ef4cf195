// Images as OpenRouter makes them under `/images`, new ones and edited ones alike: images to edit are references, and files among
// them data URLs.

import type { JsonObject } from "@turnpike/base";
import {
  type FileBytes,
  type ImageReference,
  type ImageRequest,
  writeJsonUpload,
} from "@turnpike/wire";
import type { OpenaiProvider, UpstreamCall } from "../../provider.ts";
import { untranslatable } from "../../untranslatable.ts";
import { forRecords } from "../audio-services.ts";
import type { ImagesForm } from "./images-form.ts";
import { operationRequest, sameFields } from "./operation-answer.ts";

/** Source: `ImageGenerationRequest` in OpenRouter's openapi.yaml. */
export const openrouterImages: ImagesForm = {
  buildRequest(call) {
    const fields = fieldsOf(call);
    const { references } = call.request;
    const request = operationRequest(call, "/images", fields);
    if (references.length === 0) return request;
    const upload = writeJsonUpload((place) => ({
      ...fields,
      input_references: references.map((reference) => ({
        type: "image_url",
        image_url: { url: addressOf(reference, place) },
      })),
    }));
    return { ...request, body: "", upload };
  },
  lost: new Set(["mask", "moderation", "style", "input_fidelity", ...forRecords]),
  whyUntranslatable: ({ mask }) =>
    mask === undefined
      ? undefined
      : untranslatable("mask", "OpenRouter has none: say in the prompt which part to edit"),
};

function fieldsOf({
  request,
  upstreamModel,
}: UpstreamCall<ImageRequest, OpenaiProvider>): JsonObject {
  const { output_compression, background, seed } = sameFields(request);
  return {
    model: upstreamModel,
    prompt: request.prompt,
    n: request.imageCount,
    size: request.size,
    aspect_ratio: request.aspectRatio,
    quality: request.quality,
    output_format: request.outputFormat,
    output_compression,
    background,
    seed,
    ...(request.stream && { stream: true }),
  };
}

/** Of an image to edit: its own, or a data URL whose base64 is written while it is sent. */
export function addressOf(reference: ImageReference, place: (file: FileBytes) => string): string {
  if ("url" in reference) return reference.url;
  const { mediaType, bytes } = reference.file;
  return `data:${mediaType};base64,${place(bytes)}`;
}
