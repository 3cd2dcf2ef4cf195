// The models of the company: two at one provider and one at another. Prices per token are whole nano-dollars.

export const companyModels = ["company/small", "company/large", "company/other"] as const;
export type CompanyModel = (typeof companyModels)[number];

/** `catalog.yaml`; `baseUrl` ends in `/v1`. */
export function companyCatalog(baseUrl: string): string {
  const entry = (
    id: CompanyModel,
    provider: string,
    input: string,
    output: string,
  ) => `  - id: ${id}
    created: "2026-01-01"
    contextTokens: 100000
    maxOutputTokens: 1000
    tokenizer: bytes
    capabilities: []
    routes: [{ provider: ${provider}, model: scripted }]
    prices: { input: "${input}", output: "${output}" }`;
  return `providers:
  - { id: first, kind: openai-compatible, baseUrl: "${baseUrl}" }
  - { id: second, kind: openai-compatible, baseUrl: "${baseUrl}" }
models:
${entry("company/small", "first", "100", "400")}
${entry("company/large", "first", "1500", "7500")}
${entry("company/other", "second", "300", "1200")}
`;
}
