// Reads of the console from a hot standby: it is used while it is fresh, what one changed is seen at once, and pages answer
// while it is behind or gone.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type Connection, connectDatabase, migrate } from "@turnpike/db";
import type { RunningPostgres } from "../../../../scripts/postgres/start-postgres.ts";
import { type Browser, openBrowser, signUp } from "../console/browser.fixture.ts";
import { startTestServer, type TestServer } from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import { openStandby } from "./open-standby.ts";
import { type OwnCluster, openCluster } from "./own-cluster.ts";

setDefaultTimeout(180_000);

let cluster: OwnCluster;
let standby: RunningPostgres;
let atStandby: Connection;
let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  cluster = await openCluster({ durable: false });
  const { ownerUrl, appUrl } = cluster.postgres;
  await migrate({ url: ownerUrl });
  standby = await openStandby(cluster, { follows: true, durable: false });
  const at = (url: string) => url.replace(`:${cluster.postgres.port}/`, `:${standby.port}/`);
  atStandby = connectDatabase({ url: at(cluster.superuserUrl), max: 1 });
  server = await startTestServer({
    environment: {
      DATABASE_URL: appUrl,
      DATABASE_MIGRATION_URL: ownerUrl,
      DATABASE_REPLICA_URL: at(appUrl),
      THROTTLE_SCALE: "1000",
    },
  });
  browser = openBrowser(server.url);
  await signUp(browser, server.url, "ada@example.com");
});
afterAll(async () => {
  await server.close();
  await atStandby.close();
  await standby.stop();
  await cluster.close();
});

const readLag = async () => {
  const { body } = await server.services.metrics.expose();
  return Number(
    /^turnpike_replica_lag_seconds \+?(\S+)$/m.exec(body)?.[1]?.replace("Inf", "Infinity"),
  );
};

/** As time does with the cookie. */
const forgetWrites = () => browser.cookies.delete("turnpike_wrote");

/** The first is that which measures; the others are opened by the first read. */
async function countConnections(): Promise<number> {
  const [row] = await atStandby.sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity where application_name = 'turnpike replica'`;
  return row?.count ?? 0;
}

const createKey = (name: string) =>
  browser.mutate("keys.create", { name, attemptId: crypto.randomUUID() });
const readNames = async () => JSON.stringify((await browser.query("keys.list", {})).data);

test("pages are read from the replica, once nothing was changed for a while", async () => {
  await eventually("a read of the replica", async () => {
    forgetWrites();
    expect(await readNames()).not.toContain("laptop");
    return (await countConnections()) > 1;
  });
});

test("what a browser changed is in its next page, although the replica does not have it", async () => {
  await atStandby.sql`select pg_wal_replay_pause()`;
  await createKey("laptop");
  expect(browser.cookies.has("turnpike_wrote")).toBe(true);
  expect(await readNames()).toContain("laptop");
});

test("a replica that is too far behind is not read, until it has caught up", async () => {
  await eventually("the lag to grow", async () => (await readLag()) > 5);
  forgetWrites();
  expect(await readNames()).toContain("laptop");
  await atStandby.sql`select pg_wal_replay_resume()`;
  await eventually("the replica to catch up", async () => (await readLag()) === 0);
  expect(await readNames()).toContain("laptop");
});

test("pages answer while the replica is gone, and its lag is unknown", async () => {
  await standby.stop();
  forgetWrites();
  expect(await readNames()).toContain("laptop");
  await eventually("the lag to be unknown", async () => (await readLag()) === Infinity);
  expect(await readNames()).toContain("laptop");
});
