// The backup and the restore of docs/operations.md, run exactly as documented, while the server serves:
// the restored database passes the checker, has the same money, and serves again with all its rights.
// npm's PostgreSQL binaries lack the client programs, so this runs on an installed PostgreSQL, of the
// oldest documented version if that is installed.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDatabase } from "@turnpike/db";
import { checkBooks } from "@turnpike/ledger";
import { type SpawnedServer, spawnServer } from "@turnpike/testing";
import {
  chatBody,
  openAccount,
  openTestSite,
  postChat,
  readMoney,
  type TestSite,
} from "../harness/index.ts";
import {
  createRoles,
  findInstalled,
  type InstalledCluster,
  openInstalledCluster,
} from "./own-cluster.ts";
import { adapt, readBlock, readBlocks } from "./read-documented.ts";

const programs = findInstalled("pg_dump", "pg_restore");
if (programs === undefined) {
  console.log("skip: no PostgreSQL with pg_dump is installed; Debian has it as postgresql");
}

describe.skipIf(programs === undefined)("a backup and its restore, as documented", () => {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-backup-"));
  let site: TestSite;
  let cluster: InstalledCluster;
  let urls: { ownerUrl: string; appUrl: string };
  const [service, passwords] = [join(folder, "pg_service.conf"), join(folder, "pgpass")];

  beforeAll(async () => {
    site = await openTestSite();
    cluster = await openInstalledCluster(programs ?? "");
    urls = await createRoles(cluster);
    const { port, password } = new URL(urls.ownerUrl);
    const entry = readBlock("Backup and restore", "ini");
    writeFileSync(service, adapt(entry, { "port=5432": `port=${port}` }));
    const line = `127.0.0.1:${port}:turnpike:turnpike_owner:${password}\n`;
    writeFileSync(passwords, line, { mode: 0o600 });
  });
  afterAll(async () => {
    await cluster?.close();
    await site?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const openOwner = () => connectDatabase({ url: urls.ownerUrl, max: 2, applicationName: "test" });
  const start = (): Promise<SpawnedServer> =>
    spawnServer({
      ...site.environment,
      DATABASE_URL: urls.appUrl,
      DATABASE_MIGRATION_URL: urls.ownerUrl,
    });

  async function runBlock(index: number): Promise<void> {
    const child = Bun.spawn(["sh", "-c", readBlocks("Backup and restore", "sh")[index] ?? ""], {
      cwd: folder,
      env: { PATH: `${programs}:/usr/bin:/bin`, PGSERVICEFILE: service, PGPASSFILE: passwords },
      stdout: "ignore",
      stderr: "pipe",
    });
    const said = await new Response(child.stderr).text();
    expect([await child.exited, said]).toEqual([0, ""]);
  }

  test("taken while calls run, it restores correct books, and the server continues with them", async () => {
    const before = openOwner();
    let server = await start();
    const idle = await openAccount({ owner: before }, { usd: "3" });
    const busy = await openAccount({ owner: before });
    const call = async () => {
      const answer = await postChat(server, busy.key, chatBody({ deltas: 3 }));
      expect(answer.status).toBe(200);
      return answer.text();
    };
    await call();
    let dumped = false;
    const calling = Array.from({ length: 4 }, async () => {
      while (!dumped) await call();
    });
    await runBlock(0).finally(() => {
      dumped = true;
    });
    await Promise.all(calling);
    const idleMoney = await readMoney({ owner: before }, idle.id);
    await server.kill("SIGTERM");
    await before.close();

    await cluster.admin.sql.unsafe("drop database turnpike with (force)");
    await createRoles(cluster, (statement) => statement.includes("CREATE DATABASE"));
    await runBlock(1);
    const owner = openOwner();
    try {
      expect(await checkBooks(owner.db)).toEqual([]);
      const [row] = await owner.sql<{ settled: number }[]>`
        select count(*)::int as settled from requests where state = 'settled'`;
      expect(row?.settled).toBeGreaterThan(0);
      // Calls in flight during the dump are released like those of a dead instance.
      server = await start();
      expect(await readMoney({ owner }, idle.id)).toEqual(idleMoney);
      await call();
      expect((await postChat(server, idle.key, chatBody({ deltas: 1 }))).status).toBe(200);
      await server.kill("SIGTERM");
      expect(await checkBooks(owner.db)).toEqual([]);
    } finally {
      await owner.close();
    }
  });
});
