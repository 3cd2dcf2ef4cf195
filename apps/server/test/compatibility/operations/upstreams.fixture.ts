// A model of each operation beside text over each dialect that serves it, for the cells of docs/compatibility.md.
import { elevenLabsVoices, geminiVoices, speechVoices } from "@turnpike/testing";
import { providerKey } from "../../harness/index.ts";

export const operationNames = [
  "images",
  "edits",
  "speech",
  "transcriptions",
  "translations",
  "rerank",
  "moderations",
  "embeddings",
] as const;

export type OperationName = (typeof operationNames)[number];

export type Cell = {
  readonly name: string;
  readonly operation: OperationName;
  readonly model: string;
  /** Which its speech is asked with. */
  readonly voice: string;
  /** Its provider has nothing like it: 400 with the name of the field, before anything is asked or held. */
  readonly isRefused: boolean;
};

type Upstream = {
  /** The provider's entry in the catalog, of a base URL that ends in `/v1`. */
  readonly provider: (baseUrl: string) => string;
  /** Its name for the model that an operation asks; those that it lacks are not served. */
  readonly models: Partial<Readonly<Record<Kind, string>>>;
  readonly voice?: string;
  readonly refuses?: OperationName;
};

const compatible = (id: string) => (baseUrl: string) =>
  `{ id: ${id}, baseUrl: "${baseUrl}", apiKey: "${providerKey}" }`;

const audio = { speech: "upstream-speech", transcription: "upstream-transcription" };
const gemini = { image: "gemini-image", speech: "gemini-tts", transcription: "gemini-transcribe" };

/** By the name of the row; `vertex` comes from the clouds of the tests. */
const upstreams: Readonly<Record<string, Upstream>> = {
  openai: {
    provider: compatible("openai"),
    models: {
      image: "upstream-image",
      ...audio,
      moderation: "upstream-moderation",
      embeddings: "upstream-embeddings",
    },
  },
  azure: {
    provider: (baseUrl) =>
      `{ id: azure-files, kind: azure, baseUrl: "${baseUrl.replace(/\/v1$/, "")}", apiKey: "${providerKey}", apiVersion: "2025-04-01-preview" }`,
    models: { image: "my-image", ...audio },
  },
  gemini: {
    provider: (baseUrl) =>
      `{ id: gemini, kind: google, baseUrl: "${baseUrl}beta", apiKey: "${providerKey}" }`,
    models: { ...gemini, embeddings: "gemini-embedding" },
    voice: geminiVoices[0],
  },
  "vertex gemini": { provider: () => "", models: gemini, voice: geminiVoices[0] },
  openrouter: { provider: compatible("openrouter"), models: { image: "google/gemini-image" } },
  together: {
    provider: (baseUrl) => compatible("together")(baseUrl.replace(/v1$/, "together/v1")),
    models: { image: "flux" },
  },
  groq: { provider: compatible("groq"), models: audio },
  mistral: { provider: compatible("mistral"), models: audio },
  elevenlabs: {
    provider: compatible("elevenlabs"),
    models: { speech: "eleven_flash_v2_5", transcription: "scribe_v1" },
    voice: elevenLabsVoices[0],
    refuses: "translations",
  },
  deepgram: {
    provider: compatible("deepgram"),
    models: { speech: "aura-2", transcription: "nova-3" },
    voice: "thalia-en",
    refuses: "translations",
  },
  cohere: { provider: compatible("cohere"), models: { rerank: "rerank-v4.0" } },
  jina: { provider: compatible("jina"), models: { rerank: "jina-reranker-v3" } },
  voyage: {
    provider: (baseUrl) => compatible("voyage")(baseUrl.replace(/v1$/, "voyage/v1")),
    models: { rerank: "rerank-3" },
  },
};

/** What the catalog says of a model, by the operation that it is for. */
const facts = {
  image: `inputImages: 2, outputTokens: { any: 9000 }, prices: { input: "5", imageInput: "8", output: "30", imageOutput: "30" }`,
  speech: `prices: { characters: "15" }`,
  transcription: `maxSeconds: 600, prices: { audioMinute: "0.006" }`,
  rerank: `contextTokens: 4000, prices: { searchUnits: "2" }`,
  moderation: `prices: {}`,
  embeddings: `contextTokens: 1000, dimensions: 256, prices: { input: "0.02" }`,
} as const;

type Kind = keyof typeof facts;

const operations = {
  images: "image",
  edits: "image",
  speech: "speech",
  transcriptions: "transcription",
  translations: "transcription",
  rerank: "rerank",
  moderations: "moderation",
  embeddings: "embeddings",
} as const satisfies Readonly<Record<OperationName, Kind>>;

const kinds = [...new Set(Object.values(operations))];
/** Google's client for Python asks for one vector of all texts if the model's name says Gemini. */
const modelOf = (kind: Kind, upstream: string) =>
  `${kind}/${upstream.replace("vertex gemini", "vertex").replace("gemini", "google")}`;

export const cells: readonly Cell[] = operationNames.flatMap((operation) => {
  const kind = operations[operation];
  return Object.entries(upstreams).flatMap(([upstream, { models, voice, refuses }]): Cell[] => {
    if (models[kind] === undefined) return [];
    const model = modelOf(kind, upstream);
    const name = `${operation} over ${upstream}`;
    const isRefused = refuses === operation;
    return [{ name, operation, model, voice: voice ?? speechVoices[0], isRefused }];
  });
});

const idOf = (upstream: string) =>
  ({ azure: "azure-files", "vertex gemini": "vertex" })[upstream] ?? upstream;

/** `clouds` are the lines of the providers in clouds. */
export function operationsCatalog(baseUrl: string, clouds: string): string {
  const named = Object.entries(upstreams);
  const models = kinds.flatMap((kind) =>
    named.flatMap(([upstream, { models }]) => {
      const model = models[kind];
      if (model === undefined) return [];
      // Together is paid by the image and reports no tokens.
      const said =
        upstream === "together" ? `inputImages: 1, prices: { image: "0.04" }` : facts[kind];
      const route = `routes: [{ provider: ${idOf(upstream)}, model: "${model}" }]`;
      return `\n  - { id: ${modelOf(kind, upstream)}, operation: ${kind}, ${route}, ${said} }`;
    }),
  );
  const providers = named.flatMap(([, { provider }]) => {
    const line = provider(baseUrl);
    return line === "" ? [] : [`\n  - ${line}`];
  });
  return `
providers:${providers.join("")}${clouds}
models:${models.join("")}
`;
}
