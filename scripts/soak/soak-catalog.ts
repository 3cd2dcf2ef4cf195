// The models of a soak: one for each language of the upstream, one with two routes, one of embeddings. Their
// prices per token are whole nano-dollars, so that every cost is exact.

export type SoakModel = {
  readonly id: string;
  readonly operation: "chat" | "embeddings";
  readonly providers: readonly string[];
  /** Per token. */
  readonly inputNanos: bigint;
  readonly outputNanos: bigint;
};

const chat = { operation: "chat", inputNanos: 100n, outputNanos: 400n } as const;

export const models: readonly [SoakModel, ...SoakModel[]] = [
  { ...chat, id: "soak/chat", providers: ["first", "second"] },
  { ...chat, id: "soak/claude", providers: ["claude"] },
  { ...chat, id: "soak/responses", providers: ["responses"] },
  {
    id: "soak/embeddings",
    operation: "embeddings",
    providers: ["first"],
    inputNanos: 20n,
    outputNanos: 0n,
  },
];

const usdPerMillion = (nanos: bigint) => `"${Number(nanos) / 1_000}"`;

/** `catalog.yaml`; `baseUrl` ends in `/v1`. */
export function writeCatalog(baseUrl: string): string {
  const entries = models.map(({ id, operation, providers, inputNanos, outputNanos }) => {
    const routes = providers.map((provider) => `{ provider: ${provider}, model: soak }`).join(", ");
    const output = operation === "chat" ? `, output: ${usdPerMillion(outputNanos)}` : "";
    const kind =
      operation === "chat"
        ? "maxOutputTokens: 4096\n    tokenizer: bytes"
        : "operation: embeddings\n    dimensions: 256";
    return `  - id: ${id}
    created: "2026-01-01"
    contextTokens: 100000
    ${kind}
    capabilities: []
    routes: [${routes}]
    prices: { input: ${usdPerMillion(inputNanos)}${output} }`;
  });
  return `providers:
  - { id: first, kind: openai-compatible, baseUrl: "${baseUrl}" }
  - { id: second, kind: openai-compatible, baseUrl: "${baseUrl}" }
  - { id: claude, kind: anthropic, baseUrl: "${baseUrl}", apiKey: soak }
  - { id: responses, baseUrl: "${baseUrl}", quirks: { responses: only } }
models:
${entries.join("\n")}
`;
}
