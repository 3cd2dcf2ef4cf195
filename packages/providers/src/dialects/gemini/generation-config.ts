// How the answer is to be generated: limits, sampling, format and thinking, under Gemini's names.
import { isObject, type JsonObject } from "@turnpike/base";
import { type ChatRequest, renamedFor } from "@turnpike/wire";
import type { GoogleProvider, UpstreamCall } from "../../provider.ts";
import { stopsToSend } from "../cut-at-stops.ts";
import { copyFields } from "../lost-fields.ts";
import { kindOfFormat, schemaOfFormat } from "../response-format.ts";
import { generationOf, thinkingConfigOf } from "./thinking-config.ts";

export type GeminiCall = UpstreamCall<ChatRequest, GoogleProvider>;

const renamed = renamedFor("gemini");

/** Gemini takes the first five stop sequences. */
export function takesStop(_stop: string, index: number): boolean {
  return index < 5;
}

/** Throws the Fault of a field that cannot be carried. */
export function generationConfigOf(
  body: JsonObject,
  upstreamModel: string,
  maxTokens: number | undefined,
): JsonObject {
  const config = copyFields(body, renamed);
  if (maxTokens !== undefined) config.maxOutputTokens = maxTokens;
  if (typeof body.n === "number" && body.n > 1) config.candidateCount = body.n;
  const stops = stopsToSend(body, takesStop);
  if (stops !== undefined) config.stopSequences = stops;
  const seed = seedOf(body);
  if (seed !== undefined) config.seed = seed;
  if (body.logprobs === true) {
    config.responseLogprobs = true;
    if (typeof body.top_logprobs === "number" && body.top_logprobs > 0) {
      config.logprobs = body.top_logprobs;
    }
  }
  if (!asksInWords(body, upstreamModel)) {
    Object.assign(config, responseFormatOf(body.response_format));
  }
  Object.assign(config, imagesOf(body));
  const thinkingConfig = thinkingConfigOf(body, upstreamModel);
  if (thinkingConfig !== undefined) config.thinkingConfig = thinkingConfig;
  return config;
}

/** Images in the answer, in OpenRouter's words. */
function imagesOf({ modalities, image_config: form }: JsonObject): JsonObject {
  if (!Array.isArray(modalities) || !modalities.includes("image")) return {};
  const { aspect_ratio: aspectRatio, image_size: imageSize } = isObject(form) ? form : {};
  const imageConfig = {
    ...(typeof aspectRatio === "string" && { aspectRatio }),
    ...(typeof imageSize === "string" && { imageSize }),
  };
  return {
    responseModalities: modalities.includes("text") ? ["TEXT", "IMAGE"] : ["IMAGE"],
    ...(Object.keys(imageConfig).length > 0 && { imageConfig }),
  };
}

/** Gemini's is an int32, OpenAI's an int64: undefined for one that does not fit. */
export function seedOf({ seed }: JsonObject): number | undefined {
  const fits = typeof seed === "number" && Math.trunc(seed) === seed && Math.abs(seed) < 2 ** 31;
  return fits ? seed : undefined;
}

/** Models before Gemini 3 refuse a format beside functions, and are asked for JSON in words. */
export function asksInWords(body: JsonObject, upstreamModel: string): boolean {
  const hasTools = Array.isArray(body.tools) && body.tools.length > 0;
  const isBound = !hasTools || generationOf(upstreamModel) === 3;
  return !isBound && kindOfFormat(body.response_format) !== "text";
}

function responseFormatOf(format: unknown): JsonObject {
  if (kindOfFormat(format) === "text") return {};
  const json = { responseMimeType: "application/json" };
  const schema = schemaOfFormat(format);
  return schema === undefined ? json : { ...json, responseJsonSchema: schema };
}
