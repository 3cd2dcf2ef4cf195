// One model over each dialect, for clients that must not notice which one it is.

const providers: Readonly<Record<string, string>> = {
  openai: "kind: openai-compatible",
  anthropic: "kind: anthropic",
  gemini: "kind: google",
  "openai-responses": "quirks: { responses: only }",
};

export const dialects = Object.keys(providers);

/** `over/DIALECT` for each of them, behind the scripted upstream. */
export function dialectCatalog(baseUrl: string): string {
  return `
providers:${dialects
    .map((id) => {
      const url = id === "gemini" ? `${baseUrl}beta` : baseUrl;
      return `\n  - { id: ${id}-like, baseUrl: "${url}", apiKey: any, ${providers[id]} }`;
    })
    .join("")}
models:${dialects
    .map(
      (id) => `
  - id: over/${id}
    contextTokens: 100000
    maxOutputTokens: 10000
    capabilities: [tools, vision, json_schema]
    routes: [{ provider: ${id}-like, model: upstream-model }]
    prices: { input: "1", output: "2" }`,
    )
    .join("")}
`;
}
