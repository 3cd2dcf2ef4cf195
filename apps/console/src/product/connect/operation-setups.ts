// What a person pastes into a tool so that it draws, speaks, writes down or ranks by this gateway: for the operations that an
// installation has models for.
import { type Operation, operationTable } from "@turnpike/terms";
import type { Snippet } from "../../ui/code/code-snippet.tsx";
import { operationSnippets } from "./operation-snippets.ts";
import type { SnippetFacts } from "./snippets.ts";
import type { ToolSetup } from "./tool-setups.ts";

type Facts = Omit<SnippetFacts, "model"> & {
  /** The model to use for an operation; undefined without any. */
  readonly modelFor: (operation: Operation) => string | undefined;
  /** A voice of the model for speech. */
  readonly voice: string;
};

export function operationSetups(facts: Facts): readonly ToolSetup[] {
  const key = facts.apiKey ?? "sk-tp-...";
  return [...openWebui(facts, key), ...aiSdk(facts, key), ...rerankers(facts, key)];
}

/** One for each part that it can be told about; it lists chat models by itself. */
function openWebui({ baseUrl, modelFor, voice }: Facts, key: string): readonly ToolSetup[] {
  const parts: readonly (readonly [Operation, (model: string) => Record<string, string>])[] = [
    [
      "image",
      (model) => ({
        ENABLE_IMAGE_GENERATION: "true",
        IMAGE_GENERATION_ENGINE: "openai",
        IMAGE_GENERATION_MODEL: model,
        IMAGE_SIZE: "1024x1024",
        IMAGES_OPENAI_API_BASE_URL: baseUrl,
        IMAGES_OPENAI_API_KEY: key,
      }),
    ],
    [
      "speech",
      (model) => ({
        AUDIO_TTS_ENGINE: "openai",
        AUDIO_TTS_MODEL: model,
        AUDIO_TTS_VOICE: voice,
        AUDIO_TTS_OPENAI_API_BASE_URL: baseUrl,
        AUDIO_TTS_OPENAI_API_KEY: key,
      }),
    ],
    [
      "transcription",
      (model) => ({
        AUDIO_STT_ENGINE: "openai",
        AUDIO_STT_MODEL: model,
        AUDIO_STT_OPENAI_API_BASE_URL: baseUrl,
        AUDIO_STT_OPENAI_API_KEY: key,
      }),
    ],
    [
      "rerank",
      (model) => ({
        ENABLE_RAG_HYBRID_SEARCH: "true",
        RAG_RERANKING_ENGINE: "external",
        RAG_RERANKING_MODEL: model,
        RAG_EXTERNAL_RERANKER_URL: `${baseUrl}/rerank`,
        RAG_EXTERNAL_RERANKER_API_KEY: key,
      }),
    ],
  ];
  return parts.flatMap(([operation, settingsOf]) => {
    const model = modelFor(operation);
    if (model === undefined) return [];
    const code = Object.entries(settingsOf(model))
      .map(([name, value]) => `      ${name}: "${value}"`)
      .join("\n");
    return [
      {
        id: `open-webui-${operation}`,
        name: `Open WebUI: ${operationTable[operation].label}`,
        operation,
        step: "Add these to the environment in compose.yaml, or choose the same under Admin Settings. What was saved there before wins over the environment.",
        snippet: { label: "compose.yaml", language: "yaml", code },
      },
    ];
  });
}

function aiSdk(facts: Facts, key: string): readonly ToolSetup[] {
  const { baseUrl, apiKey, modelFor } = facts;
  const setup = (operation: Operation, packages: string, codeOf: (model: string) => string) => {
    const model = modelFor(operation);
    if (model === undefined) return [];
    return [
      {
        id: `ai-sdk-${operation}`,
        name: `AI SDK: ${operationTable[operation].label}`,
        operation,
        step: `Install ai and ${packages} and run this.`,
        snippet: { label: "Node", language: "javascript", code: codeOf(model) },
      } as const,
    ];
  };
  const openai = `const openai = createOpenAI({ baseURL: "${baseUrl}", apiKey: "${key}" });`;
  return [
    ...setup("image", "@ai-sdk/openai-compatible", (model) => {
      const snippets: readonly Snippet[] = operationSnippets({ baseUrl, apiKey, model }, "image");
      return snippets.find(({ id }) => id === "ai-sdk")?.code ?? "";
    }),
    ...setup(
      "speech",
      "@ai-sdk/openai",
      (model) => `import { writeFileSync } from "node:fs";
import { createOpenAI } from "@ai-sdk/openai";
import { experimental_generateSpeech as generateSpeech } from "ai";

${openai}
const { audio } = await generateSpeech({
  model: openai.speech("${model}"),
  text: "Hello!",
  voice: "${facts.voice}",
});
writeFileSync("speech.mp3", audio.uint8Array);`,
    ),
    ...setup(
      "transcription",
      "@ai-sdk/openai",
      (model) => `import { readFileSync } from "node:fs";
import { createOpenAI } from "@ai-sdk/openai";
import { experimental_transcribe as transcribe } from "ai";

${openai}
const { text } = await transcribe({
  model: openai.transcription("${model}"),
  audio: readFileSync("speech.mp3"),
});
console.log(text);`,
    ),
  ];
}

function rerankers({ baseUrl, modelFor }: Facts, key: string): readonly ToolSetup[] {
  const operation = "rerank";
  const model = modelFor(operation);
  if (model === undefined) return [];
  return [
    {
      id: "cohere",
      name: "Cohere SDK: Rerank",
      operation,
      step: "Install cohere and run this.",
      snippet: {
        label: "Python",
        language: "python",
        code: `import cohere

client = cohere.ClientV2(api_key="${key}", base_url="${baseUrl}")
ranking = client.rerank(
    model="${model}",
    query="What keeps ships off the rocks?",
    documents=["A lighthouse", "A library"],
)
print(ranking.results)`,
      },
    },
    {
      id: "langchain-rerank",
      name: "LangChain: Rerank",
      operation,
      step: "Install langchain-cohere and run this.",
      snippet: {
        label: "Python",
        language: "python",
        code: `from langchain_cohere import CohereRerank

reranker = CohereRerank(
    model="${model}",
    base_url="${baseUrl}",
    cohere_api_key="${key}",
)
print(reranker.rerank(["A lighthouse", "A library"], "What keeps ships off the rocks?"))`,
      },
    },
  ];
}
