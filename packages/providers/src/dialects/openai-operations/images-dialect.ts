// Images as OpenAI and compatible services make them under `/images/generations`. An answer is billed by the tokens it
// reports, or by the images in it at the size and quality that they turned out to have.
import { isObject, type JsonObject, parseObject, parseText } from "@turnpike/base";
import {
  filenameWith,
  formEntries,
  type GeneratedImage,
  type ImageReference,
  type ImageRequest,
  imagesLanguage,
  type SentFile,
  type UploadedFile,
  writeMultipart,
} from "@turnpike/wire";
import type {
  Dialect,
  DialectRequest,
  OpenaiProvider,
  Target,
  UpstreamCall,
  WholeAnswer,
} from "../../provider.ts";
import { refuse, unreadable } from "../../refusals/refuse.ts";
import { untranslatable } from "../../untranslatable.ts";
import { acceptBody, acceptUnread } from "../accept-body.ts";
import type { OpenaiQuirks } from "../openai/quirks.ts";
import { countImages, parseImagesUsage } from "./image-counts.ts";
import type { ImagesForm } from "./images-form.ts";
import { ImagesStream } from "./images-stream.ts";
import { openrouterImages } from "./openrouter-images.ts";
import { operationRequest, sameFields } from "./operation-answer.ts";
import { togetherImages } from "./together-images.ts";

type ImagesCall = UpstreamCall<ImageRequest, OpenaiProvider>;

export const imagesDialect: Dialect<ImageRequest, OpenaiProvider> = {
  language: imagesLanguage,
  buildRequest: (call) => formOf(call).buildRequest(call),
  retryAfterRefusal(call, _sent, status, refusal) {
    if (call.provider.quirks.images !== "openai") return undefined;
    const refused = dispensable.find((name) => refusal.includes(`'${name}'`));
    if (status !== 400 || refused === undefined) return undefined;
    const isSent = fieldsOf(call)[refused] !== undefined;
    return isSent ? requestWithout(call, refused) : undefined;
  },
  losesParameter: (name, { provider }) =>
    provider.kind === "openai-compatible" && forms[provider.quirks.images].lost.has(name),
  whyUntranslatable: (target, request) => formOf(target).whyUntranslatable(request),
  openStream: ({ provider, request }, options) =>
    new ImagesStream(provider, request.imageCount, options),
  parseWhole(call, text, headers): WholeAnswer {
    const body = acceptBody(parseObject(text), call, headers);
    const images = parseImages(body);
    const units = [countImages(images.length, body)];
    return {
      kind: "whole",
      upstreamId: parseText(body.id),
      content: {
        kind: "images",
        images,
        size: parseText(body.size),
        quality: parseText(body.quality),
        outputFormat: formatOf(body) ?? call.request.outputFormat,
        background: parseText(body.background),
      },
      usage: parseImagesUsage(body.usage, units),
      finish: null,
      deliveredTokens: 0,
      deliveredUnits: units,
    };
  },
  parseUnread: (call, members, headers) =>
    acceptUnread(members, call, headers, ({ usage }) => parseImagesUsage(usage, undefined)),
  refuse,
};

const openaiImages: ImagesForm = {
  buildRequest: (call) => requestWithout(call, undefined),
  lost: new Set(["aspect_ratio", "style"]),
  whyUntranslatable(request) {
    if (request.aspectRatio !== undefined) {
      return untranslatable("aspect_ratio", "send `size` instead, in pixels");
    }
    const { references, mask } = request;
    const isMixed =
      filesOf(request).length > 0 &&
      [...references, ...(mask ? [mask] : [])].some((one) => "url" in one);
    return isMixed
      ? untranslatable("image", "send all images as files, or all as addresses")
      : undefined;
  },
};

const forms = {
  openai: openaiImages,
  openrouter: openrouterImages,
  together: togetherImages,
} as const satisfies Record<OpenaiQuirks["images"], ImagesForm>;

function formOf({ provider }: Target<OpenaiProvider>): ImagesForm {
  return forms[provider.quirks.images];
}

/** Not every service has them, and what is answered without them is turned into what was asked for. */
const dispensable = ["response_format", "stream"] as const;

/** The request as it is, or without one of its fields. */
function requestWithout(
  call: ImagesCall,
  omitted: (typeof dispensable)[number] | undefined,
): DialectRequest {
  const { references, mask, inputFidelity } = call.request;
  const fields = fieldsOf(call);
  if (omitted !== undefined) fields[omitted] = undefined;
  if (omitted === "stream") fields.partial_images = undefined;
  if (references.length === 0) return operationRequest(call, "/images/generations", fields);
  const request = operationRequest(call, "/images/edits", {
    ...fields,
    input_fidelity: inputFidelity,
    images: references.flatMap(inJson),
    mask: inJson(mask)[0],
  });
  const files = filesOf(call.request);
  if (files.length === 0) return request;
  const entries = formEntries({ ...fields, input_fidelity: inputFidelity });
  return { ...request, body: "", upload: writeMultipart(entries, files) };
}

function fieldsOf({ request, upstreamModel }: ImagesCall): JsonObject {
  return {
    ...sameFields(request),
    model: upstreamModel,
    n: request.imageCount,
    size: request.size,
    ...(request.stream && { stream: true, partial_images: request.partialImages }),
    // Models of GPT refuse the field and always answer in base64.
    ...(!isGptImage(upstreamModel) && {
      response_format: request.answersInUrls ? "url" : "b64_json",
    }),
  };
}

/** None for a file, which only a form can send. */
function inJson(reference: ImageReference | undefined): readonly JsonObject[] {
  return reference !== undefined && "url" in reference ? [{ image_url: reference.url }] : [];
}

/** OpenAI knows one image as `image`, and several as `image[]`. */
function filesOf({ references, mask }: ImageRequest): readonly SentFile[] {
  const files = references.flatMap((one) => ("file" in one ? [one.file] : []));
  const name = files.length === 1 ? "image" : "image[]";
  const masks = mask !== undefined && "file" in mask ? [mask.file] : [];
  return [...files.map((file) => sent(name, file)), ...masks.map((file) => sent("mask", file))];
}

function sent(name: string, { bytes, extension, filename, mediaType }: UploadedFile): SentFile {
  return { name, filename: filenameWith(extension, filename), type: mediaType, bytes };
}

/** OpenAI names it once, OpenRouter as the type of each image. */
function formatOf({ output_format: format, data }: JsonObject): string | undefined {
  const [first]: readonly unknown[] = Array.isArray(data) ? data : [];
  const type = isObject(first) ? parseText(first.media_type) : undefined;
  return parseText(format) ?? /^image\/(\w+)/.exec(type ?? "")?.[1];
}

function isGptImage(model: string): boolean {
  return /(?:^|\/)(?:gpt-image|chatgpt-image)/.test(model);
}

function parseImages({ data }: JsonObject): readonly GeneratedImage[] {
  if (!Array.isArray(data) || data.length === 0) throw unreadable();
  return data.map((entry: unknown): GeneratedImage => {
    if (!isObject(entry)) throw unreadable();
    const [base64, url] = [parseText(entry.b64_json), parseText(entry.url)];
    const revisedPrompt = parseText(entry.revised_prompt);
    const revised = revisedPrompt === undefined ? {} : { revisedPrompt };
    if (base64 !== undefined) return { base64, ...revised };
    if (url !== undefined) return { url, ...revised };
    throw unreadable();
  });
}
