// The headers of a request as far as a protocol reads them, and whose client they show.

/** The caller's headers, for languages that put part of a request in them. */
export type RequestHeaders = Pick<Headers, "get">;

/**
 * Whether a request comes from one of OpenRouter's own SDKs, which name themselves
 * `speakeasy-sdk/typescript 1.3.19 2.914.0 1.0.0 @openrouter/sdk`. They check answers against OpenRouter's schema, which
 * differs from OpenAI's where OpenAI's clients would mind, so only they get these differences.
 */
export function isOpenRouterClient(headers: RequestHeaders): boolean {
  const agent = headers.get("user-agent") ?? "";
  return agent.startsWith("speakeasy-sdk/") && agent.includes("openrouter");
}
