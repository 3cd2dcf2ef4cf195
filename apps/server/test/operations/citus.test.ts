// Turnpike on a Citus cluster with two workers: requests are spread over them, and money is as exact as on one server.
// Skipped where Citus is not installed.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createAccount } from "@turnpike/accounts";
import {
  type AccountId,
  type ApiKeyId,
  type GenerationId,
  type InstanceId,
  newId,
  type PriceId,
} from "@turnpike/base";
import { type Connection, connectDatabase, distributeTables, migrate } from "@turnpike/db";
import {
  checkBooks,
  checkRecentBooks,
  createCallFacts,
  openFreeCallLog,
  openLedger,
  postMovement,
} from "@turnpike/ledger";
import { queryCosts, queryDatabaseSize } from "@turnpike/reports";
import { createLog, createMetrics } from "@turnpike/telemetry";
import { toNanos } from "@turnpike/terms";
import { patientLimits } from "@turnpike/testing";
import { citusMissing, findCitus } from "../../../../scripts/citus/find-citus.ts";
import { type CitusCluster, startCitus } from "../../../../scripts/citus/start-citus.ts";
import { runAdmin } from "../../src/admin/run-admin.ts";
import { readAdminConfig } from "../../src/config.ts";
import { checkWorkers } from "../../src/doctor/check-workers.ts";

const binaries = findCitus();
if (binaries === undefined) console.log(`skipped: ${citusMissing}`);

type Payer = { readonly accountId: AccountId; readonly keyId: ApiKeyId };

