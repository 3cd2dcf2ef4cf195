// A production installation on loopback, as `bun run start` accepts it: durable PostgreSQL with a hot standby and an archive,
// a server behind a TLS proxy, a mail server, a provider and a collector of traces. It takes no money: the scripted Stripe is
// for tests, and production refuses it.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "@turnpike/db";
import type { RunningPostgres } from "../../../../scripts/postgres/start-postgres.ts";
import { openAuthority } from "../harness/issue-certificate.ts";
import { eventually } from "../money/read-requests.ts";
import { openInstallation } from "./open-installation.ts";
import { openStandby } from "./open-standby.ts";
import { type OwnCluster, openCluster } from "./own-cluster.ts";

export type Production = {
  readonly cluster: OwnCluster;
  readonly standby: RunningPostgres;
  readonly collector: ReturnType<typeof startCollector>;
  /** What its operator wrote: without what `bun run start` adds. */
  readonly environment: Readonly<Record<string, string>>;
  /** PEM of the authority that the proxy's certificate is from, and a file with it. */
  readonly ca: string;
  readonly caFile: string;
  /** For files of the test. */
  readonly folder: string;
  /** The same database of the standby. */
  readonly atStandby: (url: string) => string;
  readonly close: () => Promise<void>;
};

const sealingKey = "a-sealing-key-that-only-these-tests-have";
const ledgerKey = "a-ledger-key-that-only-these-tests-have-";

export async function openProduction(): Promise<Production> {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-production-"));
  const authority = openAuthority();
  const caFile = join(folder, "ca.pem");
  const termsFile = join(folder, "terms.md");
  writeFileSync(caFile, authority.cert);
  writeFileSync(termsFile, "# Terms\n");
  const collector = startCollector();
  const cluster = await openCluster({ durable: true });
  const standby = await prepare(cluster);
  const atStandby = (url: string) => Object.assign(new URL(url), { port: standby.port }).href;
  const { ownerUrl, appUrl } = cluster.postgres;
  const installation = await openInstallation(authority, {
    metricsToken: "a-token-that-Prometheus-has",
    days: 90,
    environment: {
      STRIPE_SECRET_KEY: "",
      STRIPE_WEBHOOK_SECRET: "",
      STRIPE_API_BASE: "",
      NODE_ENV: "production",
      SANDBOX: "",
      SEALING_KEY: sealingKey,
      LEDGER_KEY: ledgerKey,
      DATABASE_URL: appUrl,
      DATABASE_MIGRATION_URL: ownerUrl,
      DATABASE_DIRECT_URL: appUrl,
      DATABASE_REPLICA_URL: atStandby(appUrl),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      TERMS_FILE: termsFile,
    },
    catalog: describeCatalog,
  });
  const added = ["BUN_CONFIG_MAX_HTTP_REQUESTS", "NODE_ENV"];
  const own = Object.entries(installation.environment).filter(([name]) => !added.includes(name));
  await eventually("the first archived segment, and the key of receipts", async () => {
    const [archiver] = await cluster.admin.sql<{ archived: boolean }[]>`
      select last_archived_time is not null as archived from pg_stat_archiver`;
    const keys = await installation.server.services.database.sql`select from signing_keys`;
    return archiver?.archived === true && keys.length > 0;
  });
  return {
    cluster,
    standby,
    collector,
    folder,
    atStandby,
    caFile,
    ca: authority.cert,
    environment: Object.fromEntries(own),
    async close() {
      await installation.close();
      await standby.stop();
      await cluster.close();
      await collector.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Migrated, archived, and followed by a standby. */
async function prepare(cluster: OwnCluster): Promise<RunningPostgres> {
  const { sql } = cluster.admin;
  // Both take effect when the standby is made, for which the cluster is started again.
  await sql.unsafe("alter system set archive_mode = on");
  await sql.unsafe("alter system set archive_command = 'test -f %p'");
  await migrate({ url: cluster.postgres.ownerUrl, ledgerKeys: [ledgerKey] });
  const standby = await openStandby(cluster, { follows: true, durable: true });
  await sql`select pg_switch_wal()`;
  return standby;
}

function startCollector() {
  const state = { status: 200 };
  const listening = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => Response.json({}, { status: state.status }),
  });
  const url = `http://127.0.0.1:${listening.port}`;
  return { state, url, stop: () => listening.stop(true) };
}

type Provider = { readonly baseUrl: string; readonly state: { readonly key: string } };

function describeCatalog({ baseUrl, state }: Provider): string {
  return `
providers: [{ id: acme, baseUrl: "${baseUrl}", apiKey: "${state.key}" }]
models:
  - id: test/cheap
    contextTokens: 1000
    maxOutputTokens: 100
    routes: [{ provider: acme, model: m }]
    prices: { input: "0.1", output: "0.4" }
`;
}
