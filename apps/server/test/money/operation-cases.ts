// Every operation as a call whose text is the script of its upstream: what the sweeps of kills, outages and disconnects send. A
// new operation is a row here.
import { smallImage, wavFile } from "@turnpike/testing";
import { type JsonObject, testCatalog, testModels } from "../harness/index.ts";

export type OperationCase = {
  readonly path: string;
  readonly body: (text: string) => JsonObject | FormData;
  /** Every answer that is complete has it; of bytes, which have no mark, the connection tells. */
  readonly end: string | undefined;
  /** Whether its client gets something before the upstream has finished, and what of it is charged if no more comes. */
  readonly streams?: "free" | "charged";
  readonly isFree?: true;
};

const speechTokensModel = "test/speech-tokens";

/** That of the tests, and a model that speaks by the token. */
export function sweptCatalog(baseUrl: string): string {
  return `${testCatalog(baseUrl)}
  - id: ${speechTokensModel}
    operation: speech
    created: "2026-01-01"
    routes: [{ provider: scripted, model: upstream-speech-tokens }]
    maxCharacters: 1000
    audioTokensPerCharacter: 8
    voices: [alloy]
    prices: { input: "0.6", output: "12", audioOutput: "12" }
`;
}

const png = smallImage("png", { width: 64, height: 64, color: [255, 0, 0] });
const audio = wavFile({ seconds: 2 });
const square = { size: "1024x1024", quality: "low" } as const;
const spoken = { voice: "alloy", response_format: "wav" } as const;
const gemini = (text: string): JsonObject => ({ contents: [{ role: "user", parts: [{ text }] }] });

function form(file: Uint8Array, filename: string, fields: JsonObject): FormData {
  const data = new FormData();
  const field = filename.endsWith(".png") ? "image" : "file";
  for (const [name, value] of Object.entries(fields)) data.append(name, String(value));
  data.append(field, new File([new Uint8Array(file)], filename));
  return data;
}

const hear = (fields: JsonObject) => form(audio, "speech.wav", fields);

/** Under `/v1`, unless a path names another version. */
export const operationCases = {
  chat: {
    path: "/chat/completions",
    body: (content) => ({ model: testModels.cheap, messages: [{ role: "user", content }] }),
    end: '"usage"',
  },
  "chat stream": {
    path: "/chat/completions",
    body: (content) => ({
      model: testModels.cheap,
      messages: [{ role: "user", content }],
      stream: true,
    }),
    end: "[DONE]",
    streams: "charged",
  },
  image: {
    path: "/images/generations",
    body: (prompt) => ({ model: testModels.image, prompt, ...square, n: 2 }),
    end: '"usage"',
  },
  "image by the piece": {
    path: "/images/generations",
    body: (prompt) => ({ model: testModels.imagePiece, prompt, size: "1024x1024" }),
    end: '"usage"',
  },
  "image stream": {
    path: "/images/generations",
    body: (prompt) => ({
      model: testModels.image,
      prompt,
      ...square,
      stream: true,
      partial_images: 2,
    }),
    end: "image_generation.completed",
    streams: "free",
  },
  edit: {
    path: "/images/edits",
    body: (prompt) => form(png, "a.png", { model: testModels.image, prompt, ...square }),
    end: '"usage"',
  },
  "edit stream": {
    path: "/images/edits",
    body: (prompt) =>
      form(png, "a.png", {
        model: testModels.image,
        prompt,
        ...square,
        stream: true,
        partial_images: 2,
      }),
    end: "image_edit.completed",
    streams: "free",
  },
  speech: {
    path: "/audio/speech",
    body: (input) => ({ model: testModels.speech, input, ...spoken }),
    end: undefined,
    streams: "charged",
  },
  "speech stream": {
    path: "/audio/speech",
    body: (input) => ({ model: testModels.speech, input, ...spoken, stream_format: "sse" }),
    end: "speech.audio.done",
    streams: "charged",
  },
  "speech by the token": {
    path: "/audio/speech",
    body: (input) => ({ model: speechTokensModel, input, ...spoken, stream_format: "sse" }),
    end: "speech.audio.done",
    streams: "charged",
  },
  transcription: {
    path: "/audio/transcriptions",
    body: (prompt) => hear({ model: testModels.transcription, prompt }),
    end: '"usage"',
  },
  "transcription stream": {
    path: "/audio/transcriptions",
    body: (prompt) => hear({ model: testModels.transcriptionTokens, prompt, stream: true }),
    end: "transcript.text.done",
    streams: "charged",
  },
  translation: {
    path: "/audio/translations",
    body: (prompt) => hear({ model: testModels.transcription, prompt }),
    end: '"usage"',
  },
  rerank: {
    path: "/rerank",
    body: (query) => ({ model: testModels.rerank, query, documents: ["one", "two"] }),
    end: '"usage"',
  },
  "rerank by the token": {
    path: "/rerank",
    body: (query) => ({ model: testModels.rerankTokens, query, documents: ["one", "two"] }),
    end: '"usage"',
  },
  moderation: {
    path: "/moderations",
    body: (input) => ({ model: testModels.moderation, input }),
    end: '"results"',
    isFree: true,
  },
  embeddings: {
    path: "/embeddings",
    body: (input) => ({ model: testModels.embeddings, input }),
    end: '"usage"',
  },
  "Gemini's generateContent": {
    path: `/v1beta/models/${testModels.cheap}:generateContent`,
    body: gemini,
    end: '"usageMetadata"',
  },
  "Gemini's streamGenerateContent": {
    path: `/v1beta/models/${testModels.cheap}:streamGenerateContent?alt=sse`,
    body: gemini,
    end: '"finishReason"',
    streams: "charged",
  },
  "Gemini's embedContent": {
    path: `/v1beta/models/${testModels.embeddings}:embedContent`,
    body: (text) => ({ content: { parts: [{ text }] } }),
    end: '"embedding"',
  },
} as const satisfies Readonly<Record<string, OperationCase>>;
