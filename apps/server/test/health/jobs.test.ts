// Periodic jobs and callers do not wait for each other's connections, and a run that hangs does not block
// later ones.
import { afterAll, expect, test } from "bun:test";
import { type InstanceId, type LeaseId, newId } from "@turnpike/base";
import { startJob } from "../../src/jobs/start-job.ts";
import { expectCleanBooks, openAccount, readMoney, startTestServer } from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";

const server = await startTestServer({ serverTimes: { reapEveryMs: 100 } });
const account = await openAccount(server);
afterAll(() => server.close());

/** A lease of a process that has been silent for a day. */
async function openDeadLease(grantedNanos: number): Promise<LeaseId> {
  const leaseId = newId<LeaseId>();
  const instanceId = newId<InstanceId>();
  await server.owner.sql.begin(async (sql) => {
    await sql`insert into instances (id, heartbeat_at) values (${instanceId}, now() - interval '1 day')`;
    await sql`update accounts set held_nanos = held_nanos + ${grantedNanos} where id = ${account.id}`;
    await sql`insert into leases (account_id, id, instance_id, hour, granted_nanos)
              values (${account.id}, ${leaseId}, ${instanceId}, date_trunc('hour', now(), 'utc'),
                      ${grantedNanos})`;
  });
  return leaseId;
}

test("leases are reaped while every connection for reading keys is in use", async () => {
  const before = await readMoney(server, account.id);
  const released = Promise.withResolvers<void>();
  const { sql } = server.services.database;
  const began = Array.from({ length: sql.options.max }, () => Promise.withResolvers<void>());
  const taken = began.map((begun) =>
    sql.begin(async (transaction) => {
      await transaction`select 1`;
      begun.resolve();
      await released.promise;
    }),
  );
  try {
    await Promise.all(began.map(({ promise }) => promise));
    const leaseId = await openDeadLease(5_000);
    await eventually("the lease to be reaped", async () => {
      const [row] = await server.owner.sql`
        select 1 from leases where id = ${leaseId} and closed_at is not null`;
      return row !== undefined;
    });
  } finally {
    released.resolve();
    await Promise.all(taken);
  }
  expect(await readMoney(server, account.id)).toEqual(before);
  await expectCleanBooks(server);
});

test("a job continues after a run that never ends", async () => {
  const failures: unknown[] = [];
  const warn = (facts: unknown) => failures.push(facts);
  const services = {
    ...server.services,
    log: Object.assign(Object.create(server.services.log), { warn }),
  };
  const second = Promise.withResolvers<void>();
  let runs = 0;
  const run = () => {
    runs += 1;
    if (runs === 1) return new Promise(() => undefined);
    second.resolve();
    return Promise.resolve();
  };
  const stop = startJob(services, "hangs", 1, run, { limitMs: 1 });
  try {
    await second.promise;
    expect(failures[0]).toMatchObject({ job: "hangs", failures: 1 });
  } finally {
    await stop();
  }
});
