// Periodic jobs and callers do not wait for each other's connections, and a run that hangs does not block
// later ones.
import { afterAll, expect, test } from "bun:test";
import { type InstanceId, type LeaseId, newId } from "@turnpike/base";
import { startInboxJob } from "../../src/jobs/inbox-job.ts";
import { startMailJob } from "../../src/jobs/mail-job.ts";
import { expectCleanBooks, openAccount, readMoney, startTestServer } from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";

const server = await startTestServer({ environment: { REAP_EVERY_MS: "100" } });
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

test.each([
  ["inbox", startInboxJob],
  ["mail", startMailJob],
])("the %s job continues after a run whose statement is never answered", async (job, start) => {
  const { config, billing, jobsDatabase, log } = server.services;
  const statements = { count: 0, second: Promise.withResolvers<void>() };
  const db = new Proxy(jobsDatabase.db, {
    get(target, name) {
      if (name !== "execute") return Reflect.get(target, name);
      return (...query: Parameters<typeof target.execute>) => {
        statements.count += 1;
        if (statements.count === 1) return new Promise(() => undefined);
        statements.second.resolve();
        return target.execute(...query);
      };
    },
  });
  const failures: unknown[] = [];
  const warn = (facts: unknown) => failures.push(facts);
  const services = {
    ...server.services,
    jobsDatabase: { ...jobsDatabase, db },
    log: Object.assign(Object.create(log), { warn }),
    billing: { ...billing, mode: "stripe" as const, stripe: Object.create(null) },
    config: {
      ...config,
      SMTP_URL: "smtp://127.0.0.1:1",
      MAIL_EVERY_MS: 1,
      WORK_INBOX_EVERY_MS: 1,
    },
  };
  const stop = start(services, { limitMs: 1 });
  try {
    await statements.second.promise;
    expect(failures[0]).toMatchObject({ job, failures: 1 });
  } finally {
    await stop();
  }
});
