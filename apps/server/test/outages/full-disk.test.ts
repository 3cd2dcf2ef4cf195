// PostgreSQL without room, for its tables or for its write-ahead log: calls are refused meanwhile, and
// continue once there is room.
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chatBody, expectFault, openAccount, postChat } from "../harness/index.ts";
import { askChat } from "../money/ask-chat.ts";
import type { OwnCluster } from "../operations/own-cluster.ts";
import { type OwnSite, openOwnSite } from "./open-own-site.ts";
import { deltas, expectBilledOnce } from "./start-calls.ts";

setDefaultTimeout(180_000);

let site: OwnSite | undefined;
let mounted = "";
afterEach(async () => {
  try {
    await site?.close();
  } finally {
    site = undefined;
    unmount();
  }
});

function unmount(): void {
  if (mounted === "") return;
  spawnSync("umount", ["--lazy", mounted]);
  rmdirSync(mounted);
  mounted = "";
}

/** A file system with a folder that PostgreSQL may use; throws if this process may not mount one. */
function mountSmallDisk({ postgres }: OwnCluster): string {
  const disk = mkdtempSync(join(tmpdir(), "turnpike-disk-"));
  const made = spawnSync("mount", ["-t", "tmpfs", "-o", "size=96m", "tmpfs", disk]);
  if (made.status !== 0) throw new Error(String(made.stderr));
  mounted = disk;
  chmodSync(disk, 0o711);
  const { uid, gid } = statSync(postgres.home);
  const folder = join(disk, "postgres");
  mkdirSync(folder, { mode: 0o700 });
  chownSync(folder, uid, gid);
  return folder;
}

/** Leaves no room; the returned function frees it. */
function fillDisk(): () => void {
  const filler = join(mounted, "filler");
  const { bavail, bsize } = statfsSync(mounted);
  writeFileSync(filler, Buffer.alloc(bavail * bsize));
  return () => rmSync(filler);
}

async function moveTables(cluster: OwnCluster): Promise<void> {
  const folder = mountSmallDisk(cluster);
  await cluster.admin.sql.unsafe(`create tablespace small location '${folder}'`);
  await cluster.admin.sql.unsafe("alter database turnpike set tablespace small");
}

async function moveLog(cluster: OwnCluster): Promise<void> {
  await cluster.stop("SIGINT");
  const log = join(cluster.postgres.home, "cluster/pg_wal");
  const folder = mountSmallDisk(cluster);
  const { uid, gid } = statSync(log);
  cpSync(log, folder, { recursive: true });
  spawnSync("chown", ["-R", `${uid}:${gid}`, folder]);
  rmSync(log, { recursive: true });
  symlinkSync(folder, log);
  await cluster.start();
}

const mayMount = process.getuid?.() === 0 && spawnSync("unshare", ["--mount", "true"]).status === 0;
if (!mayMount) console.log("skip: only root may mount a small disk");

/** A call that runs when the disk becomes full, so that it cannot be billed when it ends. */
async function beginCall({ owner, server, upstream }: OwnSite) {
  const account = await openAccount({ owner });
  const name = `${account.keyId} unbilled`;
  const body = chatBody({ tag: name, deltas, gate: true });
  const asked = askChat(server, { key: account.key, name, body });
  await upstream.waitFor(({ tag }) => tag === name);
  return {
    async end() {
      upstream.open(name);
      expect((await asked).status).toBe(503);
    },
    expectBilled: () => expectBilledOnce({ owner }, account, [name]),
  };
}

test.skipIf(!mayMount)("T4: the disk of the tables is full", async () => {
  site = await openOwnSite(moveTables);
  const call = await beginCall(site);
  await site.withstand(async (calls) => {
    const free = fillDisk();
    await calls.awaitRefusal();
    await call.end();
    free();
  });
  await call.expectBilled();
});

test.skipIf(!mayMount)("T4: the disk of the write-ahead log is full", async () => {
  site = await openOwnSite(moveLog);
  const { cluster, owner, server } = site;
  const call = await beginCall(site);
  const { key } = await openAccount({ owner });
  await site.withstand(async (calls) => {
    const free = fillDisk();
    const ended = cluster.ended();
    // PostgreSQL ends when a segment of the log has no room, and again when it tries to recover.
    while (await cluster.admin.sql`select pg_switch_wal()`.catch(() => undefined));
    await ended;
    await calls.awaitRefusal();
    await call.end();
    const refused = await postChat(server, key, chatBody({ deltas }));
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    await expectFault(refused, { status: 503, type: "server_error", code: "overloaded" });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
    free();
    await cluster.start();
  });
  await call.expectBilled();
});
