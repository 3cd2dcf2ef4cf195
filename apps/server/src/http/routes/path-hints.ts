// What to do instead of a request to a well-known path of another API that is not served here. A path that is served
// one day only loses its line.
import { behindBase } from "./api-base.ts";

/** Where a program of this API is sent instead; `origin` is that of this server. */
type Advice = (origin: string) => string;

const offer =
  "It offers chat completions, responses, messages, completions, embeddings, images, audio, reranking and moderations; GET /v1/models lists the models.";

/** `what` as in "This gateway does not offer …". */
const lacks =
  (what: string): Advice =>
  () =>
    `This gateway does not offer ${what}. ${offer}`;

const openaiClient = "Use a client of OpenAI's or Anthropic's API instead";

/** For the whole API of a language that is not spoken here. */
const foreign =
  (api: string, path: string): Advice =>
  (origin) =>
    `${api} API is not served here. ${openaiClient}: set its base URL to ${origin}/v1 and send POST ${path} with a model of GET /v1/models.`;

const gemini: Advice = (origin) =>
  `This path of Gemini's API is not served here: files, caches and batches are not stored. This gateway offers its models and generateContent, streamGenerateContent, countTokens, embedContent, batchEmbedContents and interactions: set the base URL of Google's client to ${origin}, and send files as 'inlineData'.`;
const vertex: Advice = (origin) =>
  `Vertex AI's paths are not served here. Use the client of Gemini's API instead: set its base URL to ${origin}.`;
const cohere = foreign("Cohere's", "/v1/chat/completions");
const ollama = foreign("Ollama's", "/v1/chat/completions");
const azure: Advice = (origin) =>
  `Azure's paths are not served here. Use the client of OpenAI's API: set its base URL to ${origin}/v1 and name the model in the body.`;

const aiGateway: Advice = (origin) =>
  `Set the base URL of the AI SDK's gateway to ${origin}/v4/ai, or to ${origin}/v3/ai for AI SDK 6 and ${origin}/v1/ai for AI SDK 5.`;

type Hints = readonly (readonly [paths: RegExp, advice: Advice])[];

/** Endpoints, which clients also call at a base URL without a version. */
const ofEither: Hints = [
  // OpenAI
  [/^\/images\/variations$/, lacks("variations of images; POST /v1/images/edits changes one")],
  [/^\/audio\/voices(?:\/.*)?$/, lacks("voices of one's own")],
  [/^\/uploads(?:\/.*)?$/, lacks("uploads")],
  [/^\/assistants(?:\/.*)?$/, lacks("assistants")],
  [/^\/threads(?:\/.*)?$/, lacks("threads")],
  [/^\/vector_stores(?:\/.*)?$/, lacks("vector stores")],
  [/^\/realtime(?:\/.*)?$/, lacks("realtime sessions")],
  [/^\/videos(?:\/.*)?$/, lacks("videos")],
  [/^\/containers(?:\/.*)?$/, lacks("containers")],
  [/^\/evals(?:\/.*)?$/, lacks("evals")],
  [/^\/graders(?:\/.*)?$/, lacks("graders")],
  [/^\/chatkit(?:\/.*)?$/, lacks("ChatKit")],
  [/^\/skills(?:\/.*)?$/, lacks("skills")],
  [/^\/(?:fine_tuning|fine-tunes)(?:\/.*)?$/, lacks("fine tuning")],
  [
    /^\/dashboard\/billing(?:\/.*)?$/,
    () =>
      "GET /v1/credits shows the balance, and GET /v1/management/usage what was used, with a management key.",
  ],
  // Mistral
  [
    /^\/fim(?:\/.*)?$/,
    () =>
      "Completions between a prefix and a suffix (FIM) are not served here. Send the prefix as 'prompt' to POST /v1/completions.",
  ],
  [/^\/ocr(?:\/.*)?$/, lacks("OCR")],
  // The AI SDK's gateway, at another base URL
  [
    /^\/(?:language|embedding|image|speech|transcription|reranking|video|decision)-model(?:\/.*)?$/,
    aiGateway,
  ],
];

