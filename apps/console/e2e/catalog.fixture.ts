// The catalog of the server under test: three models of two providers, with simple prices. The scripted
// upstream answers all of them.

export const models = {
  /** $2 in, $0.50 cached, $8 out per million tokens. */
  large: "northwind/alpha-large",
  /** $0.10 in and $0.40 out; no tools, no images. */
  mini: "northwind/beta-mini",
  /** $0.80 in and $3.20 out; a small context. */
  gamma: "lumen/gamma",
} as const;

/** What a token costs, in units of a billionth of a dollar. */
export const nanosPerToken = {
  [models.large]: { input: 2_000, cached: 500, output: 8_000 },
  [models.mini]: { input: 100, cached: 100, output: 400 },
  [models.gamma]: { input: 800, cached: 800, output: 3_200 },
} as const;

/** `catalog.yaml`; `baseUrl` ends in `/v1`. */
export function writeCatalog(baseUrl: string): string {
  return `
providers:
  - { id: northwind, baseUrl: "${baseUrl}", apiKey: "\${UPSTREAM_KEY}" }
  - { id: lumen, baseUrl: "${baseUrl}", apiKey: "\${UPSTREAM_KEY}" }
models:
  - id: ${models.large}
    name: Alpha Large
    description: The large one, which reads images and calls tools.
    created: "2026-03-01"
    contextTokens: 256000
    maxOutputTokens: 32000
    capabilities: [tools, json_schema, reasoning, vision]
    routes: [{ provider: northwind, model: alpha-large }]
    prices: { input: "2.00", cachedInput: "0.50", output: "8.00" }
  - id: ${models.mini}
    name: Beta Mini
    description: Small, quick and cheap.
    created: "2026-01-10"
    contextTokens: 128000
    maxOutputTokens: 16000
    capabilities: [json_schema]
    routes: [{ provider: northwind, model: beta-mini }]
    prices: { input: "0.10", output: "0.40" }
  - id: ${models.gamma}
    name: Gamma
    description: A careful model with tools and a short memory.
    created: "2025-11-20"
    contextTokens: 16000
    maxOutputTokens: 4000
    capabilities: [tools]
    routes: [{ provider: lumen, model: gamma }]
    prices: { input: "0.80", output: "3.20" }
`;
}

/** The providers' API key, `UPSTREAM_KEY` of the server's environment, which must never reach a browser. */
export const providerKey = "sk-upstream-secret-0123456789";
