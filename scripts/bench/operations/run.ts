// `bun run bench:operations`: calls per second and the gateway's CPU per call of each operation, and what uploads and large
// answers take in its memory. With `--memory` or `--calls` only one of them.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnServer } from "@turnpike/testing";
import { startPostgres } from "../../postgres/start-postgres.ts";
import { fundAccounts } from "../fund-accounts.ts";
import { readCpuMs } from "../read-usage.ts";
import { expectNoFailures, sendLoad } from "../send-load.ts";
import { measureMemory } from "./measure-memory.ts";
import { operationCatalog, operationRows, writeOperation } from "./operation-requests.ts";

const [only] = process.argv.slice(2);
const connections = 16;
const [warmUpSeconds, seconds] = [4, 5];

const folder = mkdtempSync(join(tmpdir(), "turnpike-operations-"));
const postgres = await startPostgres({ home: join(folder, "postgres") });
const upstream = await spawnServer(
  {},
  { main: join(import.meta.dirname, "run-operation-upstream.ts") },
);
try {
  const keys = await fundAccounts(postgres.ownerUrl, connections);
  const catalog = join(folder, "catalog.yaml");
  writeFileSync(catalog, operationCatalog(upstream.baseUrl));
  const server = await spawnServer({
    NODE_ENV: "development",
    HOST: "127.0.0.1",
    DATABASE_URL: postgres.appUrl,
    DATABASE_MIGRATION_URL: postgres.ownerUrl,
    CATALOG_FILE: catalog,
    ALLOW_PRIVATE_UPSTREAMS: "true",
    DRAIN_NOTICE_MS: "0",
    // The row of a hundred uploads has all of them on disk.
    UPLOAD_DISK_MIB: "8192",
    BUN_OPTIONS: `--preload=${join(import.meta.dirname, "../collect-on-signal.ts")}`,
  });
  try {
    const { url, pid } = server;
    if (only !== "--memory") await reportCalls(Number(new URL(url).port), pid, keys);
    if (only !== "--calls") {
      console.log("\n| what runs | memory above idle, MB | answers |\n| --- | ---: | --- |");
      for await (const { title, aboveIdleMb, answers } of measureMemory({ url, pid, keys })) {
        console.log(`| ${title} | ${aboveIdleMb.toFixed(0)} | ${JSON.stringify(answers)} |`);
      }
    }
  } finally {
    await server.kill("SIGTERM");
  }
} finally {
  await upstream.kill();
  await postgres.stop();
  rmSync(postgres.home, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}

async function reportCalls(port: number, pid: number, keys: readonly string[]): Promise<void> {
  console.log(`| ${connections} connections | calls/s | CPU of the gateway per call, µs |`);
  console.log("| --- | ---: | ---: |");
  for (const [title, row] of Object.entries(operationRows)) {
    const requests = keys.map((key) => writeOperation(row, port, key));
    const nextRequest = (index: number) => requests[index] ?? Buffer.alloc(0);
    const load = { port, connections, nextRequest };
    expectNoFailures(await sendLoad({ ...load, seconds: warmUpSeconds }));
    const before = readCpuMs(pid);
    const result = await sendLoad({ ...load, seconds });
    expectNoFailures(result);
    const microseconds = ((readCpuMs(pid) - before) * 1_000) / result.calls;
    const perSecond = (result.answers / result.seconds).toFixed(0);
    console.log(`| ${title} | ${perSecond} | ${microseconds.toFixed(0)} |`);
  }
}
