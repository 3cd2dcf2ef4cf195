// The AI SDK's gateway protocol for images: they are answered in base64, whole.
import { formatGenerationId, isObject, type JsonObject, parseText } from "@turnpike/base";
import { badValue, missing } from "../checks/body-fault.ts";
import { anyObject, isGiven, list } from "../checks/check-value.ts";
import { type ImageRequest, parseImageRequest } from "../images/parse-image-request.ts";
import { aiGatewayLanguage } from "../protocol/languages.ts";
import type { AnswerContent, Bill } from "../protocol/pivot.ts";
import type { Protocol } from "../protocol/protocol.ts";
import { aiGatewayErrors } from "./ai-gateway-errors.ts";
import type { CallNotes } from "./call-notes.ts";
import {
  type CallShape,
  type CallTarget,
  endOfAnswer,
  parseCall,
  type Told,
} from "./operation-call.ts";

const shape: CallShape = {
  renamed: { prompt: "prompt", n: "n", size: "size", aspectRatio: "aspect_ratio", seed: "seed" },
  translate: translateFiles,
  options: {
    "openai.quality": "quality",
    "openai.background": "background",
    "openai.outputFormat": "output_format",
    "openai.outputCompression": "output_compression",
    "openai.inputFidelity": "input_fidelity",
    "openai.moderation": "moderation",
    "openai.style": "style",
    "openai.user": "user",
    "google.imageSize": "resolution",
  },
};

export function imageProtocol(target: CallTarget): Protocol<Told<ImageRequest>> {
  return {
    operation: "image",
    language: aiGatewayLanguage,
    errors: aiGatewayErrors,
    parse: (text) => parseCall(text, target, shape, parseImageRequest),
    addressed: `${target.model}\n${target.specification}`,
    answerId: formatGenerationId,
    writeWhole(content, identity, bill, request) {
      return JSON.stringify({
        images: imagesOf(content),
        ...(bill !== undefined && { usage: imageUsage(bill) }),
        ...endOfAnswer(request, target, identity, bill),
      });
    },
  };
}

const files = list(anyObject, { of: "objects" });

/** The images to edit, and what of the first of them may be changed. */
function translateFiles(
  body: JsonObject,
  request: JsonObject,
  notes: CallNotes,
): readonly string[] {
  if (isGiven(body.files)) {
    files(body.files, "files");
    const given = Array.isArray(body.files) ? body.files : [];
    request.images = given.map((file: unknown, index) => addressOf(file, `files[${index}]`));
    notes.name("images", "files");
  }
  if (isGiven(body.mask)) {
    request.mask = addressOf(body.mask, "mask");
    notes.name("mask", "mask");
  }
  return ["files", "mask"];
}

/** `{ type: "file", mediaType, data }` with base64, or `{ type: "url", url }`. */
function addressOf(file: unknown, path: string): string {
  anyObject(file, path);
  if (!isObject(file)) return "";
  const { type, url, data, mediaType } = file;
  if (type === "url") {
    if (typeof url !== "string") throw missing(`${path}.url`);
    return url;
  }
  if (typeof data !== "string") throw missing(`${path}.data`);
  const stated = parseText(mediaType) ?? "";
  if (!/^image\/[\w.+-]+$/.test(stated)) {
    throw badValue(`${path}.mediaType`, "expected the media type of an image.");
  }
  return `data:${stated};base64,${data}`;
}

/** An address of an image is no answer for the SDK. */
function imagesOf(content: AnswerContent): readonly string[] {
  if (content.kind !== "images") throw new Error("another answer to a request for images");
  return content.images.map(({ base64 = "" }) => base64);
}

function imageUsage({ usage }: Bill): JsonObject {
  const { promptTokens, completionTokens } = usage;
  return {
    inputTokens: promptTokens,
    outputTokens: completionTokens,
    totalTokens: promptTokens + completionTokens,
  };
}
