// A hot standby of a cluster, made from a copy of its files. It follows its primary only if asked to; promoted, it
// accepts writes.
import { spawnSync } from "node:child_process";
import { appendFileSync, chownSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type RunningPostgres,
  startPostgres,
} from "../../../../scripts/postgres/start-postgres.ts";
import type { OwnCluster } from "./own-cluster.ts";

/** `follows`: replays what its primary commits. The copy is in the cluster's folder. */
export async function openStandby(
  cluster: OwnCluster,
  { follows, durable }: { readonly follows: boolean; readonly durable: boolean },
): Promise<RunningPostgres> {
  const { postgres, superuserUrl } = cluster;
  const home = join(dirname(postgres.home), "standby");
  await cluster.stop("SIGINT");
  const copied = spawnSync("cp", ["-a", postgres.home, home], { encoding: "utf8" });
  if (copied.status !== 0) throw new Error(copied.stderr);
  await cluster.start();
  const signal = join(home, "cluster/standby.signal");
  writeFileSync(signal, "");
  const { uid, gid } = statSync(home);
  chownSync(signal, uid, gid);
  if (follows) {
    const { username, password, port } = new URL(superuserUrl);
    const primary = `host=127.0.0.1 port=${port} user=${username} password=${password}`;
    appendFileSync(
      join(home, "cluster/postgresql.auto.conf"),
      `primary_conninfo = '${primary} application_name=standby'\n`,
    );
  }
  return startPostgres({ home, durable });
}
