// A parameter of an image, of speech or of a transcript is listed for a route exactly where a request that makes use of it is
// neither refused nor sent without it: each is held against real requests.
import { expect, test } from "bun:test";
import { operationFields, type ParsedRequest } from "@turnpike/wire";
import { dialectOf } from "./dialects/dialect-of.ts";
import { geminiCall } from "./dialects/gemini/sample-response.fixture.ts";
import {
  imageCall,
  speechCall,
  transcriptionCall,
} from "./dialects/gemini-operations/sample-operations.fixture.ts";
import { defaultQuirks, type OpenaiQuirks } from "./dialects/openai/quirks.ts";
import type { Provider } from "./provider.ts";
import { takesParameter } from "./why-untranslatable.ts";

const png = "data:image/png;base64,AAAA";

/** By its name, requests that make use of a parameter; one that is sent is enough. */
const imageUses: Readonly<Record<string, readonly object[]>> = {
  n: [{ n: 2 }],
  size: [{ size: "1024x1024" }],
  resolution: [{ resolution: "2K" }],
  aspect_ratio: [{ aspect_ratio: "3:2" }],
  quality: [{ quality: "high" }],
  output_format: [{ output_format: "jpeg" }, { output_format: "webp" }],
  output_compression: [{ output_compression: 50 }],
  background: [{ background: "opaque" }],
  moderation: [{ moderation: "low" }],
  style: [{ style: "vivid" }],
  seed: [{ seed: 7 }],
  image: [{ image: png }],
  mask: [{ image: png, mask: png }],
  input_fidelity: [{ image: png, input_fidelity: "high" }],
  user: [{ user: "u" }],
  safety_identifier: [{ safety_identifier: "s" }],
};
const speechUses: Readonly<Record<string, readonly object[]>> = {
  voice: [{ voice: "Kore" }],
  instructions: [{ instructions: "Whisper" }],
  response_format: [{ response_format: "pcm" }],
  speed: [{ speed: 1.1 }],
  user: [{ user: "u" }],
  safety_identifier: [{ safety_identifier: "s" }],
};
const transcriptionUses: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  language: [{ language: "en" }],
  prompt: [{ prompt: "Ada" }],
  response_format: [{ response_format: "text" }],
  temperature: [{ temperature: 0.5 }],
  timestamp_granularities: [{ response_format: "verbose_json", timestamp_granularities: ["word"] }],
  include: [{ include: ["logprobs"] }],
  chunking_strategy: [{ chunking_strategy: "auto" }],
  known_speaker_names: [{ known_speaker_names: ["Ada"] }],
  known_speaker_references: [{ known_speaker_references: ["data:audio/wav;base64,AA"] }],
  keywords: [{ keywords: ["Ada"] }],
  languages: [{ languages: ["en"] }],
  diarize: [{ diarize: true }],
  seed: [{ seed: 7 }],
  user: [{ user: "u" }],
  safety_identifier: [{ safety_identifier: "s" }],
};

const google = geminiCall().provider;
const { kind: _, ...shared } = google;
const imagesAs = (images: OpenaiQuirks["images"]): Provider => ({
  ...shared,
  kind: "openai-compatible",
  quirks: { ...defaultQuirks, images },
});
const elevenlabs: Provider = { ...shared, kind: "elevenlabs" };
const deepgram: Provider = { ...shared, kind: "deepgram" };

/** Each voice needs one where the provider cannot be without. */
const speakWith = (fields: object) => speechCall({ voice: "v1", ...fields }).request;
const asks = {
  image: (fields: object): ParsedRequest => imageCall(fields).request,
  speech: speakWith,
  transcription: (fields: object): ParsedRequest => transcriptionCall({ ...fields }).request,
} as const;
const usesOf = { image: imageUses, speech: speechUses, transcription: transcriptionUses } as const;

function isSent(provider: Provider, request: ParsedRequest, name: string): boolean {
  const dialect = dialectOf({ provider, request });
  const target = { provider, upstreamModel: "nova-3" };
  if (dialect.whyUntranslatable?.(target, request) !== undefined) return false;
  const call = { ...geminiCall(), ...target, request };
  return !dialect.buildRequest(call).ignored.includes(name);
}

test.each([
  ["image", "OpenAI", imagesAs("openai")],
  ["image", "OpenRouter", imagesAs("openrouter")],
  ["image", "Together", imagesAs("together")],
  ["image", "Gemini", google],
  ["speech", "Gemini", google],
  ["transcription", "Gemini", google],
  ["speech", "ElevenLabs", elevenlabs],
  ["transcription", "ElevenLabs", elevenlabs],
  ["speech", "Deepgram", deepgram],
  ["transcription", "Deepgram", deepgram],
] as const)("%s of %s: what is listed is what is sent", (operation, _name, provider) => {
  const uses = usesOf[operation];
  const target = { provider, upstreamModel: "nova-3" };
  const sent = Object.entries(uses).flatMap(([name, requests]) =>
    requests.some((fields) => isSent(provider, asks[operation](fields), name)) ? [name] : [],
  );
  const taken = Object.keys(uses).filter((name) => takesParameter(target, operation, name));
  expect(taken).toEqual(sent);
  const fields = Object.keys(operationFields[operation] ?? {});
  expect(Object.keys(uses).filter((name) => !fields.includes(name))).toEqual([]);
});
