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

/** Matches the base of a path or of a URL's path; what follows begins with a slash. */
export const basePattern = `(?:${openRouterBase})?/v1(?:/v1)?`;
