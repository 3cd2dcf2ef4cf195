// The requests of the operations' benchmark, head and body, as an SDK would send them, and the catalog of their models.
import { wavFile } from "@turnpike/testing";

const model = (id: string, operation: string, rest: string, upstream = "small") => `
  - id: bench/${id}
    operation: ${operation}
    created: "2026-01-01"
    routes: [{ provider: fixed, model: ${upstream}, maxConcurrent: 20000 }]
${rest}`;

const imagePrices = `    maxImages: 4
    outputTokens: { low/1K: 300, medium/1K: 1100, high/1K: 4200 }
    prices: { input: "5", output: "30", imageOutput: "30" }`;
const speechPrices = `    maxCharacters: 1000
    voices: [alloy]
    prices: { characters: "15" }`;

export const operationCatalog = (upstream: string) => `providers:
  - { id: fixed, baseUrl: "${upstream}" }
models:
  - id: bench/chat
    created: "2026-01-01"
    contextTokens: 200000
    maxOutputTokens: 16384
    capabilities: []
    routes: [{ provider: fixed, model: small, maxConcurrent: 20000 }]
    prices: { input: "0.15", output: "0.60" }
${model("embeddings", "embeddings", `    contextTokens: 8000\n    dimensions: 256\n    capabilities: []\n    prices: { input: "0.02" }`)}
${model("rerank", "rerank", `    contextTokens: 4000\n    prices: { searchUnits: "2" }`)}
${model("image", "image", imagePrices)}
${model("image-large", "image", imagePrices, "large")}
${model("speech", "speech", speechPrices)}
${model("speech-large", "speech", speechPrices, "large")}
${model("transcription", "transcription", `    maxSeconds: 3000\n    prices: { audioMinute: "0.006" }`)}
`;

const question = "What does a turnpike have to do with paying for one's journey?";
export const squareImage = { prompt: question, size: "1024x1024", quality: "low" } as const;
export const spokenQuestion = { input: question, voice: "alloy", response_format: "mp3" } as const;

type Body = { readonly type: string; readonly bytes: Buffer };
const json = (body: object): Body => ({
  type: "application/json",
  bytes: Buffer.from(JSON.stringify(body)),
});

const boundary = "----bench";

/** A form with a file of so many bytes; sound unless it says otherwise. */
export function transcriptionForm(bytes: number, file?: Uint8Array): Body {
  const sound = file ?? wavFile({ seconds: 0, samples: Buffer.alloc(bytes - 44) });
  const part = (head: string) => `--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n\r\n`;
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([
      Buffer.from(`${part('name="model"')}bench/transcription\r\n`),
      Buffer.from(part('name="file"; filename="speech.wav"')),
      sound,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  };
}

export const operationRows: Readonly<
  Record<string, { readonly path: string; readonly body: Body }>
> = {
  chat: {
    path: "/v1/chat/completions",
    body: json({ model: "bench/chat", messages: [{ role: "user", content: question }] }),
  },
  "Gemini's protocol": {
    path: "/v1beta/models/bench/chat:generateContent",
    body: json({ contents: [{ role: "user", parts: [{ text: question }] }] }),
  },
  embeddings: {
    path: "/v1/embeddings",
    body: json({ model: "bench/embeddings", input: question }),
  },
  rerank: {
    path: "/v1/rerank",
    body: json({ model: "bench/rerank", query: question, documents: ["one", "two"] }),
  },
  "image of 4 kB": {
    path: "/v1/images/generations",
    body: json({ model: "bench/image", ...squareImage }),
  },
  "speech of 16 kB": {
    path: "/v1/audio/speech",
    body: json({ model: "bench/speech", ...spokenQuestion }),
  },
  "transcription of 2 s": { path: "/v1/audio/transcriptions", body: transcriptionForm(96_044) },
};

/** Head and body, ready to be written to a socket. */
export function writeOperation(
  { path, body }: { readonly path: string; readonly body: Body },
  port: number,
  key: string,
): Buffer {
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${key}`,
    `Content-Type: ${body.type}`,
    `Content-Length: ${body.bytes.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), body.bytes]);
}
