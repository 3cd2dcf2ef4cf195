// Everything a browser test needs, once per process: PostgreSQL, a mail catcher, a scripted upstream, a
// scripted Stripe, the console that `bun run test` built behind the one server process, and one Chromium for all files.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createTestDatabase,
  freePort,
  type MailCatcher,
  type OpenidProvider,
  type ScriptedDns,
  type ScriptedStripe,
  type ScriptedUpstream,
  type SpawnedServer,
  spawnServer,
  startMailCatcher,
  startOpenidProvider,
  startScriptedDns,
  startScriptedStripe,
  startScriptedUpstream,
  writePlaces,
} from "@turnpike/testing";
import type { Browser } from "playwright-core";
import { providerKey, writeCatalog } from "./catalog.fixture.ts";
import { createDemoKey } from "./run-admin.fixture.ts";

export type Environment = {
  readonly browser: Browser;
  readonly server: SpawnedServer;
  /** What the server was started with. */
  readonly settings: Readonly<Record<string, string>>;
  /** Without a slash at the end. */
  readonly url: string;
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly mails: MailCatcher;
  readonly stripe: ScriptedStripe;
  readonly upstream: ScriptedUpstream;
  /** Where people can sign in too; on another site than the console. */
  readonly provider: OpenidProvider;
  /** Of the TXT records that prove domains. */
  readonly dns: ScriptedDns;
  /** For `GET /metrics`. */
  readonly metricsToken: string;
};

let environment: Environment | undefined;
const undo: (() => unknown)[] = [];

/** The environment of this run. */
export function useEnvironment(): Environment {
  if (environment === undefined)
    throw new Error("No environment: run `bun run test apps/console/e2e`.");
  return environment;
}

export async function openEnvironment(browser: Browser): Promise<Environment> {
  undo.push(() => browser.close());
  const [mails, stripe, upstream, provider, dns, database, port] = await Promise.all([
    startMailCatcher(),
    startScriptedStripe(),
    startScriptedUpstream(),
    startOpenidProvider({ hostname: "localhost" }),
    startScriptedDns(),
    createTestDatabase(),
    // Links in mails lead to the server, so its port must be known before it starts.
    freePort(),
  ]);
  const folder = mkdtempSync(join(tmpdir(), "turnpike-e2e-"));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  undo.push(() => database.drop());
  undo.push(mails.close, stripe.close, upstream.close, provider.close, dns.close);
  const catalogFile = join(folder, "catalog.yaml");
  writeFileSync(catalogFile, writeCatalog(upstream.baseUrl));
  const geoFile = join(folder, "places.mmdb");
  writeFileSync(geoFile, writePlaces({ "127.0.0.0/8": { city: "Vienna", country: "Austria" } }));
  const termsFile = join(folder, "terms.md");
  writeFileSync(termsFile, "## Use\n\nBe fair. See [billing](/docs/billing).\n");
  const metricsToken = crypto.randomUUID();
  const settings = {
    NODE_ENV: "test",
    HOST: "127.0.0.1",
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: database.url,
    DATABASE_MIGRATION_URL: database.ownerUrl,
    CATALOG_FILE: catalogFile,
    UPSTREAM_KEY: providerKey,
    SANDBOX_UPSTREAM_URL: upstream.baseUrl,
    ALLOW_PRIVATE_UPSTREAMS: "true",
    ALLOW_PRIVATE_WEBHOOKS: "true",
    SUPPORT_EMAIL: "help@example.com",
    SMTP_URL: mails.url,
    // All sign-ups come from one address.
    THROTTLE_SCALE: "1000",
    METRICS_TOKEN: metricsToken,
    SEALING_KEY: "sealing-key-of-the-browser-tests",
    OBJECTS_FOLDER: join(folder, "objects"),
    LOG_LEVEL: "info",
    DNS_SERVERS: dns.address,
    GEO_FILE: geoFile,
    TERMS_FILE: termsFile,
    ...stripe.environment,
    ...provider.environment("acme", "Acme"),
  };
  const server = await spawnServer(
    { ...settings, DEMO_API_KEY: await createDemoKey(settings) },
    {
      main: join(import.meta.dirname, "../../server/test/harness/run-test-server.ts"),
      times: {
        sendWebhooksEveryMs: 50,
        sendMailEveryMs: 50,
        workInboxEveryMs: 50,
        runBatchesEveryMs: 50,
      },
    },
  );
  undo.push(() => server.kill());
  stripe.deliverTo(server.url);
  provider.allowRedirect(`${server.url}/auth/callback/acme`);
  const { url, baseUrl } = server;
  const parts = { browser, server, settings, url, baseUrl, mails, stripe, upstream, provider };
  environment = { ...parts, dns, metricsToken };
  return environment;
}

export async function closeEnvironment(): Promise<void> {
  environment = undefined;
  for (const step of undo.splice(0).reverse()) await step();
}
