// Reads a request for images in JSON: OpenAI's generations and edits, and OpenRouter's `/v1/images`, which is both. Sizes
// and qualities are only checked for their form here: a model says which of them it has, by their prices.
import { isObject } from "@turnpike/base";
import { badValue, missing, tooMany, unsupported, wrongType } from "../checks/body-fault.ts";
import { anyText, boolean, integer, isGiven, oneOf, rule, text } from "../checks/check-value.ts";
import {
  type OperationRequest,
  parseOperationBody,
  withCommonFields,
} from "../operations/operation-request.ts";
import { imagesLanguage } from "../protocol/languages.ts";
import type { FormProtocol, UploadedFile } from "../protocol/protocol.ts";

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
  readonly outputCompression: number | undefined;
  readonly background: string | undefined;
  readonly moderation: string | undefined;
  readonly inputFidelity: string | undefined;
  readonly seed: number | undefined;
  readonly user: string | undefined;
  /** Whether the caller is answered with addresses instead of the images themselves. */
  readonly answersInUrls: boolean;
  /** How many previews of each image a stream sends at most. */
  readonly partialImages: number;
  /** The images to edit; none for a new one. */
  readonly references: readonly ImageReference[];
  readonly mask: ImageReference | undefined;
};

const imagesMax = 10;
const referencesMax = 16;
const promptCharsMax = 32_000;

const tiers = ["512", "1K", "2K", "4K"] as const;
const sizePattern = /^(?:auto|[1-9]\d{1,4}x[1-9]\d{1,4}|512|[124]K)$/;

const anyList = rule({}, (value, path) => {
  if (!Array.isArray(value)) throw wrongType(path, "an array", value);
});

/** What costs more in ways that no price list has. */
const unpriced = rule({}, (_value, path) => {
  throw unsupported(path, "There is no price for what it changes.");
});

export const imageFields = withCommonFields({
  prompt: { check: text({ nonEmpty: true, maxLength: promptCharsMax }) },
  n: { check: integer(1, imagesMax) },
  size: { check: text({ pattern: sizePattern }) },
  resolution: { check: oneOf(tiers) },
  aspect_ratio: { check: text({ pattern: /^(?:auto|\d{1,2}:\d{1,2})$/ }) },
  quality: { check: text({ nonEmpty: true, maxLength: 32 }) },
  output_format: { check: oneOf(["png", "jpeg", "webp"]) },
  output_compression: { check: integer(0, 100) },
  background: { check: oneOf(["auto", "transparent", "opaque"]), isPreference: true },
  moderation: { check: oneOf(["auto", "low"]), isPreference: true },
  response_format: { check: oneOf(["url", "b64_json"]) },
  style: { check: oneOf(["vivid", "natural"]), isPreference: true },
  seed: { check: integer(0, 2 ** 32 - 1), isPreference: true },
  stream: { check: boolean },
  partial_images: { check: integer(0, 3) },
  images: { check: anyList },
  image: { check: rule({}, () => undefined) },
  input_references: { check: anyList },
  mask: { check: rule({}, () => undefined) },
  input_fidelity: { check: oneOf(["high", "low"]), isPreference: true },
  frame_count: { check: unpriced },
  frame_duration_ms: { check: unpriced },
  svg: { check: unpriced },
  complexity: { check: unpriced },
  markup: { check: unpriced },
});

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
    outputCompression: numberOf(parsed.output_compression),
    background: textUnlessAuto(parsed.background),
    moderation: textUnlessAuto(parsed.moderation),
    inputFidelity: textUnlessAuto(parsed.input_fidelity),
    seed: numberOf(parsed.seed),
    user: textUnlessAuto(parsed.user),
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

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
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
    throw unsupported(`${path}.file_id`, "Files are not stored here. Send the image itself.");
  }
  anyText(url, path);
  if (typeof url !== "string" || !/^(?:https:\/\/|data:image\/)/i.test(url)) {
    throw badValue(path, "expected an https address or a data URL of an image.");
  }
  return { url };
}

const mebibyte = 1024 * 1024;

/** Source: OpenAI's `CreateImageEditRequest`. */
export const imageForm: FormProtocol<ImageRequest> = {
  bounds: {
    maxBytes: 100 * mebibyte,
    files: {
      image: { maxBytes: 50 * mebibyte, maxCount: referencesMax },
      mask: { maxBytes: 4 * mebibyte },
    },
    shapes: {
      n: "number",
      output_compression: "number",
      partial_images: "number",
      seed: "number",
      stream: "boolean",
    },
  },
  media: { image: "image", mask: "image" },
  parse(form, text) {
    const request = parseImageRequest(JSON.stringify(form.fields));
    const images = form.files.filter(({ field }) => field === "image");
    const mask = form.files.find(({ field }) => field === "mask");
    return assertEdits({
      ...request,
      raw: text,
      references: [...request.references, ...images.map((file) => ({ file }))],
      mask: mask === undefined ? request.mask : { file: mask },
    });
  },
};

/** The request, if it says what to edit. */
export function assertEdits(request: ImageRequest): ImageRequest {
  if (request.references.length === 0) throw missing("image");
  return request;
}
