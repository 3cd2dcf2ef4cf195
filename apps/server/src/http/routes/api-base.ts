// The base paths under which `/v1` is served: its own, OpenRouter's, and both again behind another `/v1`, which clients
// that add it themselves request when their base URL ends with it already.

const versions = ["/v1", "/v1/v1"];
/** OpenRouter's base URL is `https://openrouter.ai/api/v1`. */
const openRouterBase = "/api";

/** Under which OpenRouter has what is new there, such as batches. */
export const openRouterBetaBase = `${openRouterBase}/beta`;

/** The addresses of a path of `/v1`, at our own base and at OpenRouter's. */
export function addressesOf(path: string): {
  readonly own: readonly string[];
  readonly atOpenRouter: readonly string[];
} {
  const own = versions.map((version) => version + path.slice("/v1".length));
  return { own, atOpenRouter: own.map((address) => openRouterBase + address) };
}

/** What follows the base in a path, with its slash; undefined for every other path. */
export function behindBase(pathname: string): string | undefined {
  return /^(?:\/api)?\/v1(?:\/v1)?(\/.*)$/.exec(pathname)?.[1];
}

/** A request in Anthropic's format, by its URL. */
export const messagesUrl = /^https?:\/\/[^/]*(?:\/api)?\/v1(?:\/v1)?\/messages(?:[/?]|$)/;

/** Of OpenAI's API, of OpenRouter's and our own: clients expect its format there, whatever headers they add. */
export const openaiUrl =
  /^https?:\/\/[^/]*(?:\/api)?\/v1(?:\/v1)?\/(?:chat|completions|responses|conversations|embeddings|images|audio|moderations|rerank|estimate|credits|keys?|auth|generation|management|providers)(?:[/?]|$)/;

/** Where the AI SDK's gateway provider asks, by its version, with the specification of models that came with it. */
export const aiGatewayBases = [
  ["/v1/ai", 2],
  ["/v3/ai", 3],
  ["/v4/ai", 4],
] as const;

/** A request of the AI SDK's gateway provider, by its URL. */
export const aiGatewayUrl = /^https?:\/\/[^/?]+\/v[134]\/ai(?:[/?]|$)/;

/** Google's clients add one of these to their base URL; those that know only OpenAI's add it behind `/v1`. */
export const geminiBases = ["/v1beta", "/v1alpha", "/v1/v1beta", "/v1/v1alpha"];

/** Python's SDK asks under `/v1`. */
export const interactionsPaths = [...versions, ...geminiBases].map(
  (base) => `${base}/interactions`,
);

/** Its versions, apart from Google's API of OpenAI's kind, which is that under another path. */
const geminiVersionUrl =
  /^https?:\/\/[^/?]+(?:(?:\/upload|\/download)\/v1(?:(?:alpha|beta)\d*)?|(?:\/v1)?\/v1(?:alpha|beta)\d*(?!\/openai))(?:[/?]|$)/;
const geminiMethodUrl =
  /^https?:\/\/[^/?]+(?:\/api)?\/v1(?:\/v1)?\/models\/[^?]+:(?:generate|streamGenerate|count|embed|batchEmbed|predict)\w*(?:\?|$)/;

/** Of Gemini's API if its own clients ask: the list of models is that of OpenAI's API as well. */
export const googleClientUrl =
  /^https?:\/\/[^/?]+\/v1(?:\/v1)?\/(?:models|files|cachedContents|tunedModels|corpora|fileSearchStores|batches|operations)(?:[/?]|$)/;

const interactionsUrl = /^https?:\/\/[^/?]+\/v1(?:\/v1)?\/interactions(?:[/?]|$)/;

/** Whether a request is of Gemini's API by its address. */
export function isGeminiUrl(url: string): boolean {
  return geminiVersionUrl.test(url) || geminiMethodUrl.test(url) || interactionsUrl.test(url);
}

/** Paid calls, and free ones that take as long to read and count. */
export const workingUrl =
  /^https?:\/\/[^/?]+(?:\/v[134]\/ai\/(?:language|embedding|image|speech|transcription|reranking)-model|(?:\/v1)?\/v1(?:alpha|beta)?\/(?:models\/[^?]+:\w+|interactions)|(?:\/api)?\/v1(?:\/v1)?\/(?:(?:chat\/)?completions|audio\/(?:speech|transcriptions|translations)|embeddings|estimate|images(?:\/(?:generations|edits))?|messages(?:\/count_tokens)?|moderations|(?:v2\/)?rerank|responses(?:\/(?:input_tokens|compact))?)|\/v2\/rerank)(?:\?|$)/;
