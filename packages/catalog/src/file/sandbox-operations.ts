// The sandbox models of every operation beside chat: each is answered by the scripted upstream, and costs something, except
// for moderations.
import type { Provider } from "@turnpike/providers";
import { type Rates, type Unit, unitRateFromStated } from "@turnpike/terms";
import type { ModelEntry } from "../model.ts";

export const sandboxSince = new Date("2026-01-01T00:00:00Z");

const free: Rates = {
  inputNanosPerMillion: 0n,
  cachedInputNanosPerMillion: 0n,
  cacheWriteNanosPerMillion: 0n,
  outputNanosPerMillion: 0n,
};

/** `nanosPerMillion` tokens of input, and nothing for output. */
function inputRates(nanosPerMillion: bigint): Rates {
  return {
    ...free,
    inputNanosPerMillion: nanosPerMillion,
    cachedInputNanosPerMillion: nanosPerMillion,
    cacheWriteNanosPerMillion: nanosPerMillion,
  };
}

/** A stated price for a unit, in nano-dollars, or one for each variant. */
function unitPrices(unit: Unit, prices: Readonly<Record<string, bigint>>): Pick<Rates, "units"> {
  return {
    units: Object.entries(prices).map(([variant, nanos]) => ({
      unit,
      ...(variant !== "" && { variant }),
      nanosPerMillion: unitRateFromStated(unit, nanos),
    })),
  };
}

/** At least what the sandbox reports for an image of these pixels at these qualities. */
const imageTokens = {
  "low/1K": 1_000,
  "medium/1K": 2_500,
  "high/1K": 9_500,
  "low/2K": 1_200,
  "medium/2K": 4_300,
  "high/2K": 17_000,
  "low/4K": 2_200,
  "medium/4K": 8_500,
  "high/4K": 33_000,
};

/** What each has besides its operation. */
type Facts = (
  key: string,
) => Pick<ModelEntry, "id" | "created" | "contextTokens" | "capabilities" | "tokenizer" | "routes">;

export function sandboxOperations(provider: Provider): ModelEntry[] {
  const facts: Facts = (key) => ({
    id: `sandbox/${key}`,
    created: sandboxSince,
    contextTokens: 32_768,
    capabilities: [],
    tokenizer: "bytes",
    routes: [{ provider, upstreamModel: `sandbox-${key}` }],
  });
  return [...textModels(facts), ...imageModels(facts), ...audioModels(facts)];
}

function textModels(facts: Facts): ModelEntry[] {
  return [
    {
      ...facts("embeddings"),
      operation: "embeddings",
      name: "Sandbox Embeddings",
      description: "Turns texts and images into vectors: the same always into the same one.",
      contextTokens: 8_192,
      dimensions: 256,
      imageTokens: 256,
      capabilities: ["dimensions", "vision"],
      // USD 0.02 per million tokens.
      rates: inputRates(20_000_000n),
    },
    {
      ...facts("rerank"),
      operation: "rerank",
      name: "Sandbox Rerank",
      description:
        "Orders documents by the words that they share with the query, billed by search.",
      rates: { ...free, ...unitPrices("searchUnits", { "": 2_000_000_000n }) },
    },
    {
      ...facts("rerank-tokens"),
      operation: "rerank",
      name: "Sandbox Rerank, by the token",
      description: "Orders documents by the words that they share with the query.",
      rates: inputRates(50_000_000n),
    },
    {
      ...facts("moderation"),
      operation: "moderation",
      name: "Sandbox Moderation",
      description: "Flags texts that have the word “forbidden”. Free, as moderations are.",
      capabilities: ["vision"],
      rates: free,
    },
  ];
}

function imageModels(facts: Facts): ModelEntry[] {
  return [
    {
      ...facts("image"),
      operation: "image",
      name: "Sandbox Image",
      description: "Draws small images, billed by the token: the same prompt always the same one.",
      maxImages: 10,
      inputImages: 16,
      imageTokens: 4_096,
      outputTokens: imageTokens,
      // USD 5 per million tokens of text, 8 of images to edit and 30 of images.
      rates: {
        ...inputRates(5_000_000_000n),
        imageInputNanosPerMillion: 8_000_000_000n,
        outputNanosPerMillion: 30_000_000_000n,
        imageOutputNanosPerMillion: 30_000_000_000n,
      },
    },
    {
      ...facts("image-piece"),
      operation: "image",
      name: "Sandbox Image, by the piece",
      description: "Draws small images, billed by the piece, and answers with their addresses.",
      maxImages: 10,
      inputImages: 0,
      imageTokens: 4_096,
      rates: {
        ...free,
        ...unitPrices("images", { "1K": 40_000_000n, "2K": 80_000_000n, "4K": 120_000_000n }),
      },
    },
  ];
}

function audioModels(facts: Facts): ModelEntry[] {
  return [
    {
      ...facts("speech"),
      operation: "speech",
      name: "Sandbox Speech",
      description: "Turns text into a tone, a sixteenth of a second for each character.",
      maxCharacters: 4_096,
      voices: ["alloy", "echo", "nova", "sage"],
      audioTokensPerCharacter: 10,
      // USD 15 for a million characters.
      rates: { ...free, ...unitPrices("characters", { "": 15_000_000_000n }) },
    },
    {
      ...facts("speech-tokens"),
      operation: "speech",
      name: "Sandbox Speech, by the token",
      description: "Turns text into a tone, billed by the tokens of its audio.",
      maxCharacters: 4_096,
      voices: ["alloy", "echo", "nova", "sage"],
      audioTokensPerCharacter: 10,
      rates: {
        ...inputRates(600_000_000n),
        outputNanosPerMillion: 12_000_000_000n,
        audioOutputNanosPerMillion: 12_000_000_000n,
      },
    },
    ...["transcription", "transcription-diarize"].map(
      (key): ModelEntry => ({
        ...facts(key),
        operation: "transcription",
        name: key === "transcription" ? "Sandbox Transcription" : "Sandbox Diarization",
        description:
          key === "transcription"
            ? "Says how long its audio is, or what the comment of a WAV file says."
            : "The same, said by two speakers.",
        capabilities: ["timestamps"],
        maxOutputTokens: 4_096,
        maxSeconds: 1_500,
        audioTokensPerSecond: 10,
        // USD 0.006 for a minute.
        rates: { ...free, ...unitPrices("audioMilliseconds", { "": 6_000_000n }) },
      }),
    ),
    {
      ...facts("transcription-tokens"),
      operation: "transcription",
      name: "Sandbox Transcription, by the token",
      description: "Says how long its audio is, streamed if it is asked to.",
      maxOutputTokens: 4_096,
      maxSeconds: 1_500,
      audioTokensPerSecond: 10,
      rates: {
        ...inputRates(2_500_000_000n),
        audioInputNanosPerMillion: 2_500_000_000n,
        outputNanosPerMillion: 10_000_000_000n,
      },
    },
  ];
}
