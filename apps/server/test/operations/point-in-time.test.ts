// The point-in-time recovery of docs/operations.md, run as documented: what was committed before the target is there,
// what came after it is not, the server has its rights, the books are right, and Stripe's payments are credited once.
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { throttleLimits } from "@turnpike/auth";
import { newId, type TopUpId } from "@turnpike/base";
import { createBilling, createTopUp, reconcile } from "@turnpike/billing";
import { type Connection, connectDatabase } from "@turnpike/db";
import { checkBooks } from "@turnpike/ledger";
import { createLog } from "@turnpike/telemetry";
import { formatUsd, toNanos } from "@turnpike/terms";
import { spawnServer, startScriptedStripe } from "@turnpike/testing";
import { readConfig } from "../../src/config.ts";
import { checkInstalledDatabase } from "../../src/doctor/check-installed-database.ts";
import {
  chatBody,
  openAccount,
  openTestSite,
  postChat,
  readMoney,
  type TestAccount,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import { createRoles, findInstalled, openInstalledCluster } from "./own-cluster.ts";
import { adapt, readBlocks } from "./read-documented.ts";

setDefaultTimeout(180_000);

const programs = findInstalled("pg_basebackup");
if (programs === undefined) {
  console.log("skip: no PostgreSQL with pg_basebackup is installed; Debian has it as postgresql");
}
const heading = "Point-in-time recovery";
const folder = mkdtempSync(join(tmpdir(), "turnpike-recovery-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The documented settings as `name=value`, with the folders of this test. */
function readSettings(index: number, changes: Readonly<Record<string, string>>): string[] {
  const block = adapt(readBlocks(heading, "ini")[index] ?? "", changes);
  const lines = block.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => line.replace(/^(\w+) = '?(.*?)'?$/, "$1=$2"));
}

function runBlock(index: number, changes: Readonly<Record<string, string>>, port = 0): void {
  const command = adapt(readBlocks(heading, "sh")[index] ?? "", changes);
  const env = { PATH: `${programs}:/usr/bin:/bin`, PGHOST: "127.0.0.1", PGPORT: String(port) };
  const { exitCode, stderr } = Bun.spawnSync(["sh", "-ec", command], {
    env: { ...env, PGUSER: "postgres" },
  });
  expect([exitCode, stderr.toString()]).toEqual([0, ""]);
}

const backups = { "/var/backups/turnpike": folder };

describe.skipIf(programs === undefined)("point-in-time recovery, as documented", () => {
  test("restores the moment, and payments that the backup does not know are credited once", async () => {
    const site = await openTestSite();
    const stripe = await startScriptedStripe();
    mkdirSync(join(folder, "wal"));
    chmodSync(folder, 0o777);
    chmodSync(join(folder, "wal"), 0o777);
    const first = await openInstalledCluster(programs ?? "", {
      settings: readSettings(0, backups),
    });
    const urls = await createRoles(first);
    const start = ({ appUrl, ownerUrl }: typeof urls) =>
      spawnServer({
        ...site.environment,
        ...stripe.environment,
        DATABASE_URL: appUrl,
        DATABASE_MIGRATION_URL: ownerUrl,
        DRAIN_NOTICE_MS: "0",
      });
    const openOwner = ({ ownerUrl }: typeof urls) => connectDatabase({ url: ownerUrl, max: 2 });
    const server = await start(urls);
    let owner = openOwner(urls);
    const account = await openAccount({ owner }, { usd: "10" });
    const busy = await openAccount({ owner }, { usd: "10" });
    const pay = async (usd: string) => stripe.pay(await beginTopUp(owner, account, stripe, usd));
    const call = async () => {
      const answer = await postChat(server, busy.key, chatBody({ deltas: 3 }));
      expect(answer.status).toBe(200);
      await answer.text();
    };
    await pay("20");
    await reconcile(owner.db, billingWith(stripe));
    await call();
    runBlock(0, backups, first.postgres.port);
    const config = readConfig({ ...site.environment, DATABASE_URL: urls.appUrl });
    expect(await checkInstalledDatabase(config)).toContainEqual(
      expect.objectContaining({ check: "backups", level: "ok" }),
    );
    await call();
    const unpaid = await beginTopUp(owner, account, stripe, "30");
    const [moment] = await owner.sql<{ target: string; calls: number }[]>`
      select clock_timestamp()::text as target,
             (select count(*)::int from requests where state = 'settled') as calls`;
    await call();
    await pay("40");
    stripe.pay(unpaid);
    await reconcile(owner.db, billingWith(stripe));
    expect(await balanceUsd(owner, account)).toBe("100");
    await server.kill();
    await owner.close();
    await first.admin.sql`select pg_switch_wal()`;
    await eventually("the log to be archived", async () => {
      const [row] = await first.admin.sql<{ isDone: boolean }[]>`
        select last_archived_wal >= pg_walfile_name(pg_current_wal_lsn() - 1) as "isDone"
          from pg_stat_archiver`;
      return row?.isDone;
    });
    await first.close();

    const target = { "2026-11-26 12:00:00+00": moment?.target ?? "" };
    const second = await openInstalledCluster(programs ?? "", {
      settings: readSettings(1, { ...backups, ...target }),
      fillData(data) {
        runBlock(1, { ...backups, "/var/lib/postgresql/turnpike": data });
      },
    });
    const restored = {
      appUrl: urls.appUrl.replace(`:${first.postgres.port}/`, `:${second.postgres.port}/`),
      ownerUrl: urls.ownerUrl.replace(`:${first.postgres.port}/`, `:${second.postgres.port}/`),
    };
    owner = openOwner(restored);
    expect(await balanceUsd(owner, account)).toBe("30");
    const [found] = await owner.sql<{ calls: number }[]>`
      select count(*)::int as calls from requests where state = 'settled'`;
    expect(found?.calls).toBe(moment?.calls ?? -1);
    const again = await start(restored);
    await eventually("Stripe's payments to be credited", async () => {
      return (await balanceUsd(owner, account)) === "100";
    });
    await reconcile(owner.db, billingWith(stripe));
    expect(await balanceUsd(owner, account)).toBe("100");
    // As the server's role, which has its rights.
    const answer = await postChat(again, account.key, chatBody({ deltas: 3 }));
    expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
    expect(await again.kill("SIGTERM")).toEqual({ code: 0, signal: null });
    expect(await checkBooks(owner.db)).toEqual([]);
    await owner.close();
    await second.close();
    await stripe.close();
    await site.close();
  });
});

type Stripe = Awaited<ReturnType<typeof startScriptedStripe>>;

async function balanceUsd(owner: Connection, account: TestAccount): Promise<string> {
  return formatUsd((await readMoney({ owner }, account.id)).balanceNanos);
}

/** Returns its checkout. */
async function beginTopUp(
  owner: Connection,
  { id, personId }: TestAccount,
  stripe: Stripe,
  amountUsd: string,
): Promise<string> {
  const { checkoutUrl } = await createTopUp(owner.db, billingWith(stripe), {
    attemptId: newId<TopUpId>(),
    accountId: id,
    personId,
    amountUsd,
  });
  return checkoutUrl.split("/").at(-1) ?? "";
}

const nothing = () => undefined;

function billingWith(stripe: Stripe) {
  return createBilling({
    stripe: {
      secretKey: stripe.secretKey,
      webhookSecrets: [stripe.webhookSecret],
      apiBase: stripe.url,
    },
    allowSandbox: false,
    publicUrl: "https://turnpike.example",
    bounds: { minNanos: toNanos(1n), maxNanos: toNanos(1_000_000_000_000n) },
    throttles: throttleLimits,
    recallLeases: async () => undefined,
    log: createLog({ level: "silent", name: "test" }),
    meters: { countTopUp: nothing, countQuarantined: nothing, countDeadEvent: nothing },
  });
}
