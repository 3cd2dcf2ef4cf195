// Images of Gemini, new ones and edited ones, by generateContent: one for each call. A caller is refused by name what
// Gemini has no word for, and gets an image of the form that it turned out to have.
import { Fault, type JsonObject } from "@turnpike/base";
import type { ImageReference, ImageRequest, TokenUsage } from "@turnpike/wire";
import type { Dialect, GoogleProvider, WholeAnswer } from "../../provider.ts";
import { refuse } from "../../refusals/refuse.ts";
import { untranslatable } from "../../untranslatable.ts";
import { acceptUnread } from "../accept-body.ts";
import { forRecords } from "../audio-services.ts";
import { type GeminiPart, generateRequest } from "./generate-request.ts";
import { translateForm } from "./image-form.ts";
import { parseGenerated, parseMediaUsage } from "./parse-generated.ts";

/** Parameters that are refused or left out, whatever their value. */
const lost: ReadonlySet<string> = new Set([
  "n",
  "mask",
  "quality",
  "output_format",
  "output_compression",
  "background",
  "moderation",
  "style",
  "input_fidelity",
  ...forRecords,
]);

export const geminiImagesDialect: Dialect<ImageRequest, GoogleProvider> = {
  language: "gemini-images",
  buildRequest(call) {
    const { prompt, references, parsed } = call.request;
    const { seed } = parsed;
    const form = translateForm(call.request);
    if (form.kind === "fault") throw form.fault;
    const hasForm = Object.keys(form.config).length > 0;
    const sentSeed = typeof seed === "number" && seed < 2 ** 31 ? seed : undefined;
    return generateRequest(call, {
      parts: [{ text: prompt }, ...references.map(partOf)],
      config: {
        responseModalities: ["IMAGE"],
        ...(hasForm && { imageConfig: form.config }),
        ...(sentSeed !== undefined && { seed: sentSeed }),
      },
      carried: { seed: sentSeed },
    });
  },
  losesParameter: (name) => lost.has(name),
  whyUntranslatable: (_target, request) => findLost(request),
  parseWhole(call, text, headers): WholeAnswer {
    const { media, usage, text: said, upstreamId } = parseGenerated(call, text, headers, "prompt");
    const [image] = media;
    if (image === undefined) throw withoutImage(said);
    const units = [{ unit: "images" as const, count: 1 }];
    return {
      kind: "whole",
      upstreamId,
      content: {
        kind: "images",
        images: [{ base64: image.base64 }],
        size: undefined,
        quality: undefined,
        outputFormat: /^image\/(\w+)/.exec(image.mimeType)?.[1],
        background: undefined,
      },
      usage: withUnits(usage, units),
      finish: null,
      deliveredTokens: 0,
      deliveredUnits: units,
    };
  },
  parseUnread: (call, members, headers) => acceptUnread(members, call, headers, parseImagesUsage),
  refuse,
};

function parseImagesUsage({ usageMetadata }: JsonObject): TokenUsage | undefined {
  return withUnits(parseMediaUsage(usageMetadata), [{ unit: "images", count: 1 }]);
}

/** What is no thought is an image, if the answer does not say how much of it is. */
function withUnits(usage: TokenUsage | undefined, units: TokenUsage["units"]) {
  if (usage === undefined) return undefined;
  const { completionTokens, reasoningTokens } = usage;
  const { imageCompletionTokens = completionTokens - reasoningTokens } = usage;
  return { ...usage, imageCompletionTokens, ...(units !== undefined && { units }) };
}

/** Models that understand a prompt as a question answer in words. */
function withoutImage(said: string): Fault {
  const sentence = "The upstream provider answered without an image.";
  return new Fault(
    "bad_gateway",
    sentence,
    said === "" ? {} : { upstreamText: said.slice(0, 500) },
  );
}

function findLost(request: ImageRequest): Fault | undefined {
  const { imageCount, mask, quality, outputFormat, references, parsed } = request;
  if (imageCount > 1) return untranslatable("n", "Gemini makes one image at a time");
  if (mask !== undefined) {
    return untranslatable("mask", "Gemini edits a whole image: say in the prompt which part");
  }
  if (quality !== undefined) {
    return untranslatable("quality", "Gemini's images differ in their size alone");
  }
  if (outputFormat !== undefined && outputFormat !== "png") {
    return untranslatable("output_format", "Gemini chooses the format of its images");
  }
  if ((parsed.output_compression ?? null) !== null) {
    return untranslatable("output_compression", "Gemini chooses the format of its images");
  }
  if (references.some((one) => "url" in one && dataOf(one.url) === undefined)) {
    const advice = "addresses are not fetched: send the image itself, as a file or a data URL";
    return untranslatable("image", advice);
  }
  const form = translateForm(request);
  return form.kind === "fault" ? form.fault : undefined;
}

function partOf(reference: ImageReference): GeminiPart {
  if ("file" in reference) {
    return { mimeType: reference.file.mediaType, data: reference.file.bytes };
  }
  const data = dataOf(reference.url);
  if (data === undefined) throw new Error("an address was not refused");
  return data;
}

/** Undefined for anything but a data URL in base64. */
function dataOf(url: string): { mimeType: string; data: string } | undefined {
  const [, mimeType, data] = /^data:([\w.+-]+\/[\w.+-]+)[^,]{0,100};base64,(.*)$/is.exec(url) ?? [];
  return mimeType === undefined || data === undefined ? undefined : { mimeType, data };
}
