// The languages that requests are written in, by the API that they belong to. A provider whose dialect has the language
// of a request is sent the caller's own text.

/** The APIs of clients that have fields of their own. */
export const apis = [
  "chat",
  "responses",
  "messages",
  "gemini",
  "interactions",
  "completions",
  "embeddings",
] as const;
export type Api = (typeof apis)[number];

export const chatLanguage = "openai-chat";
export const responsesLanguage = "openai-responses";
export const messagesLanguage = "anthropic-messages";
export const geminiLanguage = "gemini";
/** Google's newer API. No upstream is asked in it: every request is translated. */
export const interactionsLanguage = "gemini-interactions";
/** Of callers: what is asked of an upstream is an embeddings request in its place. */
export const geminiEmbeddingsLanguage = "gemini-embed-content";
export const embeddingsLanguage = "openai-embeddings";
/** Cohere's and Jina's, which differ in nothing that is read here. */
export const rerankLanguage = "rerank";
export const moderationsLanguage = "openai-moderations";
export const imagesLanguage = "openai-images";
export const speechLanguage = "openai-speech";
export const transcriptionsLanguage = "openai-transcriptions";
/** No upstream shares it: every request is translated. */
export const completionsLanguage = "openai-completions";
/** The AI SDK's own, of callers alone. */
export const aiGatewayLanguage = "ai-gateway";

export const languageOf: Readonly<Record<Api, string>> = {
  chat: chatLanguage,
  responses: responsesLanguage,
  messages: messagesLanguage,
  gemini: geminiLanguage,
  interactions: interactionsLanguage,
  completions: completionsLanguage,
  embeddings: embeddingsLanguage,
};
