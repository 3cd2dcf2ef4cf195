// PostgreSQL without room, for its tables or for its write-ahead log, or with a table that may not grow:
// calls are refused meanwhile, and continue once there is room.
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
import { type Connection, errorCodeOf } from "@turnpike/db";
import { chatBody, expectFault, openAccount, postChat } from "../harness/index.ts";
import { askChat } from "../money/ask-chat.ts";
import { eventually } from "../money/read-requests.ts";
import type { OwnCluster } from "../operations/own-cluster.ts";
import { type OwnSite, openOwnSite } from "./open-own-site.ts";
import { deltas, expectBilledOnce } from "./start-calls.ts";

setDefaultTimeout(180_000);

let site: OwnSite | undefined;
let mounted = "";
/** Without it, a server would wait for the call of a test that failed. */
let openGate = (): void => undefined;
afterEach(async () => {
  openGate();
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
  try {
    // More than there is room for, because PostgreSQL may return some meanwhile.
    writeFileSync(filler, Buffer.alloc((bavail + 1) * bsize));
  } catch (error) {
    expect(errorCodeOf(error)).toBe("ENOSPC");
  }
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

/** More rows than fit into what is left of the pages that the tables have already. */
const unbilledCount = 32;

/** Calls that run when the disk becomes full, so that they cannot all be billed when they end. */
async function beginCalls({ owner, server, upstream }: OwnSite) {
  const account = await openAccount({ owner });
  const names = Array.from({ length: unbilledCount }, (_, nth) => `${account.keyId} ${nth}`);
  const asked = names.map((name) => {
    const body = chatBody({ tag: name, deltas, gate: true });
    return askChat(server, { key: account.key, name, body });
  });
  for (const name of names) await upstream.waitFor(({ tag }) => tag === name);
  openGate = () => {
    for (const name of names) upstream.open(name);
  };
  return {
    async end() {
      openGate();
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      expect(statuses).toContain(503);
      expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    },
    expectBilled: () => expectBilledOnce({ owner }, account, names),
  };
}

test.skipIf(!mayMount)("T4, FD11: the disk of the tables is full", async () => {
  site = await openOwnSite(moveTables);
  const unbilled = await beginCalls(site);
  await site.withstand(async (calls) => {
    const free = fillDisk();
    await calls.awaitRefusal();
    await unbilled.end();
    free();
  });
  await unbilled.expectBilled();
});

test.skipIf(!mayMount)("T4, FD11: the disk of the write-ahead log is full", async () => {
  site = await openOwnSite(moveLog);
  const { cluster, owner, server } = site;
  const unbilled = await beginCalls(site);
  const { key } = await openAccount({ owner });
  await site.withstand(async (calls) => {
    const free = fillDisk();
    const ended = cluster.ended();
    // PostgreSQL ends when a segment of the log has no room, and again when it tries to recover.
    while (await cluster.admin.sql`select pg_switch_wal()`.catch(() => undefined));
    await ended;
    await calls.awaitRefusal();
    await unbilled.end();
    const refused = await postChat(server, key, chatBody({ deltas }));
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    await expectFault(refused, { status: 503, type: "server_error", code: "database_unavailable" });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
    free();
    await cluster.start();
  });
  await unbilled.expectBilled();
});

/** A segment of the write-ahead log has this size from the start. */
const segmentBytes = 16 * 1024 * 1024;

/** Fills the table of this month's requests with rows that were never committed; returns its size. */
async function growRequests(owner: Connection): Promise<number> {
  const rolledBack = new Error("rolled back");
  let bytes = 0;
  const growing = owner.sql.begin(async (sql) => {
    while (bytes <= segmentBytes) {
      await sql`
        insert into requests
        select copied.*
          from (select to_jsonb(requests) as columns from requests limit 1) template,
               generate_series(1, 2000) nth,
               jsonb_populate_record(null::requests,
                 columns || jsonb_build_object('id', uuidv7(), 'nth', nth)) copied`;
      const [row] = await sql<{ bytes: number }[]>`
        select max(pg_relation_size(relid))::float8 as bytes from pg_partition_tree('requests')`;
      bytes = row?.bytes ?? 0;
    }
    throw rolledBack;
  });
  await growing.catch((thrown: unknown) => {
    if (thrown !== rolledBack) throw thrown;
  });
  return bytes;
}

/** Also for processes that PostgreSQL starts later. */
async function limitFiles(cluster: OwnCluster, bytes: number | "unlimited"): Promise<void> {
  const { uid, gid } = statSync(cluster.postgres.home);
  const limit = (pid: number) =>
    spawnSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}:`], { uid, gid });
  expect(limit(cluster.postmasterPid()).status).toBe(0);
  const processes = await cluster.admin.sql<{ pid: number }[]>`select pid from pg_stat_activity`;
  for (const { pid } of processes) limit(pid);
}

const mayLimit = spawnSync("prlimit", ["--version"]).status === 0;
if (!mayLimit) console.log("skip: there is no prlimit here, which limits the files of a process");

// EFBIG stands for EDQUOT, which needs a file system with quotas: PostgreSQL reports both as XX000.
test.skipIf(!mayLimit)("T4: a table may not grow, as if a quota was used up", async () => {
  site = await openOwnSite();
  const { cluster, owner, server } = site;
  const unbilled = await beginCalls(site);
  await site.withstand(async (calls) => {
    await limitFiles(cluster, await growRequests(owner));
    await calls.awaitRefusal();
    await unbilled.end();
    await limitFiles(cluster, "unlimited");
  });
  await unbilled.expectBilled();
  await eventually("the reason in the log", async () =>
    server.output().includes("could not extend file"),
  );
});