describe.skipIf(binaries === undefined)("on a Citus cluster", () => {
  let cluster: CitusCluster;
  let owner: Connection;
  let app: Connection;
  const instanceId = newId<InstanceId>();
  beforeAll(async () => {
    cluster = await startCitus(binaries ?? "");
    await migrate({ url: cluster.ownerUrl });
    const { ownerUrl, appUrl } = cluster;
    owner = connectDatabase({ url: ownerUrl, max: 2, ...patientLimits });
    app = connectDatabase({ url: appUrl, max: 2 });
    expect(await distributeTables(owner.sql)).toMatchObject({ shards: 32, workers: 2 });
    await owner.sql`insert into instances (id) values (${instanceId})`;
  });
  afterAll(async () => {
    await Promise.all([owner?.close(), app?.close()]);
    await cluster?.close();
  });

  const openAccount = async (): Promise<Payer> => {
    const { accountId } = await createAccount(app.db, { email: `${newId()}@example.com` });
    await postMovement(owner.db, {
      accountId,
      amountNanos: toNanos(1_000_000n),
      kind: "adjustment",
      book: "adjustments",
      idempotencyKey: accountId,
      reason: "test",
      actor: "test",
    });
    const keyId = newId<ApiKeyId>();
    await app.sql`insert into api_keys (account_id, id, name, hash, masked)
      values (${accountId}, ${keyId}, 'key', ${Buffer.from(keyId)}, 'masked')`;
    return { accountId, keyId };
  };

  async function chargeCalls(callsOfEach: number, accountCount: number): Promise<void> {
    const metrics = createMetrics();
    const log = createLog({ level: "silent", name: "test" });
    const ledger = openLedger({
      url: cluster.appUrl,
      instanceId,
      log,
      metrics,
      admitting: () => true,
    });
    const payers = await Promise.all(Array.from({ length: accountCount }, openAccount));
    const charged = await Promise.all(
      payers.flatMap((payer) =>
        Array.from({ length: callsOfEach }, async () => {
          const nanos = toNanos(10n);
          const decision = await ledger.hold({
            facts: createCallFacts({
              ...payer,
              id: newId<GenerationId>(),
              model: "m/one",
              provider: "p",
              priceId: newId<PriceId>(),
              status: 200,
              outcome: "completed",
            }),
            wantNanos: nanos,
            floorNanos: nanos,
            atMostHalf: false,
            allOrNothing: false,
          });
          if (decision.verdict !== "held") throw new Error(`refused: ${decision.verdict}`);
          const { hold } = decision;
          const end = { hold, state: "settled", costNanos: toNanos(7n) } as const;
          return [await ledger.charge(end), await ledger.charge(end)];
        }),
      ),
    );
    const verdicts = charged.flat().map(({ verdict }) => verdict);
    expect(verdicts.filter((verdict) => verdict === "settled")).toHaveLength(charged.length);
    expect(verdicts.filter((verdict) => verdict === "already")).toHaveLength(charged.length);
    await ledger.close();
    metrics.close();
  }

  async function logRefused({ db }: Connection, payer: Payer): Promise<GenerationId> {
    const freeCalls = openFreeCallLog({ db, log: createLog({ level: "silent", name: "test" }) });
    const id = newId<GenerationId>();
    freeCalls.record(
      createCallFacts({
        ...payer,
        id,
        model: "m",
        status: 402,
        errorCode: "insufficient_quota",
        totalMs: 1,
        usageDetails: { refusal: { message: "Add funds." } },
      }),
    );
    await freeCalls.close();
    return id;
  }

  test("batches of many accounts are charged once each, and the books are clean", async () => {
    await chargeCalls(5, 12);
    expect(await checkBooks(owner.db)).toEqual([]);
    expect(await checkRecentBooks(app.db)).toMatchObject({ violations: [] });
    const nodes = await owner.sql`
      select distinct nodeport from citus_shards
       where table_name::text ~ '^requests_20' and citus_table_type = 'distributed'`;
    expect(nodes.length).toBe(2);
  });

  test("the operator sees what calls cost, whatever part of the shards one statement reads", async () => {
    const since = new Date(Date.now() - 3_600_000);
    const [row] = await owner.sql<{ calls: number }[]>`
      select count(*)::int as calls from requests where cost_nanos > 0`;
    const calls = row?.calls ?? 0;
    expect(calls).toBeGreaterThan(0);
    const expected = { model: "m/one", provider: "p", calls, chargedNanos: BigInt(7 * calls) };
    for (const pages of [10_000, 32]) {
      expect(await queryCosts(app.db, since, pages)).toMatchObject([expected]);
    }
    const environment = { DATABASE_URL: cluster.appUrl };
    const { stdout } = await runAdmin(["cost", "show"], () => readAdminConfig(environment));
    expect(stdout).toStartWith(`m/one at p: ${calls} calls, charged `);
  });

  test("the sizes of tables are those of the workers, too", async () => {
    const { tables, partitions } = await queryDatabaseSize(app.db);
    const usage = tables.filter(({ name }) => name === "usage_quarter_hours");
    expect(partitions.length).toBeGreaterThan(0);
    // On the coordinator each has empty indexes, and each of the 32 shards has these as well.
    const small = [...partitions, ...usage].filter(({ bytes }) => bytes < 32 * 8_192);
    expect(small).toEqual([]);
  });

  test("a later migration keeps the tables distributed and the functions working", async () => {
    await migrate({ url: cluster.ownerUrl });
    // As if the migration had brought a new text.
    await owner.sql`alter function charge_calls set plan_cache_mode = force_generic_plan`;
    await migrate({ url: cluster.ownerUrl });
    await chargeCalls(2, 3);
    expect(await checkBooks(owner.db)).toEqual([]);
    expect(await distributeTables(owner.sql)).toMatchObject({ distributed: [], shards: 32 });
  });

  test("a refused call has a row, and the server's role can write no other", async () => {
    const payer = await openAccount();
    const id = await logRefused(app, payer);
    const rows = await app.sql`
      select state from requests where account_id = ${payer.accountId} and id = ${id}`;
    expect([...rows]).toEqual([{ state: "refused" }]);
    const forged = app.sql`insert into requests (account_id, id, state, charged_nanos)
      values (${payer.accountId}, ${newId()}, 'refused', 5)`;
    expect(await forged.catch(String)).toContain("permission denied");
  });

  test("shards move to a new worker while calls are charged, and a worker that was killed resumes", async () => {
    await cluster.addWorker();
    await Promise.all([cluster.rebalance(), chargeCalls(5, 6)]);
    const nodes = await owner.sql`
      select distinct nodeport from citus_shards where citus_table_type = 'distributed'`;
    expect(nodes.length).toBe(3);
    const [worker] = cluster.workers;
    await worker?.kill();
    const charging = chargeCalls(5, 6);
    await worker?.start();
    await charging;
    expect(await checkBooks(owner.db)).toEqual([]);
  });

  test("calls are charged and logged while columns are added that this process does not know", async () => {
    const payer = await openAccount();
    const patient = connectDatabase({ url: cluster.appUrl, max: 1, ...patientLimits });
    let adding = true;
    const addColumns = async () => {
      for (let count = 0; count < 3; count += 1) {
        await owner.sql.unsafe(`alter table requests add column added_${count} text`);
      }
    };
    const chargeOn = async () => {
      while (adding) await chargeCalls(2, 3);
    };
    const logged = new Set<GenerationId>();
    const logOn = async () => {
      while (adding) logged.add(await logRefused(patient, payer));
    };
    const added = addColumns().finally(() => {
      adding = false;
    });
    await Promise.all([added, chargeOn(), logOn()]);
    // Over the one connection: behind rows that the log no longer waits for.
    const rows = await patient.sql<{ id: GenerationId }[]>`
      select id from requests where account_id = ${payer.accountId} and added_2 is null`;
    await patient.close();
    expect(new Set(rows.map(({ id }) => id))).toEqual(logged);
    expect(await checkBooks(owner.db)).toEqual([]);
  });

  test("the doctor names each worker, and the one that is away or does not answer", async () => {
    const [away, ...others] = cluster.workers;
    // A session keeps its connections to workers: the doctor has one of its own.
    const describeAll = async () => {
      const doctor = connectDatabase({ url: cluster.appUrl, max: 1 });
      const findings = await checkWorkers(doctor.sql).finally(() => doctor.close());
      return findings
        .map(({ check, level, message }) => `${level} ${check}: ${message}`)
        .toSorted();
    };
    const reached = ({ port }: { port: number }) =>
      `ok worker 127.0.0.1:${port}: The coordinator reaches it, as this role.`;
    const lost = `error worker 127.0.0.1:${away?.port}: The coordinator cannot reach it`;
    const of = (reason: string) => [
      expect.stringContaining(`${lost} (${reason}); start it`),
      ...others.map(reached).toSorted(),
    ];
    expect(await describeAll()).toEqual(cluster.workers.map(reached).toSorted());
    await away?.kill();
    expect(await describeAll()).toEqual(of("no connection"));
    await away?.start();
    const frozen = away?.postmasterPid() ?? 0;
    process.kill(frozen, "SIGSTOP");
    try {
      expect(await describeAll()).toEqual(of("no answer in time"));
    } finally {
      process.kill(frozen, "SIGCONT");
    }
    expect(await describeAll()).toEqual(cluster.workers.map(reached).toSorted());
  });
});
