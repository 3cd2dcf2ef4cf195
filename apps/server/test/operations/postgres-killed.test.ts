// A backend of PostgreSQL is killed under load, so the whole cluster ends every session and recovers from
// its log: the server continues by itself, and every answer that was complete is billed once.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type Connection, connectDatabase } from "@turnpike/db";
import { checkBooks } from "@turnpike/ledger";
import { type SpawnedServer, spawnServer } from "@turnpike/testing";
import {
  chatBody,
  openAccount,
  openTestSite,
  readMoney,
  type TestAccount,
  type TestSite,
} from "../harness/index.ts";
import { askChat } from "../money/ask-chat.ts";
import { eventually, readRequests } from "../money/read-requests.ts";
import { type OwnCluster, openCluster } from "./own-cluster.ts";

setDefaultTimeout(300_000);

const kills = 5;
const callers = 8;

let site: TestSite;
let cluster: OwnCluster;
let owner: Connection;
let server: SpawnedServer;
beforeAll(async () => {
  site = await openTestSite();
  cluster = await openCluster({ durable: true });
  const { appUrl, ownerUrl } = cluster.postgres;
  server = await spawnServer({
    ...site.environment,
    DATABASE_URL: appUrl,
    DATABASE_MIGRATION_URL: ownerUrl,
    DRAIN_NOTICE_MS: "0",
  });
  owner = connectDatabase({ url: ownerUrl, max: 2, applicationName: "test" });
});
afterAll(async () => {
  await server?.kill();
  await owner?.close();
  await cluster?.close();
  await site?.close();
});

/** Undefined while the database recovers. */
async function findBackend(): Promise<number | undefined> {
  const rows = await cluster.admin.sql<{ pid: number }[]>`
    select pid from pg_stat_activity where application_name = 'turnpike charge'`.catch(() => []);
  return rows[0]?.pid;
}

/** Calls until `isOver`, and collects the names of the calls whose answers arrived completely. */
function keepCalling({ key }: TestAccount, answered: string[], isOver: () => boolean) {
  return Array.from({ length: callers }, async (_, caller) => {
    for (let nth = 0; !isOver(); nth += 1) {
      const name = `caller ${caller}, call ${nth}`;
      const stream = nth % 2 === 0;
      const body = { ...chatBody({ deltas: 5 }), stream };
      const { complete, status } = await askChat(server, { key, name, body });
      if (complete) answered.push(name);
      else if (status === 503) await Bun.sleep(20);
    }
  });
}

test("T4: PostgreSQL killed under load: complete answers are billed once, and calls continue", async () => {
  const account = await openAccount({ owner });
  const answered: string[] = [];
  let isOver = false;
  const calling = keepCalling(account, answered, () => isOver);
  for (let kill = 0; kill < kills; kill += 1) {
    const before = answered.length;
    await eventually("calls to be answered", async () => answered.length > before + callers);
    process.kill(await eventually("a charging backend", findBackend), "SIGKILL");
  }
  const before = answered.length;
  await eventually("calls to be answered again", async () => answered.length > before + callers);
  isOver = true;
  await Promise.all(calling);
  expect(await server.kill("SIGTERM")).toMatchObject({ code: 0 });

  const rows = await readRequests({ owner });
  for (const name of answered) {
    expect(`${name}: ${rows.get(name)?.state}`).toBe(`${name}: settled`);
  }
  const spent = [...rows.values()].reduce((sum, row) => sum + row.chargedNanos, 0n);
  const { balanceNanos, heldNanos } = await readMoney({ owner }, account.id);
  expect<bigint>(balanceNanos).toBe(10_000_000_000n - spent);
  expect<bigint>(heldNanos).toBe(0n);
  expect(await checkBooks(owner.db)).toEqual([]);
});
