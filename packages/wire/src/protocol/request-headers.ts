// The headers of a request as far as a protocol reads them, and whose client they show.

/** The caller's headers, for languages that put part of a request in them. */
export type RequestHeaders = Pick<Headers, "get">;

/** What applications send to OpenRouter to be named in its rankings, and to no other API. */
const openRouterHeaders = ["http-referer", "x-openrouter-title", "x-title"];

/** Whether the caller expects what OpenRouter adds to every stream: its last chunk has the usage. */
export function expectsUsage(headers: RequestHeaders): boolean {
  for (const name of openRouterHeaders) if (headers.get(name)) return true;
  return isOpenRouterClient(headers);
}

/**
 * Whether a request comes from one of OpenRouter's own SDKs, which name themselves
 * `speakeasy-sdk/typescript 1.3.19 2.914.0 1.0.0 @openrouter/sdk`. They check answers against OpenRouter's schema, which
 * differs from OpenAI's where OpenAI's clients would mind, so only they get these differences.
 */
export function isOpenRouterClient(headers: RequestHeaders): boolean {
  const agent = headers.get("user-agent") ?? "";
  return agent.startsWith("speakeasy-sdk/") && agent.includes("openrouter");
}
