// The database of a soak: one durable PostgreSQL, or a Citus cluster whose workers fail and whose shards move while
// calls are charged.
import { connectDatabase, distributeTables } from "@turnpike/db";
import { citusMissing, findCitus } from "../citus/find-citus.ts";
import { type CitusCluster, startCitus } from "../citus/start-citus.ts";
import { type OwnCluster, openCluster } from "../postgres/open-cluster.ts";
import type { Fault } from "./fault.ts";

export type SoakCluster = Pick<OwnCluster, "stop" | "start" | "postmasterPid" | "close"> & {
  readonly appUrl: string;
  readonly ownerUrl: string;
  /** After the migration. */
  readonly distribute: () => Promise<void>;
  /** Those that only this kind of cluster has. */
  readonly faults: readonly Fault[];
};

export async function openSoakCluster(options: { readonly citus: boolean }): Promise<SoakCluster> {
  if (!options.citus) {
    const cluster = await openCluster({ durable: true });
    const { appUrl, ownerUrl } = cluster.postgres;
    return { ...cluster, appUrl, ownerUrl, distribute: async () => undefined, faults: [] };
  }
  const binaries = findCitus();
  if (binaries === undefined) throw new Error(citusMissing);
  const citus = await startCitus(binaries);
  const { appUrl, ownerUrl, coordinator, close } = citus;
  return {
    appUrl,
    ownerUrl,
    close,
    faults: citusFaults(citus),
    async distribute() {
      const owner = connectDatabase({ url: ownerUrl, max: 1, statementTimeoutMs: 60_000 });
      await distributeTables(owner.sql).finally(() => owner.close());
    },
    stop: coordinator.kill,
    start: coordinator.start,
    postmasterPid: coordinator.postmasterPid,
  };
}

function citusFaults(citus: CitusCluster): readonly Fault[] {
  return [
    {
      name: "worker killed",
      weight: 3,
      async cause(_site, _instance, random) {
        const worker = citus.workers[random.between(0, citus.workers.length - 1)];
        await worker?.kill();
        await Bun.sleep(random.between(0, 2_000));
        await worker?.start();
      },
    },
    { name: "shards moved", weight: 2, cause: () => moveShards(citus) },
  ];
}

/** To a new worker the first time; after that it is emptied and filled in turn. */
async function moveShards(citus: CitusCluster): Promise<void> {
  const added = citus.workers[2];
  if (added === undefined) {
    await citus.addWorker();
    return citus.rebalance();
  }
  if (await citus.isEmpty(added)) return citus.rebalance();
  await citus.drain(added);
}
