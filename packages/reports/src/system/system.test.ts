// What operators are shown of this installation: which processes serve it, what the shared jobs did last, and how large
// the tables are.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type InstanceId, newId } from "@turnpike/base";
import { type Connection, connectDatabase, requestRun } from "@turnpike/db";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { queryInstances, queryNewestFacts } from "./query-instances.ts";
import { queryJobs } from "./query-jobs.ts";
import { queryDatabaseSize } from "./query-tables.ts";

let database: TestDatabase;
let owner: Connection;
let app: Connection;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = connectDatabase({ url: database.ownerUrl, max: 1 });
  app = connectDatabase({ url: database.url, max: 1 });
});
afterAll(async () => {
  await Promise.all([owner.close(), app.close()]);
  await database.drop();
});

const facts = { version: "1.2.3", host: "a", pid: 7, worker: null, settings: {}, features: [] };

/** `at` are the columns that are set, as SQL. */
async function addInstance(at: Readonly<Record<string, string>>): Promise<InstanceId> {
  const id = newId<InstanceId>();
  const columns = ["id", ...Object.keys(at)].join(", ");
  const values = [`'${id}'`, ...Object.values(at)].join(", ");
  await owner.sql.unsafe(`insert into instances (${columns}) values (${values})`);
  return id;
}

test("each process is running, draining, silent or ended, with the money that it has reserved", async () => {
  const { sql } = owner;
  const running = await addInstance({
    started_at: "now()",
    facts: `'${JSON.stringify(facts)}'`,
  });
  const draining = await addInstance({
    started_at: "now() - '1 h'::interval",
    draining_at: "now()",
  });
  const silent = await addInstance({
    started_at: "now() - '2 h'::interval",
    heartbeat_at: "now() - '61 s'::interval",
  });
  const ended = await addInstance({ ended_at: "now()", draining_at: "now()" });
  const account = newId();
  await sql`insert into accounts (id, name, kind) values (${account}, 'a', 'organization')`;
  for (const closed of [null, "2026-01-01"]) {
    await sql`insert into leases (account_id, id, instance_id, hour, granted_nanos, closed_at)
              values (${account}, ${newId()}, ${running}, now(), 500, ${closed})`;
  }
  const rows = await queryInstances(app.db);
  expect(rows.map(({ id, state }) => [id, state])).toEqual([
    [running, "running"],
    [draining, "draining"],
    [silent, "silent"],
    [ended, "ended"],
  ]);
  expect(rows[0]).toMatchObject({ openLeases: 1, grantedNanos: 500n, facts });
  expect(rows[1]).toMatchObject({ openLeases: 0, grantedNanos: 0n, facts: null });
  expect(await queryNewestFacts(app.db)).toEqual(facts);
});

test("a job is running, finished or failed, with its error, and shows that a run was asked for", async () => {
  const by = newId<InstanceId>();
  await owner.sql`insert into job_runs (name, instance_id, started_at, finished_at, failed_at, error, every_ms) values
    ('a runs', ${by}, now(), null, null, null, 60000),
    ('b finished', ${by}, now() - interval '1 min', now(), null, null, null),
    ('c failed', null, now(), null, now(), 'it broke', null)`;
  await requestRun(app.db, "b finished");
  expect(await queryJobs(app.db)).toMatchObject([
    { name: "a runs", state: "running", everyMs: 60_000, isRequested: false },
    { name: "b finished", state: "finished", isRequested: true },
    { name: "c failed", state: "failed", error: "it broke", isRequested: false },
  ]);
});

test("tables are listed with their sizes, and requests by partition", async () => {
  const { bytes, tables, partitions } = await queryDatabaseSize(app.db);
  expect(bytes).toBeGreaterThan(1_000_000);
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(["accounts", "leases"]));
  expect(tables.map(({ name }) => name)).not.toContain("requests");
  expect(partitions.length).toBeGreaterThan(3);
  expect(partitions.some(({ bounds }) => bounds === "DEFAULT")).toBe(true);
});
