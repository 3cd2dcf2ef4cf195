// What several instances do together: the books are checked once for all of them, and a catalog that
// was applied to one is used by each.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type InstanceId, newId } from "@turnpike/base";
import { catalogChannel } from "@turnpike/catalog";
import { requestRun } from "@turnpike/db";
import { runAdmin } from "../../src/admin/run-admin.ts";
import { readAdminConfig } from "../../src/config.ts";
import { claimRun, finishRun, releaseRun, runLimitMs } from "../../src/jobs/claim-run.ts";
import { createRunRequests } from "../../src/jobs/run-requests.ts";
import { startSharedJob } from "../../src/jobs/start-job.ts";
import {
  at,
  catchError,
  expectCleanBooks,
  getPath,
  openAccount,
  openTestSite,
  readJson,
  startTestServer,
  type TestServer,
  type TestSite,
  testModels,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";

const periodMs = 3_600_000;
let site: TestSite;
let servers: TestServer[];
let key: string;
const folder = mkdtempSync(join(tmpdir(), "turnpike-catalog-"));
beforeAll(async () => {
  site = await openTestSite();
  const start = (environment = {}) => startTestServer({ site, environment });
  servers = [
    await start({ CHECK_BOOKS_EVERY_MS: "300" }),
    await start({ CHECK_BOOKS_EVERY_MS: "300" }),
  ];
  key = (await openAccount(site)).key;
});
afterEach(() => expectCleanBooks(site));
afterAll(async () => {
  for (const server of servers) await server.close();
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

async function readMetric({ url }: TestServer, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name}(?:{.*})? (.*)$`, "m").exec(text)?.[1] ?? Number.NaN);
}

/** A job as a separate instance claims it; `silentFor` is the age of its last heartbeat. */
async function openClaimant(silentFor = "0 s") {
  const { sql } = site.owner;
  const claim = {
    name: "test",
    instanceId: newId<InstanceId>(),
    everyMs: periodMs,
    silentMs: 60_000,
    limitMs: runLimitMs(periodMs),
  };
  await sql`insert into instances (id, heartbeat_at)
            values (${claim.instanceId}, now() - ${silentFor}::interval)`;
  return {
    claim: (force = false) => claimRun(sql, { ...claim, force }),
    finish: (result: unknown) => finishRun(sql, claim, result),
    fail: () => releaseRun(sql, claim, new Error("it failed")),
    end: () => sql`update instances set ended_at = now() where id = ${claim.instanceId}`,
  };
}

test("a run is claimed by one instance, again after its period, and immediately if it failed", async () => {
  const { sql } = site.owner;
  const [one, other] = [await openClaimant(), await openClaimant()];
  expect(await one.claim()).toBe(true);
  expect(await other.claim(true)).toBe(false);
  await one.finish({ found: 1 });
  expect(await other.claim()).toBe(false);
  expect(await other.claim(true)).toBe(true);
  await other.fail();
  expect(await one.claim()).toBe(true);
  await one.finish(null);
  await sql`update job_runs set started_at = now() - interval '61 minutes' where name = 'test'`;
  expect(await one.claim()).toBe(true);
  await sql`delete from job_runs where name = 'test'`;
});

test("a run whose process went silent or ended is claimed by another, and its late end is ignored", async () => {
  const { sql } = site.owner;
  const [silent, other, ended] = [
    await openClaimant("61 s"),
    await openClaimant(),
    await openClaimant(),
  ];
  expect(await silent.claim()).toBe(true);
  expect(await other.claim()).toBe(true);
  await silent.finish({ found: "late" });
  await silent.fail();
  expect(await silent.claim()).toBe(false);
  await other.fail();
  expect(await ended.claim()).toBe(true);
  expect(await other.claim()).toBe(false);
  await ended.end();
  expect(await other.claim()).toBe(true);
  await sql`delete from job_runs where name = 'test'`;
});

test("a run that an operator asks for is claimed once, also while the period is not over", async () => {
  const { sql, db } = site.owner;
  const [one, other] = [await openClaimant(), await openClaimant()];
  expect(await one.claim()).toBe(true);
  await requestRun(db, "test");
  // Not the run under way, which may have read what was changed since.
  expect(await other.claim()).toBe(false);
  await one.finish(null);
  expect(await other.claim()).toBe(true);
  await other.finish(null);
  expect([await one.claim(), await other.claim()]).toEqual([false, false]);
  await sql`delete from job_runs where name = 'test'`;
  expect(await catchError(requestRun(db, "test"))).toMatchObject({ code: "not_found" });
});

test("an instance runs a shared job when an operator asks for it", async () => {
  const [server] = servers;
  if (server === undefined) throw new Error("no server");
  const { services } = server;
  const runs = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let count = 0;
  const run = async () => runs[count++]?.resolve();
  const requests = createRunRequests(services);
  const stop = startSharedJob({ ...services, requests }, "asked", periodMs, run, { atStart: true });
  await runs[0]?.promise;
  await requestRun(site.owner.db, "asked");
  await runs[1]?.promise;
  await stop();
  expect(count).toBe(2);
  await site.owner.sql`delete from job_runs where name = 'asked'`;
});

test("an unfinished run from before runs had owners is due immediately, a finished one is not", async () => {
  const { sql } = site.owner;
  const { claim } = await openClaimant();
  await sql`insert into job_runs (name, finished_at) values ('test', now())`;
  expect(await claim()).toBe(false);
  await sql`update job_runs set finished_at = null where name = 'test'`;
  expect(await claim()).toBe(true);
  await sql`delete from job_runs where name = 'test'`;
});

test("a run that takes ten periods is claimed by another although its process is alive, but not earlier", async () => {
  const { sql } = site.owner;
  const [hung, other] = [await openClaimant(), await openClaimant()];
  expect(await hung.claim()).toBe(true);
  const startedAgo = (age: string) =>
    sql`update job_runs set started_at = now() - ${age}::interval where name = 'test'`;
  await startedAgo("9 hours 59 minutes");
  expect(await other.claim(true)).toBe(false);
  await startedAgo("10 hours 1 minute");
  expect(await other.claim()).toBe(true);
  await hung.finish({ found: "late" });
  await hung.fail();
  expect(await hung.claim(true)).toBe(false);
  await sql`delete from job_runs where name = 'test'`;
  expect(runLimitMs(1_000)).toBe(600_000);
});

/** Guarantees the two methods of a log that jobs use. */
function withWarnings({ services }: TestServer, warn: (facts: unknown) => void) {
  return { ...services, log: { warn, info: () => undefined } as unknown as typeof services.log };
}

test("a run that fails leaves the job due immediately, on any instance", async () => {
  const [server] = servers;
  if (server === undefined) throw new Error("no server");
  const failed = Promise.withResolvers<unknown>();
  const run = () => Promise.reject(new Error("this run fails"));
  const services = withWarnings(server, failed.resolve);
  const stop = startSharedJob(services, "test", periodMs, run, { atStart: true });
  expect(await failed.promise).toMatchObject({ job: "test", failures: 1 });
  await stop();
  expect(await (await openClaimant()).claim()).toBe(true);
  await site.owner.sql`delete from job_runs where name = 'test'`;
});

test("an instance abandons a run that hangs, logs it and runs the job again", async () => {
  const [server] = servers;
  if (server === undefined) throw new Error("no server");
  const logged: unknown[] = [];
  const hung = Promise.withResolvers<unknown>();
  const observed = Promise.withResolvers<unknown>();
  let runs = 0;
  const stop = startSharedJob(
    withWarnings(server, (facts) => logged.push(facts)),
    "hangs once",
    1,
    () => {
      runs += 1;
      return runs === 1 ? hung.promise : Promise.resolve({ run: runs });
    },
    { limitMs: 1, observe: ({ result }) => observed.resolve(result) },
  );
  try {
    expect(await observed.promise).toMatchObject({ run: expect.any(Number) });
    expect(logged[0]).toMatchObject({ job: "hangs once", failures: 1 });
    hung.resolve({ run: "late" });
  } finally {
    await stop();
  }
  const [row] = await site.owner.sql`select result from job_runs where name = 'hangs once'`;
  expect(row?.result).not.toEqual({ run: "late" });
  await site.owner.sql`delete from job_runs where name = 'hangs once'`;
});

test("the books are checked once per period by all instances together, and every instance shows the result", async () => {
  const last = "turnpike_checker_last_run_timestamp_seconds";
  for (const server of servers) {
    await eventually("a check to be shown", async () => (await readMetric(server, last)) > 0);
  }
  // Until its period is over no instance runs it again: each instance shows this row.
  const keepResult = () => site.owner.sql`
    update job_runs set started_at = now() + interval '1 hour', result = '{"a made-up check": 3}',
                        finished_at = '2020-01-01T00:00:00Z' where name = 'check books'`;
  for (const server of servers) {
    await eventually("the kept result to be shown", async () => {
      // Repeated, because a run that had started before would overwrite it.
      await keepResult();
      return (await readMetric(server, "turnpike_checker_violations")) === 3;
    });
    expect(await readMetric(server, last)).toBe(Date.parse("2020-01-01T00:00:00Z") / 1000);
  }
  await site.owner.sql`delete from job_runs where name = 'check books'`;
});

const priceOf = async (server: TestServer) => {
  const model = await readJson(await getPath(server, key, `/models/${testModels.cheap}`));
  return at(model, "pricing.completion");
};

function writePrice(usd: string): string {
  const file = site.environment.CATALOG_FILE ?? "";
  const text = readFileSync(file, "utf8").replaceAll(/output: "[^"]+"/g, `output: "${usd}"`);
  writeFileSync(file, text);
  return text;
}

test("a catalog reloaded by one instance is used by all", async () => {
  writePrice("0.123");
  await servers[0]?.services.catalog.reload();
  for (const server of servers) {
    await eventually("the price to arrive", async () => (await priceOf(server)) === "0.000000123");
  }
  const prices = await site.owner.sql`select id from prices where model = ${testModels.cheap}`;
  expect(prices).toHaveLength(2);
});

test("`admin catalog apply` reaches every running instance", async () => {
  writePrice("0.456");
  const environment = { ...site.environment, DATABASE_URL: site.database.url };
  const outcome = await runAdmin(["catalog", "apply"], () => readAdminConfig(environment));
  expect(outcome.stderr).toBe("");
  for (const server of servers) {
    await eventually("the price to arrive", async () => (await priceOf(server)) === "0.000000456");
  }
});

test("an instance with an older file keeps its catalog, and restores no old price", async () => {
  const old = join(folder, "old.yaml");
  writeFileSync(old, readFileSync(site.environment.CATALOG_FILE ?? ""));
  const other = await startTestServer({
    site,
    environment: { CATALOG_FILE: old },
  });
  try {
    writePrice("0.789");
    await servers[0]?.services.catalog.reload();
    for (const server of servers) {
      await eventually(
        "the price to arrive",
        async () => (await priceOf(server)) === "0.000000789",
      );
    }
    expect(await priceOf(other)).toBe("0.000000456");
    // It follows as soon as its file is the one that was applied.
    writeFileSync(old, readFileSync(site.environment.CATALOG_FILE ?? ""));
    await site.owner.sql`select pg_notify(${catalogChannel}, '')`;
    await eventually(
      "its own file to be read",
      async () => (await priceOf(other)) === "0.000000789",
    );
    const [newest] = await site.owner.sql`
      select output_nanos::text as output from prices where model = ${testModels.cheap}
       order by since desc limit 1`;
    expect(newest?.output).toBe("789000000");
  } finally {
    await other.close();
  }
});
