// The budget of connections: a server under load opens what docs/operations.md promises.
import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { newId, type PersonId } from "@turnpike/base";
import { ConfigError, readConfig } from "../../src/config.ts";
import { countConnections, readPoolSizes } from "../../src/open-pools.ts";
import { openBrowser, signUp } from "../console/browser.fixture.ts";
import {
  chatBody,
  expectCleanBooks,
  getPath,
  openAccount,
  postChat,
  type TestAccount,
} from "../harness/index.ts";
import { startStripeServer } from "../top-up/start-stripe-server.ts";

const server = await startStripeServer(
  { CHECK_BOOKS_EVERY_MS: "100" },
  {
    reapEveryMs: 50,
    sendMailEveryMs: 50,
    preparePartitionsEveryMs: 100,
    reconcileEveryMs: 200,
    heartbeatMs: 200,
  },
);
afterAll(() => server.close());

const budget = 15;
/** Pools whose queries the load below keeps waiting, so that every connection is used. */
const busy = new Set(["turnpike console", "turnpike acquire side"]);

/** The most connections seen at the same time, by application name and in total. */
async function watchConnections(until: (seen: ReadonlyMap<string, number>) => boolean) {
  const most = new Map<string, number>();
  let mostInAll = 0;
  do {
    const rows = await server.owner.sql<{ name: string; open: number }[]>`
      select application_name as name, count(*)::int as open from pg_stat_activity
       where datname = current_database() and application_name like 'turnpike%'
         -- Only one process of all has it.
         and application_name <> 'turnpike checker' group by 1`;
    for (const { name, open } of rows) most.set(name, Math.max(most.get(name) ?? 0, open));
    mostInAll = Math.max(
      mostInAll,
      rows.reduce((sum, { open }) => sum + open, 0),
    );
  } while (!until(most));
  return { most, mostInAll };
}

/** Repeats `work` in `count` concurrent tasks until the returned function is called. */
function keepBusy(count: number, work: (nth: number) => Promise<unknown>): () => Promise<void> {
  let stopped = false;
  const tasks = Array.from({ length: count }, async (_, nth) => {
    while (!stopped) await work(nth);
  });
  return async () => {
    stopped = true;
    await Promise.all(tasks);
  };
}

/** Calls of these accounts need connections that may wait for a lock. */
async function lockAccounts(accounts: readonly TestAccount[]): Promise<() => Promise<void>> {
  const locked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const transaction = server.owner.sql.begin(async (sql) => {
    for (const { id } of accounts) await sql`select 1 from accounts where id = ${id} for update`;
    locked.resolve();
    await release.promise;
  });
  await Promise.race([locked.promise, transaction]);
  return async () => {
    release.resolve();
    await transaction;
  };
}

test("under calls, console reads, logins, jobs and webhooks a process stays within its connections", async () => {
  const accounts = await Promise.all(Array.from({ length: 12 }, () => openAccount(server)));
  const poor = await openAccount(server, { usd: "0" });
  const { sessionId } = await server.begin(poor, "25");
  server.stripe.pay(sessionId);
  const [event] = server.stripe.events;
  if (event === undefined) throw new Error("no event");
  const browser = openBrowser(server.url);
  await signUp(browser, server.url, "reader@example.com");
  const keyOf = (nth: number) => accounts[nth % accounts.length]?.key ?? "";
  const unlock = await lockAccounts(accounts.slice(0, 4));
  const stops = [
    keepBusy(24, async (nth) =>
      (await postChat(server, keyOf(nth), chatBody({ deltas: 1 }))).text(),
    ),
    keepBusy(8, async (nth) => (await getPath(server, keyOf(nth), "/credits")).text()),
    // Keys that do not exist are looked up in the database.
    keepBusy(4, async () => (await getPath(server, newId<PersonId>(), "/credits")).text()),
    keepBusy(8, () => browser.query("keys.list", {})),
    keepBusy(4, () =>
      browser.mutate("auth.login", { email: "reader@example.com", password: "a wrong one, sorry" }),
    ),
    keepBusy(4, () => server.stripe.deliver(event, { url: server.webhookUrl })),
  ];
  const sizes = readPoolSizes(server.services.config);
  const watched = await watchConnections((seen) =>
    [...sizes].every(([name, size]) => (seen.get(name) ?? 0) >= (busy.has(name) ? size : 1)),
  ).finally(async () => {
    await unlock();
    await Promise.all(stops.map((stop) => stop()));
  });
  const { most, mostInAll } = watched;
  for (const [name, open] of most) {
    expect(`${name}: ${open <= (sizes.get(name) ?? 0) ? "within" : `${open} open`}`).toBe(
      `${name}: within`,
    );
  }
  expect(mostInAll).toBeLessThanOrEqual(countConnections(server.services.config));
  expect(countConnections(server.services.config)).toBeLessThanOrEqual(budget);
  await expectCleanBooks(server);
});

test("docs/operations.md lists every pool with its size, and their sum", () => {
  const text = readFileSync(join(import.meta.dir, "../../../../docs/operations.md"), "utf8");
  const rows = [...text.matchAll(/^\| `(turnpike[^`]*)` +\| (\d+) +\|/gm)];
  const { config } = server.services;
  const documented = new Map(rows.map(([, name = "", size]) => [name, Number(size)]));
  expect(documented).toEqual(new Map(readPoolSizes(config)));
  expect(text).toContain(`${countConnections(config)} per process`);
});

test("pools are sized by the environment, and a pool without a connection is refused", () => {
  const { environment } = server;
  const sized = readConfig({ ...environment, DATABASE_POOL_CONSOLE: "7" });
  expect(readPoolSizes(sized).get("turnpike console")).toBe(7);
  expect(countConnections(sized)).toBe(countConnections(readConfig(environment)) + 4);
  for (const size of ["0", "101", "many"]) {
    expect(() => readConfig({ ...environment, DATABASE_POOL_CONSOLE: size })).toThrow(ConfigError);
  }
});
