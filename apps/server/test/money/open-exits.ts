// For tests of how a process ends. Most wait for a deadline of their server, so they run concurrently, each with
// an account, servers and proxies of its own; another process closes the leases of those that died.
import { afterAll, expect, test } from "bun:test";
import { checkBooks } from "@turnpike/ledger";
import { type SpawnedServer, spawnServer, startTcpProxy, type TcpProxy } from "@turnpike/testing";
import {
  awaitReleased,
  expectCleanBooks,
  openAccount,
  openTestSite,
  patientTimes,
  type TestAccount,
  type TestSite,
} from "../harness/index.ts";
import { oddCatalog } from "./odd-prices.ts";

const environment = { DRAIN_STREAMS_MS: "300" };
type Settings = Readonly<Record<string, string>>;
type Times = Readonly<Partial<Record<keyof typeof patientTimes, number>>>;

export type ExitPlace = {
  readonly account: TestAccount;
  readonly start: (settings?: Settings, times?: Times) => Promise<SpawnedServer>;
  /** A server whose connections to the database pass through the proxy. */
  readonly startBehind: (
    settings?: Settings,
    times?: Times,
  ) => Promise<{ readonly server: SpawnedServer; readonly proxy: TcpProxy }>;
};

export type Exits = {
  readonly site: TestSite;
  /** Declares a test. When it is over, nothing is held for its account and the books are right. */
  readonly testExit: (promise: string, show: (place: ExitPlace) => Promise<void>) => void;
};

/** For the top of a test file, which needs no more hooks. */
export async function openExits(): Promise<Exits> {
  const site = await openTestSite({ catalog: oddCatalog, environment });
  const heir = await spawnServer(site.environment, { times: patientTimes });
  afterAll(async () => {
    await expectCleanBooks(site);
    await heir.kill();
    await site.close();
  });
  const testExit: Exits["testExit"] = (promise, show) =>
    test.concurrent(promise, async () => {
      const { place, close } = openPlace(site, await openAccount(site));
      try {
        await show(place);
        await awaitReleased(site, place.account.id);
        expect(await checkBooks(site.owner.db)).toEqual([]);
      } finally {
        await close();
      }
    });
  return { site, testExit };
}

function openPlace(site: TestSite, account: TestAccount) {
  const ends: (() => Promise<unknown>)[] = [];
  const start: ExitPlace["start"] = async (settings = {}, given = {}) => {
    const times = { ...patientTimes, ...given };
    const server = await spawnServer({ ...site.environment, ...settings }, { times });
    ends.push(() => server.kill());
    return server;
  };
  const startBehind: ExitPlace["startBehind"] = async (settings = {}, times = {}) => {
    const target = new URL(site.database.url);
    const proxy = await startTcpProxy({ host: target.hostname, port: Number(target.port) });
    ends.push(() => proxy.close());
    target.port = String(proxy.port);
    return { proxy, server: await start({ DATABASE_URL: target.href, ...settings }, times) };
  };
  const place: ExitPlace = { account, start, startBehind };
  return {
    place,
    async close() {
      for (const end of ends.reverse()) await end();
    },
  };
}
