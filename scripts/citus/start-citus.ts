// A Citus cluster of this machine: a coordinator, two workers, and the roles of a Turnpike database. More workers can
// be added while it serves.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Connection, connectDatabase } from "@turnpike/db";
import { appRole, databaseName, ownerRole } from "../postgres/create-cluster.ts";
import { type CitusNode, startCitusNode } from "./citus-node.ts";

export type CitusCluster = {
  readonly coordinator: CitusNode;
  readonly workers: readonly CitusNode[];
  readonly appUrl: string;
  readonly ownerUrl: string;
  /** As the superuser, on the coordinator. */
  readonly admin: Connection;
  /** Moves shards to the new worker only when `rebalance` is called. */
  readonly addWorker: () => Promise<CitusNode>;
  /** Spreads the shards evenly, while they are read and written; resolves when it is done. */
  readonly rebalance: () => Promise<void>;
  /** Moves all shards off a worker, which gets new ones at the next `rebalance`. */
  readonly drain: (worker: CitusNode) => Promise<void>;
  readonly isEmpty: (worker: CitusNode) => Promise<boolean>;
  readonly close: () => Promise<void>;
};

export async function startCitus(
  binaries: string,
  { workers: workerCount = 2 }: { readonly workers?: number } = {},
): Promise<CitusCluster> {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-citus-"));
  chmodSync(folder, 0o711); // As root, PostgreSQL runs as another user, who must be able to enter.
  const startNode = (name: string) => startCitusNode(binaries, join(folder, name));
  const coordinator = await startNode("coordinator");
  const workers: CitusNode[] = [];
  const admin = connectDatabase({
    url: coordinator.url,
    max: 2,
    applicationName: "turnpike citus",
    statementTimeoutMs: 600_000,
  });
  const { sql } = admin;
  const addWorker = async () => {
    const worker = await startNode(`worker-${workers.length + 1}`);
    await sql`select citus_add_node('127.0.0.1', ${worker.port})`;
    workers.push(worker);
    return worker;
  };
  await sql`select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`;
  for (let count = 0; count < workerCount; count += 1) await addWorker();
  // Citus creates them on the workers, too.
  await sql.unsafe(`create role ${ownerRole} login createdb`);
  await sql.unsafe(`grant pg_signal_backend, pg_monitor to ${ownerRole}`);
  await sql.unsafe(`create role ${appRole} login`);
  await sql.unsafe(`alter database ${databaseName} owner to ${ownerRole}`);
  await sql.unsafe(`grant create on schema public to ${ownerRole}`);
  const url = (role: string) => `postgres://${role}@127.0.0.1:${coordinator.port}/${databaseName}`;
  return {
    coordinator,
    workers,
    appUrl: url(appRole),
    ownerUrl: url(ownerRole),
    admin,
    addWorker,
    async rebalance() {
      await sql`select rebalance_table_shards(shard_transfer_mode => 'force_logical')`;
    },
    async drain({ port }) {
      await sql`select citus_drain_node('127.0.0.1', ${port}, shard_transfer_mode => 'force_logical')`;
      await sql`select citus_set_node_property('127.0.0.1', ${port}, 'shouldhaveshards', true)`;
    },
    async isEmpty({ port }) {
      const rows = await sql`select from citus_shards where nodeport = ${port} limit 1`;
      return rows.length === 0;
    },
    async close() {
      await admin.close();
      await Promise.all([coordinator, ...workers].map((node) => node.stop()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