/** Behind `/v1`, by the beginning of what follows it. */
const ofVersion: Hints = [
  // Vertex AI: its projects are not OpenAI's.
  [
    /^\/projects\/[^/]+\/locations\/.*publishers\/anthropic\/.*$/,
    foreign("Vertex AI's", "/v1/messages"),
  ],
  [/^\/projects\/[^/]+\/locations(?:\/.*)?$/, vertex],
  // OpenAI
  [
    /^\/(?:organization|projects)(?:\/.*)?$/,
    lacks("OpenAI's administration; /v1/management has its own"),
  ],
  [
    /^\/chat\/completions\/chatcmpl-.+(?:\/.*)?$/,
    () =>
      "Chat completions are not stored here, so they cannot be listed, retrieved or deleted. GET /v1/generation?id= shows what one has cost.",
  ],
  [
    /^\/(?:engines\/.|edits(?:\/|$))/,
    () => "OpenAI has replaced this path. Send the model in the body of POST /v1/completions.",
  ],
  // Anthropic
  [
    /^\/complete(?:\/.*)?$/,
    () => "Text completions of Claude were replaced. Send POST /v1/messages.",
  ],
  [/^\/organizations(?:\/.*)?$/, lacks("Anthropic's administration; /v1/management has its own")],
  [
    /^\/(?:agents|environments|sessions|memory_stores|vaults)(?:\/.*)?$/,
    lacks("agents on a server"),
  ],
  // Gemini
  [/^\/(?:tunedModels|cachedContents|corpora|fileSearchStores)(?:\/.*)?$/, gemini],
  // Vertex AI
  [/^\/(?:publishers|locations)(?:\/.*)?$/, vertex],
  // Cohere, Jina, Voyage
  [/^\/(?:chat$|generate|summarize)(?:\/.*)?$/, cohere],
  [/^\/embed(?:\/.*)?$/, foreign("Cohere's", "/v1/embeddings")],
  [
    /^\/(?:classify|tokenize|detokenize|connectors|datasets|check-api-key|finetuning)(?:\/.*)?$/,
    cohere,
  ],
  // Mistral
  [/^\/(?:classifications|libraries)(?:\/.*)?$/, lacks("classifications and libraries")],
  // OpenRouter
  [
    /^\/activity(?:\/.*)?$/,
    () => "GET /v1/management/usage shows what was used, with a management key.",
  ],
  [
    /^\/(?:presets|guardrails|workspaces|organization)(?:\/.*)?$/,
    lacks("OpenRouter's administration; /v1/management has its own"),
  ],
  [/^\/credits\/./, () => "Credits are bought in the console. GET /v1/credits shows them."],
  // The AI SDK's gateway
  [/^\/report$/, () => "GET /v1/management/usage shows what was used, with a management key."],
  // LiteLLM
  [
    /^\/(?:model\/info|model_group\/info)(?:\/.*)?$/,
    () => "GET /v1/models lists the models with their prices.",
  ],
];

/** Whole paths. */
const elsewhere: Hints = [
  // The AI SDK's gateway
  [/^\/v[134]\/ai\/video-model(?:\/.*)?$/, lacks("videos")],
  [/^\/v[134]\/ai\/batch(?:\/.*)?$/, lacks("batches")],
  [/^\/v[134]\/ai\/decision-model(?:\/.*)?$/, lacks("decisions")],
  [/^(?:\/api\/v\d|\/v[025-9])\/ai(?:\/.*)?$/, aiGateway],
  [/^\/v1(?:beta|alpha)\d*\/openai(?:\/.*)?$/, (origin) => `Set the base URL to ${origin}/v1.`],
  [/^\/v1(?:beta|alpha)\d+\/(?:projects|publishers|locations)(?:\/.*)?$/, vertex],
  [
    /^(?:\/upload|\/download)?\/v1(?:beta|alpha)\d*(?!\/(?:models|interactions)(?:\/|$))(?:\/.*)?$/,
    gemini,
  ],
  [/^(?:\/upload|\/download)\/v1(?:\/.*)?$/, gemini],
  [/^\/v2\/(?:chat|generate)(?:\/.*)?$/, cohere],
  [/^\/v2\/embed(?:\/.*)?$/, foreign("Cohere's", "/v1/embeddings")],
  [/^\/v2\/(?:classify|tokenize|detokenize)(?:\/.*)?$/, cohere],
  [
    /^\/api\/(?:chat|generate|tags|show|ps|pull|push|create|copy|delete|version|blobs)(?:\/.*)?$/,
    ollama,
  ],
  [/^\/api\/(?:embed|embeddings)$/, foreign("Ollama's", "/v1/embeddings")],
  [/^\/api\/v0(?:\/.*)?$/, foreign("LM Studio's", "/v1/chat/completions")],
  [/^\/openai\/deployments(?:\/.*)?$/, azure],
  [/^\/model\/[^/]+\/(?:converse|invoke)(?:-[a-z-]+)?$/, foreign("Bedrock's", "/v1/messages")],
  [/^\/(?:completion|infill|apply-template)$/, foreign("llama.cpp's own", "/v1/completions")],
  // LiteLLM
  [/^\/(?:key|user|team)\/info$/, () => "GET /v1/key shows the API key and its limits."],
];

/** What a program should do that requested `pathname`; undefined for a path that no known API has. */
export function adviseOn(pathname: string, origin: string): string | undefined {
  const rest = behindBase(pathname);
  const ofPath = find(ofEither, rest ?? pathname) ?? find(ofVersion, rest);
  // A whole path of another API stands behind a base URL that ends with `/v1`, too.
  return (ofPath ?? find(elsewhere, rest) ?? find(elsewhere, pathname))?.(origin);
}

function find(hints: Hints, path: string | undefined): Advice | undefined {
  if (path === undefined) return undefined;
  return hints.find(([paths]) => paths.test(path))?.[1];
}
