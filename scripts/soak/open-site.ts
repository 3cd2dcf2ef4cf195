// Everything a soak needs: PostgreSQL with durable settings, the scripted upstream, two servers in production
// mode, and the owner's own connection. Closing it ends every process it started.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Connection, connectDatabase, migrate } from "@turnpike/db";
import { type ScriptedUpstream, startScriptedUpstream } from "@turnpike/testing";
import { type Instance, openInstance } from "./instance.ts";
import { openSoakCluster, type SoakCluster } from "./open-soak-cluster.ts";
import { writeCatalog } from "./soak-catalog.ts";

export type SoakSite = {
  readonly cluster: SoakCluster;
  readonly upstream: ScriptedUpstream;
  readonly owner: Connection;
  readonly instances: readonly [Instance, Instance];
  readonly close: () => Promise<void>;
};

/** Short, so that what the dead held is returned within a round. */
export const times = {
  heartbeatMs: 500,
  heartbeatLapseMs: 3_000,
  silentMs: 5_000,
  reapEveryMs: 1_000,
} as const;

export async function openSite(options: { readonly citus: boolean }): Promise<SoakSite> {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-soak-"));
  const cluster = await openSoakCluster(options);
  const { appUrl, ownerUrl } = cluster;
  await migrate({ url: ownerUrl });
  await cluster.distribute();
  // The requests are in the plans of the calls; the upstream itself remembers none.
  const upstream = await startScriptedUpstream({ keepRequests: 1 });
  const catalog = join(folder, "catalog.yaml");
  writeFileSync(catalog, writeCatalog(upstream.baseUrl));
  const environment = {
    NODE_ENV: "production",
    PUBLIC_URL: "http://127.0.0.1:3000",
    ALLOWED_HOSTS: "127.0.0.1",
    HOST: "127.0.0.1",
    DATABASE_MIGRATION_URL: ownerUrl,
    CATALOG_FILE: catalog,
    ALLOW_PRIVATE_UPSTREAMS: "true",
    CHECK_BOOKS_EVERY_MS: "10000",
    SETTLE_WAIT_MS: "5000",
    DRAIN_NOTICE_MS: "0",
    DRAIN_STREAMS_MS: "2000",
  };
  const instances = await Promise.all([
    openInstance("one", appUrl, { environment, times }),
    openInstance("two", appUrl, { environment, times }),
  ]);
  const owner = connectDatabase({
    url: ownerUrl,
    max: 4,
    applicationName: "turnpike soak",
    statementTimeoutMs: 300_000,
  });
  return {
    cluster,
    upstream,
    owner,
    instances,
    async close() {
      for (const instance of instances) {
        await instance.end("SIGKILL");
        await instance.proxy.close();
      }
      await owner.close();
      await upstream.close();
      await cluster.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
