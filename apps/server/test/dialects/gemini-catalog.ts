// A catalog of models behind Gemini's API; prices are those of `billCheap`.
import { providerKey } from "../harness/index.ts";

const modelEntry = (provider: string) => `
  - id: google/${provider}
    contextTokens: 100000
    maxOutputTokens: 10000
    capabilities: [tools, json_schema, reasoning, vision, files]
    reasoning: visible
    routes: [{ provider: ${provider}, model: gemini-3-flash }]
    prices: { input: "0.10", cachedInput: "0.025", output: "0.40" }`;

/** `google/scripted`, and with the address of a peer also `google/peer`. */
export function geminiCatalog(baseUrl: string, peerUrl?: string): string {
  const peer = `\n  - { id: peer, kind: google, baseUrl: "${peerUrl}/v1beta", apiKey: any }`;
  return `
providers:
  - { id: scripted, kind: google, baseUrl: "${baseUrl}beta", apiKey: "${providerKey}" }${peerUrl ? peer : ""}
models:${modelEntry("scripted")}${peerUrl ? modelEntry("peer") : ""}
`;
}
