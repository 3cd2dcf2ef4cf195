// The models of the tests: few, each with one special property, all answered by the scripted
// upstream. Prices are round, so that a reader can check a bill by mental arithmetic.

/** The key that the scripted provider is called with; no answer and no log line may ever contain it. */
export const providerKey = "sk-upstream-secret-0123456789";

/** Nano-dollars per million tokens are these × 1,000 × 1,000,000; `cheap` costs 100 and 400 per token. */
export const testModels = {
  /** 100 nano-dollars per prompt token, 25 cached, 400 per completion token. */
  cheap: "test/cheap",
  /** 15,000 and 75,000 nano-dollars per token; its tokenizer is known. */
  expensive: "test/expensive",
  vision: "test/vision",
  reasoning: "test/reasoning",
  /** Has no capabilities. */
  plain: "test/plain",
  /** Its context is 1,000 tokens. */
  small: "test/small",
  /** A delta of its provider has several tokens, whose number is estimated. */
  bursty: "test/bursty",
  /** 20 nano-dollars per token; 1,000 tokens per input. Vectors of 256 numbers. */
  embeddings: "test/embeddings",
  /** The same at a provider without `encoding_format`; its vectors cannot be shortened. */
  floats: "test/floats",
  /** 5,000 nano-dollars per token of text, 8,000 of an image to edit, 30,000 of an image. */
  image: "test/image",
  /** $0.04 for an image of 1K, $0.08 of 2K. */
  imagePiece: "test/image-piece",
  /** $2 for a thousand search units. */
  rerank: "test/rerank",
  /** 50 nano-dollars per token. */
  rerankTokens: "test/rerank-tokens",
  /** Free. */
  moderation: "test/moderation",
  /** $15 for a million characters. */
  speech: "test/speech",
  /** $0.006 for a minute of audio. */
  transcription: "test/transcription",
  /** 2,500 nano-dollars a token of audio or text, 10,000 a token of the transcript. */
  transcriptionTokens: "test/transcription-tokens",
  /** Its provider uses Anthropic's language; 100, 25 cached, 125 or 200 cache-written, 400 a token. */
  anthropic: "test/anthropic",
  /** Its provider has no key, so it is hidden from everyone. */
  hidden: "test/hidden",
} as const;

/** `catalog.yaml` of the tests; `baseUrl` ends in `/v1`. */
export function testCatalog(baseUrl: string): string {
  return `
providers:
  - { id: scripted, baseUrl: "${baseUrl}", apiKey: "${providerKey}" }
  - { id: bursty, baseUrl: "${baseUrl}", quirks: { tokensPerDelta: many } }
  - { id: floats, baseUrl: "${baseUrl}", quirks: { embeddingEncoding: float_only } }
  - { id: claude, kind: anthropic, baseUrl: "${baseUrl}", apiKey: "${providerKey}" }
  - { id: keyless, baseUrl: "${baseUrl}", apiKey: "\${NO_SUCH_PROVIDER_KEY}" }
models:
${modelEntry({ id: testModels.cheap, capabilities: ["tools", "json_schema"] })}
    prices: { input: "0.10", cachedInput: "0.025", output: "0.40" }
${modelEntry({ id: testModels.expensive, capabilities: ["tools"], tokenizer: "o200k_base" })}
    prices: { input: "15", output: "75" }
${modelEntry({ id: testModels.vision, capabilities: ["vision"] })}
    prices: { input: "0.10", output: "0.40" }
${modelEntry({ id: testModels.reasoning, capabilities: ["reasoning"] })}
    prices: { input: "0.10", output: "0.40" }
${modelEntry({ id: testModels.plain, capabilities: [] })}
    prices: { input: "0.10", output: "0.40" }
${modelEntry({ id: testModels.small, capabilities: [], contextTokens: 1_000, maxOutputTokens: 500 })}
    prices: { input: "0.10", output: "0.40" }
${modelEntry({ id: testModels.bursty, capabilities: [], provider: "bursty" })}
    prices: { input: "0.10", output: "0.40" }
${modelEntry({ id: testModels.anthropic, capabilities: ["tools", "json_schema", "vision", "reasoning"], provider: "claude" })}
    reasoning: visible
    prices: { input: "0.10", cachedInput: "0.025", cacheWrite: "0.125", cacheWrite1h: "0.20", output: "0.40" }
${modelEntry({ id: testModels.hidden, capabilities: [], provider: "keyless" })}
    prices: { input: "0.10", output: "0.40" }
${embeddingsEntry(testModels.embeddings, "scripted", "capabilities: [dimensions]")}
${embeddingsEntry(testModels.floats, "floats", "capabilities: []")}
${operationEntry(testModels.image, "image")}
    maxImages: 4
    inputImages: 2
    imageTokens: 2000
    outputTokens: { low/1K: 300, medium/1K: 1100, high/1K: 4200, high/2K: 17000 }
    prices: { input: "5", imageInput: "8", output: "30", imageOutput: "30" }
${operationEntry(testModels.imagePiece, "image")}
    maxImages: 4
    prices: { image: { 1K: "0.04", 2K: "0.08" } }
${operationEntry(testModels.rerank, "rerank")}
    contextTokens: 4000
    prices: { searchUnits: "2" }
${operationEntry(testModels.rerankTokens, "rerank")}
    contextTokens: 4000
    prices: { input: "0.05" }
${operationEntry(testModels.speech, "speech")}
    maxCharacters: 1000
    voices: [alloy, echo]
    prices: { characters: "15" }
${operationEntry(testModels.transcription, "transcription")}
    capabilities: [timestamps]
    maxSeconds: 600
    prices: { audioMinute: "0.006" }
${operationEntry(testModels.transcriptionTokens, "transcription")}
    maxOutputTokens: 2000
    maxSeconds: 600
    audioTokensPerSecond: 10
    prices: { input: "2.5", audioInput: "2.5", output: "10" }
${operationEntry(testModels.moderation, "moderation")}
    capabilities: [vision]
    prices: {}
`;
}

function embeddingsEntry(id: string, provider: string, capabilities: string): string {
  return `  - id: ${id}
    operation: embeddings
    created: "2026-01-01"
    contextTokens: 1000
    dimensions: 256
    ${capabilities}
    routes: [{ provider: ${provider}, model: "${id.replace("test/", "upstream-")}" }]
    prices: { input: "0.02" }`;
}

function operationEntry(id: string, operation: string): string {
  return `  - id: ${id}
    operation: ${operation}
    created: "2026-01-01"
    routes: [{ provider: scripted, model: "${id.replace("test/", "upstream-")}" }]`;
}

type Entry = {
  readonly id: string;
  readonly capabilities: readonly string[];
  readonly provider?: string;
  readonly contextTokens?: number;
  readonly maxOutputTokens?: number;
  readonly tokenizer?: string;
};

function modelEntry(entry: Entry): string {
  const { id, capabilities, provider = "scripted" } = entry;
  return `  - id: ${id}
    created: "2026-01-01"
    contextTokens: ${entry.contextTokens ?? 128_000}
    maxOutputTokens: ${entry.maxOutputTokens ?? 16_384}
    tokenizer: ${entry.tokenizer ?? "bytes"}
    capabilities: [${capabilities.join(", ")}]
    routes: [{ provider: ${provider}, model: "${id.replace("test/", "upstream-")}" }]`;
}
