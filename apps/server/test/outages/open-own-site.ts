// A server and its own PostgreSQL, which a test may break. Whatever it breaks, the server stays up,
// refuses without hanging, continues by itself, and bills every complete answer once.
import { expect } from "bun:test";
import { type Connection, connectDatabase } from "@turnpike/db";
import {
  patientLimits,
  type SpawnedServer,
  spawnServer,
  startTcpProxy,
  type TcpProxy,
} from "@turnpike/testing";
import { openAccount, openTestSite, type TestSite } from "../harness/index.ts";
import { type OwnCluster, openCluster } from "../operations/own-cluster.ts";
import { type Calls, expectBilledOnce, startCalls } from "./start-calls.ts";

export type OwnSite = Pick<TestSite, "upstream"> & {
  readonly cluster: OwnCluster;
  /** Between the server and the cluster. */
  readonly proxy: TcpProxy;
  readonly owner: Connection;
  readonly server: SpawnedServer;
  /** Breaks something under load; resolves when everything is as it should be. */
  readonly withstand: (breakIt: (calls: Calls) => Promise<void>) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** `prepare` may change the cluster before a server uses it. */
export async function openOwnSite(
  prepare: (cluster: OwnCluster) => Promise<void> = async () => undefined,
): Promise<OwnSite> {
  const site = await openTestSite();
  const cluster = await openCluster({ durable: true });
  await prepare(cluster);
  const { appUrl, ownerUrl, port } = cluster.postgres;
  const proxy = await startTcpProxy({ port });
  const url = new URL(appUrl);
  url.port = String(proxy.port);
  const server = await spawnServer(
    {
      ...site.environment,
      DATABASE_URL: url.href,
      DATABASE_MIGRATION_URL: ownerUrl,
      // Longer than a call may wait for its bill, so that an outage is noticed by its callers soon.
      SETTLE_WAIT_MS: "2000",
    },
    { times: { heartbeatMs: 500 } },
  );
  const forTests = { ...patientLimits, applicationName: "test" };
  const owner = connectDatabase({ url: ownerUrl, max: 2, ...forTests });
  return {
    upstream: site.upstream,
    cluster,
    proxy,
    owner,
    server,
    async withstand(breakIt) {
      const account = await openAccount({ owner });
      const calls = startCalls(server, account);
      try {
        await calls.awaitAnswers();
        await breakIt(calls);
        await calls.awaitAnswers();
      } finally {
        await calls.end();
      }
      const { answered, statuses } = await calls.end();
      expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
      await expectBilledOnce({ owner }, account, answered);
    },
    async close() {
      // It has neither crashed nor given up a charge. How long it waits for dead connections is not asked here.
      expect(await server.kill("SIGTERM")).toMatchObject({ signal: null });
      expect(server.output()).toContain('"msg":"draining"');
      expect(server.output()).not.toMatch(/"uncharged":[1-9]|"charge failed"/);
      await owner.close();
      await proxy.close();
      await cluster.close();
      await site.close();
    },
  };
}
