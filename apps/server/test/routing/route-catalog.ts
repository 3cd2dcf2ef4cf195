// Models with several routes: every provider of this catalog is the same scripted upstream under another
// name and path, so that a test sees which of them was called.
import type { ScriptedUpstream, UpstreamRequest } from "@turnpike/testing";

/** Names of the providers `a`, `b`, …; each model of `routeCatalog` says which it has, in order. */
const providers = `
  - { id: keeps, baseUrl: "BASE", apiKey: k-keeps, dataCollection: allow }
  - { id: deletes, baseUrl: "BASE", apiKey: k-deletes, dataCollection: deny }
  - { id: retains-nothing, baseUrl: "BASE", apiKey: k-retains-nothing, dataCollection: deny, zdr: true }
  - { id: silent, baseUrl: "BASE", apiKey: k-silent }
`;

export const routeModels = {
  /** All four providers: keeps, silent, deletes, retains-nothing. */
  policies: "test/policies",
} as const;

export function routeCatalog(baseUrl: string): string {
  return `
providers:${providers.replaceAll("BASE", baseUrl)}
models:
  - id: ${routeModels.policies}
    contextTokens: 10000
    maxOutputTokens: 1000
    capabilities: [tools]
    routes:
      - { provider: keeps, model: m }
      - { provider: silent, model: m, parameters: [max_tokens, logit_bias] }
      - { provider: deletes, model: m }
      - { provider: retains-nothing, model: m }
    prices: { input: "0.10", output: "0.40" }
`;
}

/** The provider that a request was meant for, by the key it was sent with. */
export function providerOf({ headers }: Pick<UpstreamRequest, "headers">): string {
  return String(headers.authorization).replace("Bearer k-", "");
}

/** The providers called since the `from`th request of the upstream, in order. */
export function calledSince({ requests }: ScriptedUpstream, from: number): string[] {
  return requests.slice(from).map(providerOf);
}
