// Everything the company runs on: PostgreSQL with a clock that can be moved, the scripted upstream, a receiver of
// webhooks, and one server a simulated day. Closing it ends every process it started.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Connection, connectDatabase, migrate } from "@turnpike/db";
import {
  type SpawnedServer,
  shiftDatabaseClock,
  spawnServer,
  startScriptedUpstream,
  startWebhookReceiver,
  type WebhookReceiver,
} from "@turnpike/testing";
import { openCluster } from "../../postgres/open-cluster.ts";
import { companyCatalog } from "./company-catalog.ts";

const dayMs = 86_400_000;
const main = fileURLToPath(new URL("simulated-server.ts", import.meta.url));

export type CompanySite = {
  readonly owner: Connection;
  readonly receiver: WebhookReceiver;
  /** The server of the present day; its `url` changes every day. */
  readonly server: () => SpawnedServer;
  /** The simulated time. */
  readonly now: () => Date;
  /** Ends the server in order, moves all clocks on by a day, and starts the next one. */
  readonly nextDay: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function openCompanySite(): Promise<CompanySite> {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-company-"));
  const cluster = await openCluster({ durable: false });
  const { ownerUrl, appUrl } = cluster.postgres;
  const database = { ownerUrl, name: new URL(ownerUrl).pathname.slice(1) };
  // The month of the company is over when it begins: nothing it does is in the future of the real clock.
  let aheadMs = 0;
  // Before the migrations, so that defaults and views get this clock; after them, so that functions do.
  await shiftDatabaseClock(database, aheadMs);
  await migrate({ url: ownerUrl });
  await shiftDatabaseClock(database, aheadMs);
  const upstream = await startScriptedUpstream({ keepRequests: 1 });
  const receiver = startWebhookReceiver();
  const catalog = join(folder, "catalog.yaml");
  writeFileSync(catalog, companyCatalog(upstream.baseUrl));
  const owner = connectDatabase({ url: ownerUrl, max: 2, applicationName: "turnpike company" });
  const start = () =>
    spawnServer(
      {
        ...environment,
        DATABASE_URL: appUrl,
        DATABASE_MIGRATION_URL: ownerUrl,
        CATALOG_FILE: catalog,
        SANDBOX_UPSTREAM_URL: upstream.baseUrl,
        CLOCK_AHEAD_MS: String(aheadMs),
      },
      { main, times: { sendWebhooksEveryMs: 50 } },
    );
  let server = await start();
  return {
    owner,
    receiver,
    server: () => server,
    now: () => new Date(Date.now() + aheadMs),
    async nextDay() {
      const { code } = await server.kill("SIGTERM");
      if (code !== 0) throw new Error(`the server ended with ${code}:\n${server.output()}`);
      aheadMs += dayMs;
      await shiftDatabaseClock(database, aheadMs);
      server = await start();
    },
    async close() {
      await server.kill("SIGKILL");
      await owner.close();
      await upstream.close();
      await receiver.close();
      await cluster.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const environment = {
  NODE_ENV: "test",
  HOST: "127.0.0.1",
  SANDBOX: "true",
  ALLOW_PRIVATE_UPSTREAMS: "true",
  ALLOW_PRIVATE_WEBHOOKS: "true",
  SEALING_KEY: "the-company-seals-its-secrets-with-this",
  // Fifty people sign up from one address within a minute.
  THROTTLE_SCALE: "100",
  DRAIN_NOTICE_MS: "0",
  LOG_LEVEL: "info",
} as const;
