// An installation on loopback: a server behind a TLS proxy, with a scripted Stripe, a mail server and a provider. A test
// changes what they do.
import { startMailCatcher, startScriptedStripe } from "@turnpike/testing";
import { openTestSite, startTestServer, type TestServer } from "../harness/index.ts";
import type { Authority } from "../harness/issue-certificate.ts";

export type Installation = {
  readonly proxy: ReturnType<typeof startProxy>;
  readonly provider: ReturnType<typeof startProvider>;
  readonly server: TestServer;
  /** Where Stripe sends events. */
  readonly endpoint: { status: "enabled" | "disabled"; enabled_events: string[] };
  /** What the server has, and so what a command on its machine is given. */
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
};

export type InstallationOptions = {
  readonly metricsToken: string;
  /** Replaces variables of the same name. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Of the proxy's certificate. */
  readonly days?: number;
  /** Default: with a route whose provider has no key. */
  readonly catalog?: (provider: ReturnType<typeof startProvider>) => string;
};

export async function openInstallation(
  authority: Authority,
  { metricsToken, environment = {}, days, catalog = describeCatalog }: InstallationOptions,
): Promise<Installation> {
  const [stripe, mail] = await Promise.all([startScriptedStripe(), startMailCatcher()]);
  const provider = startProvider();
  const proxy = startProxy(authority, days);
  const endpoint = {
    id: "we_1",
    object: "webhook_endpoint" as const,
    url: `${proxy.url}/stripe/webhook`,
    status: "enabled" as const,
    enabled_events: ["*"],
    created: 0,
  };
  stripe.books.endpoints.push(endpoint);
  const site = await openTestSite({
    environment: {
      ...stripe.environment,
      PUBLIC_URL: proxy.url,
      TRUSTED_PROXIES: "127.0.0.1",
      METRICS_TOKEN: metricsToken,
      SMTP_URL: mail.url,
      SANDBOX_UPSTREAM_URL: "",
      ...environment,
    },
    catalog: () => catalog(provider),
  });
  const server = await startTestServer({ site });
  proxy.state.target = server.url;
  return {
    proxy,
    provider,
    server,
    endpoint,
    environment: site.environment,
    async close() {
      await server.close();
      await site.close();
      await Promise.all([stripe.close(), mail.close()]);
      proxy.stop();
      provider.stop();
    },
  };
}

function describeCatalog(provider: ReturnType<typeof startProvider>): string {
  return `
providers:
  - { id: acme, baseUrl: "${provider.baseUrl}", apiKey: "${provider.state.key}" }
  - { id: keyless, baseUrl: "${provider.baseUrl}", apiKey: "\${NO_SUCH_KEY}" }
models:
  - id: test/cheap
    contextTokens: 1000
    maxOutputTokens: 100
    routes: [{ provider: acme, model: m }, { provider: keyless, model: m }]
    prices: { input: "0.1", output: "0.4" }
`;
}

/** Ends TLS, as nginx does. */
function startProxy(authority: Authority, days: number | undefined) {
  const state = {
    target: "",
    /** What is sent on as X-Forwarded-For; undefined: nothing. */
    forward: (caller: string, _given: string | null): string | undefined => caller,
    /** Instead of the caller's. */
    host: undefined as string | undefined,
  };
  const listening = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls: authority.issue({ name: "localhost" }, days),
    async fetch(request, self) {
      const { pathname, host } = new URL(request.url);
      const headers = new Headers(request.headers);
      const caller = self.requestIP(request)?.address ?? "";
      const forwarded = state.forward(caller, headers.get("x-forwarded-for"));
      headers.delete("x-forwarded-for");
      if (forwarded !== undefined) headers.set("x-forwarded-for", forwarded);
      headers.set("host", state.host ?? host);
      const body = request.method === "POST" ? await request.arrayBuffer() : null;
      const sent = fetch(state.target + pathname, { method: request.method, headers, body });
      return sent.catch(() => new Response("", { status: 502 }));
    },
  });
  return { state, url: `https://localhost:${listening.port}`, stop: () => listening.stop(true) };
}

/** Lists its models for one key. */
function startProvider() {
  const state = { key: "the-right-key-of-the-provider" };
  const listening = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch({ headers }) {
      const isRight = headers.get("authorization") === `Bearer ${state.key}`;
      return Response.json({}, { status: isRight ? 200 : 401 });
    },
  });
  const baseUrl = `http://127.0.0.1:${listening.port}/v1`;
  return { state, baseUrl, stop: () => listening.stop(true) };
}
