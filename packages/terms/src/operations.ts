// The table of operations: what is asked of a model, and what everybody calls it. How an operation is measured and priced is
// in `packages/catalog/src/operations`, its requests are in `packages/wire`, and its upstreams in `packages/providers`.
import { namesOf } from "./names-of.ts";

/** What a model takes or gives, as OpenRouter names it. */
export type Modality =
  | "text"
  | "image"
  | "file"
  | "audio"
  | "embeddings"
  | "speech"
  | "transcription"
  | "rerank"
  | "moderation";

type OperationRow = {
  /** In lists and filters. */
  readonly label: string;
  /** "This model is for …". */
  readonly purpose: string;
  /** Where it is asked for. */
  readonly path: string;
  readonly inputs: readonly Modality[];
  readonly outputs: readonly Modality[];
  /** OpenRouter's name for it. Source: `APIType` in its API reference. */
  readonly apiType: string;
  /** Whether its models write text that is billed by the token. */
  readonly writesTokens: boolean;
};

export const operationTable = {
  chat: {
    label: "Chat completion",
    purpose: "chat completions",
    path: "/v1/chat/completions",
    inputs: ["text"],
    outputs: ["text"],
    apiType: "completions",
    writesTokens: true,
  },
  embeddings: {
    label: "Embeddings",
    purpose: "embeddings",
    path: "/v1/embeddings",
    inputs: ["text"],
    outputs: ["embeddings"],
    apiType: "embeddings",
    writesTokens: false,
  },
  image: {
    label: "Images",
    purpose: "images",
    path: "/v1/images/generations",
    inputs: ["text"],
    outputs: ["image"],
    apiType: "image",
    writesTokens: true,
  },
  speech: {
    label: "Speech",
    purpose: "speech",
    path: "/v1/audio/speech",
    inputs: ["text"],
    outputs: ["speech"],
    apiType: "tts",
    writesTokens: true,
  },
  transcription: {
    label: "Transcription",
    purpose: "transcriptions",
    path: "/v1/audio/transcriptions",
    inputs: ["audio"],
    outputs: ["transcription"],
    apiType: "stt",
    writesTokens: true,
  },
  rerank: {
    label: "Rerank",
    purpose: "reranking",
    path: "/v1/rerank",
    inputs: ["text"],
    outputs: ["rerank"],
    apiType: "rerank",
    writesTokens: false,
  },
  moderation: {
    label: "Moderation",
    purpose: "moderations",
    path: "/v1/moderations",
    inputs: ["text"],
    outputs: ["moderation"],
    apiType: "moderation",
    writesTokens: false,
  },
} as const satisfies Readonly<Record<string, OperationRow>>;

export type Operation = keyof typeof operationTable;

/** In the order of the table. The database has this list too: a new operation needs a migration. */
export const operations = namesOf(operationTable);
