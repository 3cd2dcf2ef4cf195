// Reads a request for images in JSON: OpenAI's generations and edits, and OpenRouter's `/v1/images`, which is both. Sizes
// and qualities are only checked for their form here: a model says which of them it has, by their prices.
import { isObject } from "@turnpike/base";
import { badValue, missing, tooMany, unknownFile } from "../checks/body-fault.ts";
import { anyText, isGiven } from "../checks/check-value.ts";
import { imageFields } from "../fields/operations/image-fields.ts";
import { type OperationRequest, parseOperationBody } from "../operations/operation-request.ts";
import { imagesLanguage } from "../protocol/languages.ts";
import type { UploadedFile } from "../protocol/uploaded-form.ts";

/** An image that a request shows: an address, a data URL, or a file that was sent with it. */
export type ImageReference = { readonly url: string } | { readonly file: UploadedFile };

export type ImageRequest = OperationRequest<"image"> & {
  readonly prompt: string;
  readonly imageCount: number;
  /** `1024x1024`, or a tier such as `2K`; undefined leaves it to the model, as `auto` does. */
  readonly size: string | undefined;
  readonly quality: string | undefined;
  readonly aspectRatio: string | undefined;
  readonly outputFormat: string | undefined;
  readonly inputFidelity: string | undefined;
  /** Whether the caller is answered with addresses instead of the images themselves. */
  readonly answersInUrls: boolean;
  /** How many previews of each image a stream sends at most. */
  readonly partialImages: number;
  /** The images to edit; none for a new one. */
  readonly references: readonly ImageReference[];
  readonly mask: ImageReference | undefined;
};

export const referencesMax = 16;

/** Throws the Fault that names the invalid field. */
export function parseImageRequest(raw: string): ImageRequest {
  const common = parseOperationBody(raw, imageFields);
  const { parsed } = common;
  const { prompt, n, stream, partial_images: previews } = parsed;
  if (typeof prompt !== "string") throw missing("prompt");
  return {
    ...common,
    operation: "image",
    language: imagesLanguage,
    stream: stream === true,
    promptStart: () => prompt,
    inputCount: 1,
    textBytes: Buffer.byteLength(prompt),
    texts: [prompt],
    tokenCounts: [],
    prompt,
    imageCount: typeof n === "number" ? n : 1,
    size: sizeOf(parsed.size, parsed.resolution),
    quality: textUnlessAuto(parsed.quality),
    aspectRatio: textUnlessAuto(parsed.aspect_ratio),
    outputFormat: textUnlessAuto(parsed.output_format),
    inputFidelity: textUnlessAuto(parsed.input_fidelity),
    answersInUrls: parsed.response_format === "url",
    partialImages: stream === true && typeof previews === "number" ? previews : 0,
    references: parseReferences(parsed),
    mask: isGiven(parsed.mask) ? parseReference(parsed.mask, "mask") : undefined,
  };
}

function sizeOf(size: unknown, resolution: unknown): string | undefined {
  const asked = textUnlessAuto(size);
  const tier = textUnlessAuto(resolution);
  if (asked !== undefined && tier !== undefined && asked !== tier) {
    throw badValue("resolution", `it contradicts the size '${asked}'. Send one of the two.`);
  }
  return asked ?? tier;
}

function textUnlessAuto(value: unknown): string | undefined {
  return typeof value === "string" && value !== "auto" && value !== "" ? value : undefined;
}

const referenceLists = ["images", "input_references", "image"] as const;

/** OpenAI's `images`, OpenRouter's `input_references`, and `image` of clients that send one or several. */
function parseReferences(parsed: Readonly<Record<string, unknown>>): readonly ImageReference[] {
  const references = referenceLists.flatMap((name) => {
    const value = parsed[name] ?? [];
    if (!Array.isArray(value)) return [parseReference(value, name)];
    return value.map((entry: unknown, index) => parseReference(entry, `${name}[${index}]`));
  });
  if (references.length > referencesMax) {
    throw tooMany("images", referencesMax, references.length);
  }
  return references;
}

/** A text, `{ image_url }`, or `{ image_url: { url } }`. */
function parseReference(entry: unknown, path: string): ImageReference {
  const own = isObject(entry) ? entry.image_url : entry;
  const url = isObject(own) ? own.url : own;
  if (isObject(entry) && isGiven(entry.file_id)) {
    throw unknownFile(`${path}.file_id`);
  }
  anyText(url, path);
  if (typeof url !== "string" || !/^(?:https:\/\/|data:image\/)/i.test(url)) {
    throw badValue(path, "expected an https address or a data URL of an image.");
  }
  return { url };
}

/** The request, if it says what to edit. */
export function assertEdits(request: ImageRequest): ImageRequest {
  if (request.references.length === 0) throw missing("image");
  return request;
}
