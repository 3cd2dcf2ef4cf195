// The base paths under which `/v1` is served: its own, OpenRouter's, and both again behind another `/v1`, which clients
// that add it themselves request when their base URL ends with it already.

const versions = ["/v1", "/v1/v1"];
/** OpenRouter's base URL is `https://openrouter.ai/api/v1`. */
const openRouterBase = "/api";

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
  /^https?:\/\/[^/]*(?:\/api)?\/v1(?:\/v1)?\/(?:chat|completions|responses|embeddings|images|audio|moderations|rerank|estimate|credits|keys?|auth|generation|management|providers)(?:[/?]|$)/;

/** Google's clients add one of these to their base URL; those that know only OpenAI's add it behind `/v1`. */
export const geminiBases = ["/v1beta", "/v1alpha", "/v1/v1beta", "/v1/v1alpha"];

/** Its versions, apart from Google's API of OpenAI's kind, which is that under another path. */
const geminiVersionUrl =
  /^https?:\/\/[^/?]+(?:(?:\/upload|\/download)\/v1(?:(?:alpha|beta)\d*)?|(?:\/v1)?\/v1(?:alpha|beta)\d*(?!\/openai))(?:[/?]|$)/;
const geminiMethodUrl =
  /^https?:\/\/[^/?]+(?:\/api)?\/v1(?:\/v1)?\/models\/[^?]+:(?:generate|streamGenerate|count|embed|batchEmbed|predict)\w*(?:\?|$)/;

/** Of Gemini's API if its own clients ask: the list of models is that of OpenAI's API as well. */
export const googleClientUrl =
  /^https?:\/\/[^/?]+\/v1(?:\/v1)?\/(?:models|files|cachedContents|tunedModels|corpora|fileSearchStores|batches|operations)(?:[/?]|$)/;

/** Whether a request is of Gemini's API by its address. */
export function isGeminiUrl(url: string): boolean {
  return geminiVersionUrl.test(url) || geminiMethodUrl.test(url);
}

/** Paid calls, and free ones that take as long to read and count. */
export const workingUrl =
  /^https?:\/\/[^/?]+(?:(?:\/v1)?\/v1(?:alpha|beta)?\/models\/[^?]+:\w+|(?:\/api)?\/v1(?:\/v1)?\/(?:(?:chat\/)?completions|audio\/(?:speech|transcriptions|translations)|embeddings|estimate|images(?:\/(?:generations|edits))?|messages(?:\/count_tokens)?|moderations|(?:v2\/)?rerank|responses(?:\/input_tokens)?))(?:\?|$)/;
