// A server whose models have routes to three scripted upstreams, so that each can fail in its own way.
import { beforeEach } from "bun:test";
import { type AccountId, newId } from "@turnpike/base";
import { type Script, type ScriptedUpstream, startScriptedUpstream } from "@turnpike/testing";
import {
  at,
  chatBody,
  getPath,
  postChat,
  readJson,
  startTestServer,
  type TestAccount,
  type TestServer,
  useServer,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";

type ServerOptions = NonNullable<Parameters<typeof startTestServer>[0]>;

export const routed = {
  /** Routes a, b, c at 100 and 400 nano-dollars per token; b at twice and c at three times that. */
  abc: "test/abc",
  /** Only route a. */
  a: "test/a",
  /** Only route b, at the price of `abc`. */
  b: "test/b",
  /** Only route c, at the price of `abc`. */
  c: "test/c",
  /** Routes a and c, at the price of `abc`. */
  twice: "test/twice",
  /** Only route b, with a context of 100 tokens. */
  small: "test/small",
  /** Embeddings of route a. */
  embeddings: "test/embeddings",
} as const;

export type RoutedServer = TestServer & {
  readonly upstreams: { readonly [Name in "a" | "b" | "c"]: ScriptedUpstream };
};

export type RoutedOptions = Omit<ServerOptions, "catalog"> & {
  /** Replaces the address of upstream a. */
  readonly baseUrlOfA?: string;
  /** Changes the text of the catalog. */
  readonly editCatalog?: (catalog: string) => string;
};

export async function startRoutedServer(options: RoutedOptions = {}): Promise<RoutedServer> {
  const [b, c] = [await startScriptedUpstream(), await startScriptedUpstream()];
  const { baseUrlOfA, editCatalog = (catalog) => catalog, ...rest } = options;
  const server = await startTestServer({
    ...rest,
    catalog: (baseUrl) => editCatalog(routedCatalog(baseUrlOfA ?? baseUrl, b.baseUrl, c.baseUrl)),
  });
  return {
    ...server,
    upstreams: { a: server.upstream, b, c },
    async close() {
      await server.close();
      await Promise.all([b.close(), c.close()]);
    },
  };
}

/**
 * For the top of a test file, like `useServer`; before each test every upstream works and no route
 * is paused.
 */
export async function useRoutedServer(options: RoutedOptions = {}) {
  const { server, account } = await useServer(startRoutedServer(options));
  beforeEach(() => {
    scriptAll(server);
    healAll(server);
  });
  return { server, account };
}

export function routedCatalog(a: string, b: string, c: string): string {
  const facts = "contextTokens: 10000, maxOutputTokens: 1000, capabilities: [tools]";
  const prices = 'prices: { input: "0.10", cachedInput: "0.025", output: "0.40" }';
  const double = 'prices: { input: "0.20", output: "0.80" }';
  const triple = 'prices: { input: "0.30", output: "1.20" }';
  return `
providers:
  - { id: a, baseUrl: "${a}", apiKey: key-of-a-0123456789 }
  - { id: b, baseUrl: "${b}", apiKey: key-of-b-0123456789 }
  - { id: c, baseUrl: "${c}", apiKey: key-of-c-0123456789 }
models:
  - { id: ${routed.abc}, ${facts}, ${prices}, routes: [
      { provider: a, model: up }, { provider: b, model: up, ${double} }, { provider: c, model: up, ${triple} }] }
  - { id: ${routed.a}, ${facts}, ${prices}, routes: [{ provider: a, model: up-a }] }
  - { id: ${routed.b}, ${facts}, ${prices}, routes: [{ provider: b, model: up-b }] }
  - { id: ${routed.c}, ${facts}, ${prices}, routes: [{ provider: c, model: up-c }] }
  - { id: ${routed.twice}, ${facts}, ${prices}, routes: [{ provider: a, model: up }, { provider: c, model: up }] }
  - { id: ${routed.small}, contextTokens: 100, maxOutputTokens: 100, ${prices}, routes: [{ provider: b, model: up-small }] }
  - { id: ${routed.embeddings}, operation: embeddings, contextTokens: 1000, dimensions: 256, prices: { input: "0.10" }, routes: [{ provider: a, model: up-embeddings }] }
`;
}

/** How upstreams answer until the next call of this; those without a script answer successfully. */
export function scriptAll(
  { upstreams }: RoutedServer,
  scripts: { readonly [Name in "a" | "b" | "c"]?: Script } = {},
): void {
  for (const name of ["a", "b", "c"] as const)
    upstreams[name].script(scripts[name] ?? { deltas: 2 });
}

/** How many requests each upstream has received so far. */
export function countRequests({ upstreams }: RoutedServer) {
  const { a, b, c } = upstreams;
  return { a: a.requests.length, b: b.requests.length, c: c.requests.length };
}

/** Posts a plain message, which the scripts of the upstreams answer. */
export function askRouted(
  server: Pick<RoutedServer, "baseUrl">,
  account: TestAccount,
  fields: Readonly<Record<string, unknown>> = {},
  signal?: AbortSignal,
): Promise<Response> {
  const messages = [{ role: "user", content: "hello" }];
  const body = { ...chatBody({}), model: routed.abc, messages, ...fields };
  return postChat(server, account.key, body, signal === undefined ? {} : { signal });
}

/** What `/v1/generation` reports for an answer. */
export async function readGeneration(
  server: Pick<RoutedServer, "baseUrl">,
  account: TestAccount,
  response: Response,
): Promise<Record<string, unknown>> {
  const id = response.headers.get("x-generation-id");
  // Refused calls are written in the background.
  return eventually(`generation ${id}`, async () => {
    const body = await readJson(await getPath(server, account.key, `/generation?id=${id}`));
    const data = at(body, "data");
    return typeof data === "object" && data !== null && { ...data };
  });
}

/** Makes the server forget that routes asked for a pause or refused its credentials, and its retries. */
export function healAll({ services }: RoutedServer): void {
  for (let call = 0; call < 100; call += 1) services.gateway.retryBudget.earn();
  const nowMs = performance.now();
  for (const health of services.gateway.routeHealth.all()) {
    health.succeeded(newId<AccountId>(), nowMs, undefined);
    health.pause(0, nowMs);
  }
}
