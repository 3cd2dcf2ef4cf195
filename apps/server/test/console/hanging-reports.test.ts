// Reports and changes that hang do not keep others from signing in: an account has one read and one change at a time,
// and the reports of all accounts together leave a connection.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mintApiKey } from "@turnpike/keys";
import { getPath, startTestServer, type TestServer } from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import { type Browser, openBrowser, password, signUp } from "./browser.fixture.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ environment: { THROTTLE_SCALE: "1000" } });
});
afterAll(() => server.close());

const range = { from: "2026-01-01T00:00:00Z", to: "2026-12-31T00:00:00Z", timeZone: "UTC" };

/** Holds a table, so that whatever reads it hangs, until the returned function is called. */
function holdTable(table: string): Promise<() => Promise<void>> {
  return holdBy((sql) => sql.unsafe(`lock table ${table} in access exclusive mode`));
}

type Transaction = Parameters<Parameters<TestServer["owner"]["sql"]["begin"]>[1]>[0];

async function holdBy(
  lock: (sql: Transaction) => PromiseLike<unknown>,
): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holding = server.owner.sql.begin(async (sql) => {
    await sql`set local idle_in_transaction_session_timeout = 0`;
    await lock(sql);
    held.resolve();
    await release.promise;
  });
  await held.promise;
  return async () => {
    release.resolve();
    await holding;
  };
}

async function countHanging(): Promise<number> {
  const [row] = await server.owner.sql<{ hanging: number }[]>`
    select count(*)::int as hanging from pg_stat_activity
     where application_name = 'turnpike console' and datname = current_database()
       and wait_event_type = 'Lock'`;
  return row?.hanging ?? 0;
}

/** The answer to a login, and the highest number of reads that hung meanwhile. */
async function logInMeanwhile(email: string) {
  let isAnswered = false;
  const login = openBrowser(server.url)
    .mutate("auth.login", { email, password })
    .finally(() => {
      isAnswered = true;
    });
  let most = 0;
  for (let samples = 0; samples < 50 || !isAnswered; samples += 1) {
    most = Math.max(most, await countHanging());
  }
  return { status: (await login).status, most };
}

test("another person signs in while the reports of one account hang", async () => {
  const [ada, eve] = [openBrowser(server.url), openBrowser(server.url)];
  await signUp(ada, server.url, "ada@example.com");
  await signUp(eve, server.url, "eve@example.com");
  const [member] = await server.owner.sql`
    select m.account_id, m.person_id from memberships m join persons p on p.id = m.person_id
     where p.email = 'eve@example.com'`;
  const { key } = await mintApiKey(server.owner.db, {
    accountId: member?.account_id,
    createdBy: member?.person_id,
    name: "eve's",
  });
  // Cached from here on: the table of keys is not the one that hangs.
  expect((await getPath(server, key, "/credits")).status).toBe(200);
  const release = await holdTable("requests");
  let pending = 0;
  const hang = async (report: Promise<unknown>) => {
    pending += 1;
    await report;
    pending -= 1;
  };
  const reports = Array.from({ length: 20 }, (_, n) => [
    hang(eve.query("usage.read", { ...range, groupBy: "model", compare: true })),
    hang(eve.query("overview.read", { timeZone: "UTC" })),
    hang(eve.query("logs.list", { from: range.from, to: range.to })),
    hang(getPath(server, key, `/generation?id=gen-${"0".repeat(31)}${n % 10}`)),
  ]).flat();
  await eventually("a report to hang", async () => (await countHanging()) > 0);
  const { status, most } = await logInMeanwhile("ada@example.com");
  const pendingAtLogin = pending;
  expect(status).toBe(200);
  expect(pendingAtLogin).toBeGreaterThan(reports.length / 2);
  // One report, and one read of `/v1/generation`.
  expect(most).toBeLessThanOrEqual(2);
  await release();
  await Promise.all(reports);
  expect((await eve.query("overview.read", { timeZone: "UTC" })).status).toBe(200);
});

test("another person signs in while the changes of one account wait for another instance", async () => {
  const bob = openBrowser(server.url);
  await signUp(bob, server.url, "bob@example.com");
  const release = await holdBy(
    (sql) => sql`
      select 1 from memberships where person_id = (select id from persons where email = 'bob@example.com')
         for update`,
  );
  const changes = Array.from({ length: 20 }, (_, n) =>
    bob.mutate("keys.create", { name: `key ${n}`, attemptId: Bun.randomUUIDv7() }),
  );
  await eventually("a change to wait", async () => (await countHanging()) > 0);
  const { status, most } = await logInMeanwhile("ada@example.com");
  expect(status).toBe(200);
  expect(most).toBeLessThanOrEqual(1);
  await release();
  // The first waited for longer than a lock may take, or not.
  for (const { status: answered } of await Promise.all(changes)) {
    expect([200, 503]).toContain(answered);
  }
  expect(
    (await bob.mutate("keys.create", { name: "last", attemptId: Bun.randomUUIDv7() })).status,
  ).toBe(200);
});

test("FD6: reports of many accounts that hang leave a connection to sign in with", async () => {
  const people: Browser[] = [];
  for (let n = 0; n < 6; n += 1) {
    const browser = openBrowser(server.url);
    await signUp(browser, server.url, `many-${n}@example.com`);
    people.push(browser);
  }
  const release = await holdTable("requests");
  let pending = 0;
  const askedEach = Array.from({ length: 5 }, () => people).flat();
  const reports = askedEach.map(async (browser) => {
    pending += 1;
    await browser.query("usage.read", { ...range, groupBy: "model" });
    pending -= 1;
  });
  await eventually("two reports to hang", async () => (await countHanging()) === 2);
  const { status, most } = await logInMeanwhile("ada@example.com");
  expect(status).toBe(200);
  expect(most).toBeLessThanOrEqual(2);
  expect(pending).toBeGreaterThan(0);
  await release();
  await Promise.all(reports);
});
