// PostgreSQL without room for its tables: calls are refused meanwhile, and continue once there is room.
import { afterEach, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OwnCluster } from "../operations/own-cluster.ts";
import { type OwnSite, openOwnSite } from "./open-own-site.ts";

setDefaultTimeout(120_000);

let site: OwnSite | undefined;
let mounted = "";
afterEach(async () => {
  await site?.close();
  site = undefined;
  if (mounted === "") return;
  spawnSync("umount", ["--lazy", mounted]);
  rmdirSync(mounted);
  mounted = "";
});

/** Moves the database to a file system of its own; throws if this process may not mount one. */
async function moveToSmallDisk({ admin, postgres }: OwnCluster): Promise<void> {
  const disk = mkdtempSync(join(tmpdir(), "turnpike-disk-"));
  const made = spawnSync("mount", ["-t", "tmpfs", "-o", "size=96m", "tmpfs", disk]);
  if (made.status !== 0) throw new Error(String(made.stderr));
  mounted = disk;
  chmodSync(disk, 0o711);
  const { uid, gid } = statSync(postgres.home);
  const folder = join(disk, "tablespace");
  mkdirSync(folder);
  chownSync(folder, uid, gid);
  await admin.sql.unsafe(`create tablespace small location '${folder}'`);
  await admin.sql.unsafe("alter database turnpike set tablespace small");
}

const mayMount = process.getuid?.() === 0 && spawnSync("unshare", ["--mount", "true"]).status === 0;
if (!mayMount) console.log("skip: only root may mount a small disk");

test.skipIf(!mayMount)("T4: the disk of the tables is full", async () => {
  site = await openOwnSite(moveToSmallDisk);
  const filler = join(mounted, "filler");
  await site.withstand(async (calls) => {
    const { bavail, bsize } = statfsSync(mounted);
    writeFileSync(filler, Buffer.alloc(bavail * bsize));
    await calls.awaitRefusal();
    rmSync(filler);
  });
});
